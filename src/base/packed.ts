import { fromBase64, toBase64 } from './base64.ts';
import { FaultError } from './fault.ts';

/** Compresses text into letters that need no escaping in an address. */
export async function pack(text: string): Promise<string> {
  return inLetters(await collect(deflated(text), Infinity, () => undefined));
}

/** As {@link pack}; `null`, and soon, if the result would have more than `most` letters. */
export async function packWithin(text: string, most: number): Promise<string | null> {
  const tooLong = new FaultError({ code: 'packed-too-long', what: `It has more than ${most} letters.` });
  try {
    return inLetters(await collect(deflated(text), Math.floor((most * 3) / 4), () => tooLong));
  } catch (error) {
    if (error === tooLong) return null;
    throw error;
  }
}

function deflated(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
}

function inLetters(packed: Uint8Array<ArrayBuffer>): string {
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
