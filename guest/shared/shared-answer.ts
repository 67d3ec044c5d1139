import { CallFrame, FRAME_BYTES } from './call-frame.ts';
import { CallWatch, Caller } from './shared-calls.ts';
import type { NodeFsCall, NodeStat } from './wire.ts';

/**
 * The layout of the memory in which the kernel answers a waiting node worker: a state word, the answer's kind
 * and length, numbers, then its bytes, in as many pieces as needed. One header word counts the bytes of
 * output that were taken. Another belongs to shared-calls.ts, whose frame comes last.
 */
const STATE = 0;
const KIND = 1;
const LENGTH = 2;
const TAKEN = 3;
const WAITS = 4;
const NUMBERS_AT = 64;
const NUMBERS = 16;
/** The offset of an answer's bytes. */
export const DATA_AT = NUMBERS_AT + NUMBERS * 8;
const DATA_BYTES = 256 * 1024;
const FRAME_AT = DATA_AT + DATA_BYTES;

const PENDING = 0;
const THERE = 1;
/** The answer is pending and the worker sleeps, so it must be woken. */
const ASLEEP = 2;

const KINDS = ['undefined', 'json', 'bytes', 'failed', 'stat', 'number'] as const;
type Kind = (typeof KINDS)[number];

const STAT_TYPES: readonly NodeStat['type'][] = ['file', 'directory', 'symlink', 'device'];

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const NOTHING = new Uint8Array(0);
const NONE: readonly number[] = [];

export function sharedMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(FRAME_AT + FRAME_BYTES);
}

/** The kernel's end. */
export class Answerer {
  readonly #words: Int32Array;
  readonly #numbers: Float64Array;
  readonly #data: Uint8Array;
  readonly watch: CallWatch;
  #rest: Uint8Array = NOTHING;
  #answered = false;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared, 0, NUMBERS_AT / 4);
    this.#numbers = new Float64Array(shared, NUMBERS_AT, NUMBERS);
    this.#data = new Uint8Array(shared, DATA_AT, DATA_BYTES);
    this.watch = new CallWatch(this.#words, WAITS, new CallFrame(shared, FRAME_AT));
  }

  /** Tells whether `run` answered. Shared memory cannot tell, because it may already hold the next call. */
  answers(run: () => void): boolean {
    this.#answered = false;
    run();
    return this.#answered;
  }

  answer(value: unknown): void {
    if (value === undefined) this.#send('undefined', NOTHING);
    else if (value instanceof Uint8Array) this.#send('bytes', value);
    else if (typeof value === 'number') this.#send('number', NOTHING, [value]);
    else if (isStat(value)) this.#send('stat', NOTHING, statNumbers(value));
    else this.#send('json', encoder.encode(JSON.stringify(value)));
  }

  fail(code: string, message: string): void {
    this.#send('failed', encoder.encode(JSON.stringify({ code, message })));
  }

  more(): void {
    const piece = this.#rest.subarray(0, this.#data.byteLength);
    this.#rest = this.#rest.subarray(piece.byteLength);
    this.#data.set(piece);
    if (Atomics.exchange(this.#words, STATE, THERE) === ASLEEP) Atomics.notify(this.#words, STATE);
  }

  /** Counts bytes of output that were taken. */
  took(bytes: number): void {
    Atomics.add(this.#words, TAKEN, bytes);
    Atomics.notify(this.#words, TAKEN);
  }

  #send(kind: Kind, bytes: Uint8Array, numbers: readonly number[] = NONE): void {
    this.#words[KIND] = KINDS.indexOf(kind);
    this.#words[LENGTH] = bytes.byteLength;
    for (let at = 0; at < numbers.length; at++) this.#numbers[at] = numbers[at] ?? 0;
    this.#rest = bytes;
    this.#answered = true;
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
  readonly #numbers: Float64Array;
  readonly #data: Uint8Array;
  readonly #caller: Caller;
  readonly #post: (message: { readonly kind: 'more' }) => void;

  constructor(shared: SharedArrayBuffer, post: (message: { readonly kind: 'more' }) => void) {
    this.#words = new Int32Array(shared, 0, NUMBERS_AT / 4);
    this.#numbers = new Float64Array(shared, NUMBERS_AT, NUMBERS);
    this.#data = new Uint8Array(shared, DATA_AT, DATA_BYTES);
    this.#caller = new Caller(this.#words, WAITS, new CallFrame(shared, FRAME_AT));
    this.#post = post;
  }

  /** Sends the call, with `send` if shared memory cannot take it, and waits. Throws {@link CallFailed}. */
  ask(send: () => void, call?: NodeFsCall): unknown {
    Atomics.store(this.#words, STATE, PENDING);
    if (!call || !this.#caller.call(call)) {
      this.#caller.asks();
      send();
    }
    this.#sleep();
    const kind = KINDS[this.#words[KIND] ?? 0];
    switch (kind) {
      case 'json':
        return JSON.parse(decoder.decode(this.#bytes()));
      case 'bytes':
        return this.#bytes();
      case 'number':
        return this.#numbers[0];
      case 'stat':
        return statOf(this.#numbers);
      case 'failed': {
        const { code, message } = JSON.parse(decoder.decode(this.#bytes()));
        throw new CallFailed(code, message);
      }
      default:
        return undefined;
    }
  }

  /** Must be called before a message to the kernel, so that it is read before the next call. */
  tells(): void {
    this.#caller.tells();
  }

  /** The bytes of output that were taken so far, modulo 2^32. */
  get taken(): number {
    return Atomics.load(this.#words, TAKEN);
  }

  /** Waits until more output than `taken` has been taken. */
  waitTaken(taken: number): void {
    Atomics.wait(this.#words, TAKEN, taken);
  }

  #sleep(): void {
    if (Atomics.compareExchange(this.#words, STATE, PENDING, ASLEEP) !== PENDING) return;
    // The kernel stores first and wakes later, so a wake-up may arrive during the wait for the next answer.
    while (Atomics.load(this.#words, STATE) === ASLEEP) Atomics.wait(this.#words, STATE, ASLEEP);
  }

  #bytes(): Uint8Array {
    const all = new Uint8Array(this.#words[LENGTH] ?? 0);
    for (let at = 0; ;) {
      const piece = this.#data.subarray(0, Math.min(this.#data.byteLength, all.byteLength - at));
      all.set(piece, at);
      at += piece.byteLength;
      if (at >= all.byteLength) return all;
      Atomics.store(this.#words, STATE, PENDING);
      this.#caller.tells();
      this.#post({ kind: 'more' });
      this.#sleep();
    }
  }
}

function isStat(value: unknown): value is NodeStat {
  return typeof value === 'object' && value !== null && 'inode' in value && 'modified' in value;
}

function statNumbers(stat: NodeStat): number[] {
  const { type, mode, size, modified, inode, names, accessed, changed, born } = stat;
  return [STAT_TYPES.indexOf(type), mode, size, modified, inode, names, accessed, changed, born];
}

function statOf(numbers: Float64Array): NodeStat {
  const [type = 0, mode = 0, size = 0, modified = 0, inode = 0, names = 1] = numbers;
  const [accessed = 0, changed = 0, born = 0] = numbers.subarray(6);
  const told = { mode, size, modified, inode, names, accessed, changed, born };
  return { type: STAT_TYPES[type] ?? 'file', ...told };
}
