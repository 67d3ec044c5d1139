import { fromBase64 } from '../base/base64.ts';
import type { FileContent } from './arguments.ts';

/** The bytes of a file. Throws an error that names the path if they are not Base64. */
export function bytesOf(path: string, content: FileContent): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  try {
    return fromBase64(content.base64);
  } catch {
    throw new Error(`The content of ${path} is not Base64.`);
  }
}
