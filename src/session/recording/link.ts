import { fromBase64, toBase64 } from '../../base/base64.ts';
import { FaultError } from '../../base/fault.ts';
import { tooBig } from './read.ts';
import { MAX_RECORDING_BYTES } from './recording.ts';

/** Addresses longer than this are not taken by every browser and messenger. */
export const LONGEST_LINK = 1_000_000;

/** Text as part of an address: compressed, in letters that need no escape. */
export async function packText(text: string): Promise<string> {
  const packed = await collect(
    new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')),
    Infinity,
  );
  return toBase64(packed).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** What {@link packText} made. Stops where it grows over 20 MB; rejects with a fault where it is nothing like it. */
export async function unpackText(packed: string): Promise<string> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = fromBase64(packed.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw broken();
  }
  const expanded = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return decodeText(expanded);
}

/** A text that comes in pieces, of 20 MB at most. */
export async function decodeText(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  try {
    const bytes = await collect(stream, MAX_RECORDING_BYTES);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw error instanceof FaultError ? error : broken();
  }
}

async function collect(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > most) {
      void reader.cancel().catch(() => undefined);
      throw tooBig('It is over 20 MB.');
    }
    pieces.push(next.value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

function broken(): FaultError {
  return new FaultError({
    code: 'recording-damaged',
    what: 'The recording cannot be read: something of it is missing or was changed on the way.',
    next: 'Nothing was opened. Ask for the link or the file again.',
  });
}
