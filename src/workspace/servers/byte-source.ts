import { joined } from '../../base/bytes.ts';

/** Reads a stream of bytes by pieces of the length that a protocol asks for. */
export class ByteSource {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  #rest: Uint8Array<ArrayBuffer> = new Uint8Array();

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = stream.getReader();
  }

  /** The next bytes, as many as have arrived but no more than `most`; `undefined` at the end. */
  async some(most = Infinity): Promise<Uint8Array<ArrayBuffer> | undefined> {
    while (this.#rest.byteLength === 0) if (!(await this.#more())) return undefined;
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.byteLength);
    return piece;
  }

  /** Exactly `length` bytes; `undefined` where the stream ends before. */
  async exactly(length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    while (this.#rest.byteLength < length) if (!(await this.#more())) return undefined;
    const piece = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return piece;
  }

  /** The text up to `mark`, which is skipped; `undefined` where the stream ends before, or after `most` bytes without one. */
  async until(mark: string, most: number): Promise<string | undefined> {
    for (;;) {
      const text = latin1(this.#rest.subarray(0, most));
      const at = text.indexOf(mark);
      if (at >= 0) {
        this.#rest = this.#rest.subarray(at + mark.length);
        return text.slice(0, at);
      }
      if (this.#rest.byteLength >= most || !(await this.#more())) return undefined;
    }
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    if (this.#rest.byteLength === 0) this.#rest = value;
    else this.#rest = joined([this.#rest, value]);
    return true;
  }
}

/** Headers are bytes, one character each. */
export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

export function latin1Bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
