export function unreadable(): Error {
  return new Error('Unable to deserialize cloned data.');
}

/** Reads the numbers, strings and bytes of serialized values, one after another. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw unreadable();
    return byte;
  }

  /** Reads the next tag, after bytes that only fill. */
  tag(): string {
    let byte = this.byte();
    while (byte === 0) byte = this.byte();
    return String.fromCharCode(byte);
  }

  isAt(tag: string): boolean {
    while (this.#bytes[this.#at] === 0) this.#at++;
    return this.#bytes[this.#at] === tag.charCodeAt(0);
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  /** Reads bytes into a new buffer. */
  copy(count: number): Uint8Array<ArrayBuffer> {
    if (this.#at + count > this.#bytes.byteLength) throw unreadable();
    const copied = Uint8Array.from(this.#bytes.subarray(this.#at, this.#at + count));
    this.#at += count;
    return copied;
  }

  double(): number {
    return new DataView(this.copy(8).buffer).getFloat64(0, true);
  }

  bigint(): bigint {
    const bits = this.varint();
    const words = new BigUint64Array(this.copy(Math.floor(bits / 2)).buffer);
    const value = words.reduceRight((sum, word) => (sum << 64n) | word, 0n);
    return bits % 2 === 1 ? -value : value;
  }

  string(): string {
    return this.stringOf(this.tag());
  }

  stringOf(tag: string): string {
    const bytes = this.copy(this.varint());
    if (tag === 'S') return new TextDecoder().decode(bytes);
    const codes: Iterable<number> = tag === 'c' ? new Uint16Array(bytes.buffer) : bytes;
    let text = '';
    for (const code of codes) text += String.fromCharCode(code);
    return text;
  }
}
