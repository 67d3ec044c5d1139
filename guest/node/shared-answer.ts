import type { NodeStat } from './wire.ts';

/**
 * How the kernel answers a node worker that waits: a state word, the answer's kind and length, then its bytes, in as many
 * pieces as it takes. The last header word counts the bytes of output that have been taken.
 */
const STATE = 0;
const KIND = 1;
const LENGTH = 2;
const TAKEN = 3;
const HEADER_BYTES = 64;
const SHARED_BYTES = 256 * 1024;

const PENDING = 0;
const THERE = 1;

const KINDS = ['undefined', 'json', 'bytes', 'failed', 'stat', 'number'] as const;
type Kind = (typeof KINDS)[number];

const STAT_TYPES: readonly NodeStat['type'][] = ['file', 'directory', 'symlink', 'device'];

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const NOTHING = new Uint8Array(0);

export function sharedMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(SHARED_BYTES);
}

/** The kernel's end. */
export class Answerer {
  readonly #words: Int32Array;
  readonly #data: Uint8Array;
  #rest: Uint8Array = NOTHING;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared, 0, HEADER_BYTES / 4);
    this.#data = new Uint8Array(shared, HEADER_BYTES);
  }

  answer(value: unknown): void {
    if (value === undefined) this.#send('undefined', NOTHING);
    else if (value instanceof Uint8Array) this.#send('bytes', value);
    else if (typeof value === 'number') this.#send('number', numbers(value));
    else if (isStat(value)) this.#send('stat', statNumbers(value));
    else this.#send('json', encoder.encode(JSON.stringify(value)));
  }

  fail(code: string, message: string): void {
    this.#send('failed', encoder.encode(JSON.stringify({ code, message })));
  }

  more(): void {
    const piece = this.#rest.subarray(0, this.#data.byteLength);
    this.#rest = this.#rest.subarray(piece.byteLength);
    this.#data.set(piece);
    Atomics.store(this.#words, STATE, THERE);
    Atomics.notify(this.#words, STATE);
  }

  /** So much more output was taken. */
  took(bytes: number): void {
    Atomics.add(this.#words, TAKEN, bytes);
    Atomics.notify(this.#words, TAKEN);
  }

  #send(kind: Kind, bytes: Uint8Array): void {
    this.#words[KIND] = KINDS.indexOf(kind);
    this.#words[LENGTH] = bytes.byteLength;
    this.#rest = bytes;
    this.more();
  }
}

/** An operation that the kernel refused. */
export class CallFailed extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The worker's end. */
export class Asker {
  readonly #words: Int32Array;
  readonly #data: Uint8Array;
  readonly #post: (message: { readonly kind: 'more' }) => void;

  constructor(shared: SharedArrayBuffer, post: (message: { readonly kind: 'more' }) => void) {
    this.#words = new Int32Array(shared, 0, HEADER_BYTES / 4);
    this.#data = new Uint8Array(shared, HEADER_BYTES);
    this.#post = post;
  }

  /** Sends the call and waits. Throws {@link CallFailed}. */
  ask(send: () => void): unknown {
    Atomics.store(this.#words, STATE, PENDING);
    send();
    Atomics.wait(this.#words, STATE, PENDING);
    const kind = KINDS[this.#words[KIND] ?? 0];
    switch (kind) {
      case 'json':
        return JSON.parse(decoder.decode(this.#bytes()));
      case 'bytes':
        return this.#bytes();
      case 'number':
        return new Float64Array(this.#bytes().buffer)[0];
      case 'stat':
        return statOf(new Float64Array(this.#bytes().buffer));
      case 'failed': {
        const { code, message } = JSON.parse(decoder.decode(this.#bytes()));
        throw new CallFailed(code, message);
      }
      default:
        return undefined;
    }
  }

  /** Bytes of output that have been taken so far, modulo 2^32. */
  get taken(): number {
    return Atomics.load(this.#words, TAKEN);
  }

  /** Waits until more output than `taken` has been taken. */
  waitTaken(taken: number): void {
    Atomics.wait(this.#words, TAKEN, taken);
  }

  #bytes(): Uint8Array {
    const all = new Uint8Array(this.#words[LENGTH] ?? 0);
    for (let at = 0; ;) {
      const piece = this.#data.subarray(0, Math.min(this.#data.byteLength, all.byteLength - at));
      all.set(piece, at);
      at += piece.byteLength;
      if (at >= all.byteLength) return all;
      Atomics.store(this.#words, STATE, PENDING);
      this.#post({ kind: 'more' });
      Atomics.wait(this.#words, STATE, PENDING);
    }
  }
}

function numbers(...values: number[]): Uint8Array {
  return new Uint8Array(new Float64Array(values).buffer);
}

function isStat(value: unknown): value is NodeStat {
  return typeof value === 'object' && value !== null && 'inode' in value && 'modified' in value;
}

function statNumbers({ type, mode, size, modified, inode }: NodeStat): Uint8Array {
  return numbers(STAT_TYPES.indexOf(type), mode, size, modified, inode);
}

function statOf([type = 0, mode = 0, size = 0, modified = 0, inode = 0]: Float64Array): NodeStat {
  return { type: STAT_TYPES[type] ?? 'file', mode, size, modified, inode };
}
