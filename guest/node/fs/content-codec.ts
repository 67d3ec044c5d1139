import type { Buffer as NodeBuffer } from 'node:buffer';
import { argTypeError } from '../builtins/internal/errors.ts';
import type { FileOptions } from './arguments.ts';

type Encoding = FileOptions['encoding'];

const UTF8 = /^utf-?8$/i;

/** Converts contents and names between bytes and the form that a program wants, as `encoding` says. */
export class ContentCodec {
  readonly #Buffer: typeof NodeBuffer;
  readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(Buffer: typeof NodeBuffer) {
    this.#Buffer = Buffer;
  }

  /** Returns text where an encoding is given, else a Buffer over the same memory. */
  decoded(bytes: Uint8Array, encoding: Encoding): string | NodeBuffer {
    if (encoding && UTF8.test(encoding)) return this.#utf8.decode(bytes);
    const buffer = this.#Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
    return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
  }

  /** Returns a name or path in the encoding of a program's options. */
  encoded(text: string, encoding: Encoding): string | NodeBuffer {
    if (encoding === 'buffer') return this.#Buffer.from(text);
    return encoding && !UTF8.test(encoding) ? this.#Buffer.from(text).toString(encoding) : text;
  }

  bytesOf(data: unknown, encoding: Encoding = 'utf8', name = 'data'): Uint8Array {
    if (typeof data === 'string') return this.#Buffer.from(data, (encoding ?? 'utf8') as BufferEncoding);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    throw argTypeError(name, ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  }

  /** Returns the bytes of text for `write`, where an unknown encoding means UTF-8. */
  written(text: string, encoding: unknown): Uint8Array {
    const name = String(encoding);
    return this.#Buffer.from(text, this.#Buffer.isEncoding(name) ? name : 'utf8');
  }

  concat(pieces: readonly Uint8Array[]): Uint8Array {
    return this.#Buffer.concat(pieces);
  }
}
