import { clock } from '../../loop/browser-clock.ts';
import { errnoOf, INVALID, SUCCESS } from './errno.ts';
import type { WasiFiles } from './files.ts';

type Value = number | bigint;
/** A function that a program of WASI imports. Addresses and lengths are numbers, 64 bits are a bigint; it returns an errno. */
export type Import = (...args: Value[]) => unknown;
export type Imports = Record<string, Import>;

export interface ImportsContext extends WasiFiles {
  /** The descriptors of this process for the standard streams of the program. */
  readonly streams: readonly [input: number, output: number, errors: number];
  /** The program's memory, at least up to the address `end`. */
  readonly memory: (end: number) => ArrayBufferLike;
}

const REALTIME = 0;
const CLOCKS = 4;
const IS_CLOCK = 0;
const IS_ABSOLUTE = 1;
/** The bytes of a subscription to an event, and of the event. */
const SUBSCRIPTION = 48;
const EVENT = 32;
/** The most bytes that one call of `getRandomValues` gives. */
const RANDOM_BYTES = 65_536;

/**
 * Replaces what the library does otherwise than node: it waits by running in circles, counts time from the start of each thread,
 * takes random numbers from `Math.random`, has no standard input, prints whole lines only, and throws errors that it does not know.
 */
export function adaptImports(imports: Imports, context: ImportsContext): void {
  const { readingLink, listing } = context;
  const { path_readlink: readlink, fd_readdir: readdir } = imports;
  if (readlink) imports.path_readlink = (...args) => readingLink(() => readlink(...args));
  if (readdir) imports.fd_readdir = (...args) => listing(() => readdir(...args));
  Object.assign(imports, timeImports(context), streamImports(imports, context));
  for (const [name, call] of Object.entries(imports))
    imports[name] = (...args) => {
      try {
        return name.startsWith('path_') ? withoutStacks(() => call(...args)) : call(...args);
      } catch (error) {
        const errno = errnoOf(error);
        if (errno === undefined) throw error;
        return errno;
      }
    };
}

/**
 * Runs a call whose errors become numbers. Bundlers look for thousands of files that are not there, and writing down the stack
 * of a WebAssembly program is most of what such an error costs.
 */
function withoutStacks<Result>(call: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return call();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Nanoseconds: since 1970, or for other clocks since some moment, which is the same in all threads. */
function timeOf(id: number): bigint {
  if (id === REALTIME) return BigInt(Date.now()) * 1_000_000n;
  return BigInt(Math.round((clock.timeOrigin + clock.now()) * 1000)) * 1000n;
}

function timeImports({ memory }: ImportsContext): Imports {
  return {
    clock_time_get(id, _precision, time) {
      if (Number(id) >= CLOCKS) return INVALID;
      const at = Number(time);
      new DataView(memory(at + 8)).setBigUint64(at, timeOf(Number(id)), true);
      return SUCCESS;
    },
    poll_oneoff(input, output, count, used) {
      const [from, to, length, usedAt] = [Number(input), Number(output), Number(count), Number(used)];
      if (length === 0) return INVALID;
      const end = Math.max(from + length * SUBSCRIPTION, to + length * EVENT, usedAt + 4);
      const view = new DataView(memory(end));
      const all = Array.from({ length }, (_, at) => subscriptionAt(view, from + at * SUBSCRIPTION));
      // Files are always ready, and nobody knows whether standard input is.
      const due = Math.min(...all.map(({ delay }) => delay));
      if (due > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, due);
      const ready = all.filter(({ delay }) => delay <= due);
      for (const [at, { userdata, type }] of ready.entries()) {
        const event = to + at * EVENT;
        new Uint8Array(view.buffer, event, EVENT).fill(0);
        view.setBigUint64(event, userdata, true);
        view.setUint8(event + 10, type);
        if (type !== IS_CLOCK) view.setBigUint64(event + 16, 1n, true);
      }
      view.setUint32(usedAt, ready.length, true);
      return SUCCESS;
    },
    random_get(start, length) {
      const [from, size] = [Number(start), Number(length)];
      const target = new Uint8Array(memory(from + size), from, size);
      for (let at = 0; at < size; at += RANDOM_BYTES)
        // The browser does not write into shared memory.
        target.set(crypto.getRandomValues(new Uint8Array(Math.min(RANDOM_BYTES, size - at))), at);
      return SUCCESS;
    },
    sched_yield: () => SUCCESS,
  };
}

/** Reads an event that a program waits for. `delay` is how long it takes until then, in milliseconds from now. */
function subscriptionAt(view: DataView, at: number) {
  const type = view.getUint8(at + 8);
  const timeout = view.getBigUint64(at + 24, true);
  const isAbsolute = (view.getUint16(at + 40, true) & IS_ABSOLUTE) !== 0;
  const left = isAbsolute ? timeout - timeOf(view.getUint32(at + 16, true)) : timeout;
  const delay = type === IS_CLOCK ? Math.max(0, Number(left) / 1e6) : 0;
  return { userdata: view.getBigUint64(at, true), type, delay };
}

function streamImports(imports: Imports, { fs, streams, memory }: ImportsContext): Imports {
  const { fd_read: read, fd_write: write } = imports;
  const piecesAt = (vectors: Value, count: Value) => {
    const [from, length] = [Number(vectors), Number(count)];
    const view = new DataView(memory(from + length * 8));
    return Array.from({ length }, (_, at) => {
      const start = view.getUint32(from + at * 8, true);
      const size = view.getUint32(from + at * 8 + 4, true);
      return new Uint8Array(memory(start + size), start, size);
    });
  };
  const report = (address: Value, bytes: number) => {
    const at = Number(address);
    new DataView(memory(at + 4)).setUint32(at, bytes, true);
    return SUCCESS;
  };
  return {
    fd_read(fd = 0, vectors = 0, count = 0, used = 0) {
      if (fd !== 0) return read?.(fd, vectors, count, used);
      const target = piecesAt(vectors, count).find((piece) => piece.byteLength > 0);
      if (!target) return report(used, 0);
      const bytes = new Uint8Array(target.byteLength);
      const size = fs.readSync(streams[0], bytes, 0, bytes.byteLength, null);
      target.set(bytes.subarray(0, size));
      return report(used, size);
    },
    fd_write(fd = 0, vectors = 0, count = 0, used = 0) {
      if (fd !== 1 && fd !== 2) return write?.(fd, vectors, count, used);
      // Copies, because what is in shared memory may change before it is printed.
      const pieces = piecesAt(vectors, count).map((piece) => piece.slice());
      return report(
        used,
        pieces.reduce((sum, piece) => sum + fs.writeSync(streams[fd], piece), 0),
      );
    },
  };
}
