import { fromBase64, toBase64 } from './base64.ts';
import type { FaultError } from './fault.ts';

/** Compresses text into letters that need no escaping in an address. */
export async function pack(text: string): Promise<string> {
  const packed = await collect(
    new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')),
    Infinity,
    () => undefined,
  );
  return toBase64(packed).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Reverses {@link pack}, as a stream of the bytes. Throws if the text cannot have come from it. */
export function unpacking(packed: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = fromBase64(packed.replaceAll('-', '+').replaceAll('_', '/'));
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
}

/**
 * Reads a whole stream. Stops after `most` bytes, since a few bytes may expand to gigabytes, and throws what `tooBig`
 * returns.
 */
export async function collect(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  most: number,
  tooBig: () => FaultError | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > most) {
      void reader.cancel().catch(() => undefined);
      throw tooBig();
    }
    pieces.push(next.value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
