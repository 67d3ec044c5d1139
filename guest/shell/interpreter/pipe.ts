import { BrokenPipe, type ByteSink, type ByteSource } from '../program.ts';
import { joined } from '../kit/io.ts';

const CAPACITY = 64 * 1024;

/** Carries bytes from writers to one reader. Writers wait while it is full. */
export class Pipe {
  #pieces: Uint8Array[] = [];
  #size = 0;
  #ended = false;
  #closed = false;
  #reader: (() => void) | undefined;
  #writers: (() => void)[] = [];

  readonly source: ByteSource = {
    read: () => this.#read(),
    unread: (bytes) => {
      if (bytes.length === 0) return;
      this.#pieces.unshift(bytes);
      this.#size += bytes.length;
    },
    close: () => {
      this.#closed = true;
      this.#pieces = [];
      this.#size = 0;
      this.#drained();
    },
  };

  readonly sink: ByteSink = { write: (bytes) => this.#write(bytes) };

  /** Call it when nothing more will be written. */
  end(): void {
    this.#ended = true;
    this.#reader?.();
  }

  #read(): Uint8Array | null | Promise<Uint8Array | null> {
    if (this.#pieces.length > 0) {
      const all = joined(this.#pieces);
      this.#pieces = [];
      this.#size = 0;
      this.#drained();
      return all;
    }
    if (this.#ended || this.#closed) return null;
    return new Promise<void>((resolve) => (this.#reader = resolve)).then(() => this.#read());
  }

  #write(bytes: Uint8Array): void | Promise<void> {
    if (this.#closed) throw new BrokenPipe();
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#size += bytes.length;
    this.#reader?.();
    this.#reader = undefined;
    if (this.#size < CAPACITY) return;
    return new Promise<void>((resolve) => this.#writers.push(resolve)).then(() => {
      if (this.#closed) throw new BrokenPipe();
    });
  }

  #drained(): void {
    const writers = this.#writers;
    this.#writers = [];
    for (const wake of writers) wake();
  }
}

/** A source whose whole content comes at once; the content may have to be fetched first. */
export class WholeSource implements ByteSource {
  #pieces: Uint8Array[] = [];
  #fetch: (() => Promise<Uint8Array>) | undefined;

  readonly isUnpiped: boolean;

  constructor(content: Uint8Array | (() => Promise<Uint8Array>), isUnpiped = false) {
    this.isUnpiped = isUnpiped;
    if (typeof content === 'function') this.#fetch = content;
    else if (content.length > 0) this.#pieces.push(content);
  }

  read(): Uint8Array | null | Promise<Uint8Array | null> {
    const piece = this.#pieces.shift();
    if (piece) return piece;
    const fetch = this.#fetch;
    if (!fetch) return null;
    this.#fetch = undefined;
    return fetch().then((bytes) => (bytes.length > 0 ? bytes : null));
  }

  unread(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#pieces.unshift(bytes);
  }

  close(): void {
    this.#pieces = [];
    this.#fetch = undefined;
  }
}

export const nothing: ByteSource = { read: () => null, unread: () => {}, close: () => {} };

/** A sink that keeps everything written to it. */
export class Gathered implements ByteSink {
  readonly #pieces: Uint8Array[] = [];

  write(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
  }

  bytes(): Uint8Array {
    return joined(this.#pieces);
  }
}
