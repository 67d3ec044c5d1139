/** What is at the front of a mailbox, in 32-bit words: see {@link Mailbox}. */
const READ = 0;
const WRITTEN = 1;
const TAKEN = 2;
const SENT = 3;
const HEADER_BYTES = 16;
const ENTRY_BYTES = 8;
const CAPACITY = 1 << 20;

/**
 * Messages of one end of a channel to the other, in memory that both threads share: what has been sent can be read at
 * once, without the event loop. One thread writes, one reads. Entries are a number, a length and the bytes; what cannot
 * be written as bytes, or has no room, comes through the browser only, and leaves out its number here.
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

  /** How many messages have been handed over in all, one way or the other. */
  get sent(): number {
    return Atomics.load(this.#words, SENT);
  }

  /** How many have arrived at whoever they are for. */
  get taken(): number {
    return Atomics.load(this.#words, TAKEN);
  }

  set taken(count: number) {
    Atomics.store(this.#words, TAKEN, count);
  }

  /** The number of the next message; it counts as sent once {@link handedOver} was called. */
  next(): number {
    return this.sent + 1;
  }

  handedOver(): void {
    Atomics.add(this.#words, SENT, 1);
  }

  /** Answers whether there was room. */
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

  /** The first message that waits, where its bytes are here. */
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
