import type { Readable } from 'node:stream';
import type { LoadBuiltin } from '../builtin.ts';

export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** In milliseconds, to the nanosecond. */
export const durationOf = (started: number, ended: number): number =>
  Math.max(0, Math.round((ended - started) * 1e6) / 1e6);

export interface Counters {
  tests: number;
  failed: number;
  passed: number;
  cancelled: number;
  skipped: number;
  todo: number;
  topLevel: number;
  suites: number;
}

export const noTests = (): Counters => ({
  tests: 0,
  failed: 0,
  passed: 0,
  cancelled: 0,
  skipped: 0,
  todo: 0,
  topLevel: 0,
  suites: 0,
});

export interface Counted {
  readonly nesting: number;
  readonly kind: string | undefined;
  readonly isSkipped: boolean;
  readonly isTodo: boolean;
  readonly isCancelled: boolean;
  readonly passed: boolean;
}

/** Answers whether the run is still a good one, as far as this test goes. */
export function count(counters: Counters, test: Counted): boolean {
  if (test.nesting === 0) counters.topLevel++;
  if (test.kind === 'suite') {
    counters.suites++;
    return true;
  }
  counters.tests++;
  if (test.isSkipped) counters.skipped++;
  else if (test.isTodo) counters.todo++;
  else if (test.isCancelled) counters.cancelled++;
  else if (test.passed) counters.passed++;
  else counters.failed++;
  return test.isSkipped || test.isTodo || (test.passed && !test.isCancelled);
}

export interface Details {
  readonly duration_ms: number;
  readonly type?: string;
  error?: unknown;
  passed?: boolean;
}

/** The data of an event, besides its type; see node's `TestsStream`. */
export interface EventData {
  readonly name?: string;
  readonly nesting?: number;
  testNumber?: number;
  readonly details?: Details;
  readonly file?: string | undefined;
  readonly line?: number;
  readonly column?: number;
  readonly skip?: string | true;
  readonly todo?: string | true;
  readonly type?: string;
  readonly count?: number;
  readonly message?: string;
  readonly level?: string;
  readonly summary?: unknown;
  readonly success?: boolean;
  readonly counts?: Counters;
  readonly duration_ms?: number;
}

export interface TestEvent {
  readonly type: string;
  readonly data: EventData;
}

/** Events of a run: to listeners as they happen, and one after the other to whoever reads. */
export interface TestsStream extends Readable {
  tell(type: string, data: EventData): void;
  close(): void;
}

export function makeTestsStream(load: LoadBuiltin): new () => TestsStream {
  const { Readable: Base } = load('stream');
  class Stream extends Base {
    readonly #waiting: (TestEvent | null)[] = [];
    #wanted = true;

    constructor() {
      super({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER });
    }

    override _read(): void {
      this.#wanted = true;
      while (this.#wanted && this.#waiting.length > 0) this.#wanted = this.push(this.#waiting.shift());
    }

    tell(type: string, data: EventData): void {
      this.emit(type, data);
      this.#add({ type, data });
    }

    close(): void {
      this.#add(null);
    }

    #add(event: TestEvent | null): void {
      if (this.#wanted) this.#wanted = this.push(event);
      else this.#waiting.push(event);
    }
  }
  Object.defineProperty(Stream, 'name', { value: 'TestsStream' });
  return Stream;
}
