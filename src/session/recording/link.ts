import { FaultError } from '../../base/fault.ts';
import { collect, unpacking } from '../../base/packed.ts';
import { tooBig } from './read.ts';
import { MAX_RECORDING_BYTES } from './recording.ts';

/** Some browsers and messengers do not accept longer addresses. */
export const LONGEST_LINK = 1_000_000;

/** Unpacks a text from `pack` up to 20 MB; rejects with a fault if it is malformed. */
export async function unpackText(packed: string): Promise<string> {
  let expanded: ReadableStream<Uint8Array<ArrayBuffer>>;
  try {
    expanded = unpacking(packed);
  } catch {
    throw broken();
  }
  return decodeText(expanded);
}

/** Decodes a text that arrives in pieces, up to 20 MB. */
export async function decodeText(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  try {
    const bytes = await collect(stream, MAX_RECORDING_BYTES, () => tooBig('It is over 20 MB.'));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw error instanceof FaultError ? error : broken();
  }
}

function broken(): FaultError {
  return new FaultError({
    code: 'recording-damaged',
    what: 'The recording cannot be read: something of it is missing or was changed on the way.',
    next: 'Nothing was opened. Ask for the link or the file again.',
  });
}
