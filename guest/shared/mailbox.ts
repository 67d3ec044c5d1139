/** The indexes of the 32-bit words at the front of a {@link Mailbox}. */
const READ = 0;
const WRITTEN = 1;
const TAKEN = 2;
const SENT = 3;
const HEADER_BYTES = 16;
const ENTRY_BYTES = 8;
const CAPACITY = 1 << 20;

/**
 * Messages from one end of a channel to the other, in memory that both threads share. They can be read
 * without the event loop. One thread writes and one reads. An entry is a number, a length and the bytes. A
 * message that does not fit, or cannot be written as bytes, comes only through the browser, and its number is
 * missing here.
 */
export class Mailbox {
  readonly shared: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(shared = new SharedArrayBuffer(HEADER_BYTES + CAPACITY)) {
    this.shared = shared;
    this.#words = new Int32Array(shared, 0, HEADER_BYTES / 4);
    this.#bytes = new Uint8Array(shared, HEADER_BYTES);
  }

  /** The number of messages sent so far, through this memory or the browser. */
  get sent(): number {
    return Atomics.load(this.#words, SENT);
  }

  /** The number of messages that the receiver has taken. */
  get taken(): number {
    return Atomics.load(this.#words, TAKEN);
  }

  set taken(count: number) {
    Atomics.store(this.#words, TAKEN, count);
  }

  /** Returns the number for the next message, which counts as sent after {@link handedOver}. */
  next(): number {
    return this.sent + 1;
  }

  handedOver(): void {
    Atomics.add(this.#words, SENT, 1);
  }

  /** Returns false if the message does not fit. */
  write(number: number, message: Uint8Array): boolean {
    const written = Atomics.load(this.#words, WRITTEN);
    const used = written - Atomics.load(this.#words, READ);
    if (used + ENTRY_BYTES + message.byteLength > CAPACITY) return false;
    const head = new Uint8Array(new Uint32Array([number, message.byteLength]).buffer);
    this.#put(written, head);
    this.#put(written + ENTRY_BYTES, message);
    Atomics.store(this.#words, WRITTEN, (written + ENTRY_BYTES + message.byteLength) | 0);
    return true;
  }

  /** Returns the first unread message whose bytes are here, if there is one. */
  peek(): { readonly number: number; readonly message: Uint8Array } | undefined {
    const read = Atomics.load(this.#words, READ);
    if (read === Atomics.load(this.#words, WRITTEN)) return undefined;
    const [number = 0, length = 0] = new Uint32Array(this.#get(read, ENTRY_BYTES).buffer);
    return { number, message: this.#get(read + ENTRY_BYTES, length) };
  }

  drop(message: Uint8Array): void {
    Atomics.add(this.#words, READ, ENTRY_BYTES + message.byteLength);
  }

  #put(at: number, bytes: Uint8Array): void {
    const start = (at >>> 0) % CAPACITY;
    const first = bytes.subarray(0, CAPACITY - start);
    this.#bytes.set(first, start);
    if (first.byteLength < bytes.byteLength) this.#bytes.set(bytes.subarray(first.byteLength), 0);
  }

  #get(at: number, length: number): Uint8Array<ArrayBuffer> {
    const start = (at >>> 0) % CAPACITY;
    const bytes = new Uint8Array(length);
    const first = this.#bytes.subarray(start, Math.min(CAPACITY, start + length));
    bytes.set(first);
    if (first.byteLength < length)
      bytes.set(this.#bytes.subarray(0, length - first.byteLength), first.byteLength);
    return bytes;
  }
}
