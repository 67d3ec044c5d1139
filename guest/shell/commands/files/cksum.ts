import type { ByteSource } from '../../program.ts';
import { nextPiece, type Writer } from '../../kit/io.ts';

/** The POSIX CRC of a source and its length, together with that length. */
export async function checksum(source: ByteSource, out: Writer): Promise<{ sum: number; size: number }> {
  let sum = 0;
  let size = 0;
  const add = (byte: number) => (sum = ((sum << 8) ^ (TABLE[((sum >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0);
  for (let piece = await nextPiece(source, out); piece; piece = await nextPiece(source, out)) {
    for (const byte of piece) add(byte);
    size += piece.length;
  }
  for (let length = size; length > 0; length = Math.floor(length / 256)) add(length % 256);
  return { sum: ~sum >>> 0, size };
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});
