import { argTypeError, needInteger, needNumber, needObject } from '../internal/errors.ts';
import { testFailure } from './failure.ts';
import type { Clock } from './clock.ts';

const LONGEST = 2 ** 31 - 1;

/** The number of assertions that a test plans to make. */
export class Plan {
  readonly expected: number;
  readonly #clock: Clock;
  readonly #wait: boolean | number | undefined;
  #made = 0;
  #waiting: { readonly met: () => void; readonly promise: Promise<void> } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(clock: Clock, count: unknown, options: unknown = {}) {
    needInteger(count, 'count', 0, 2 ** 32 - 1);
    needObject(options, 'options');
    const { wait } = options;
    if (typeof wait === 'number') needNumber(wait, 'options.wait', 0, LONGEST);
    else if (wait !== undefined && typeof wait !== 'boolean')
      throw argTypeError('options.wait', ['boolean', 'number'], wait);
    this.expected = count;
    this.#clock = clock;
    this.#wait = wait;
  }

  count(): void {
    this.#made++;
    if (this.#waiting) void this.check();
  }

  /** Throws where it is not met and is not to be waited for. */
  check(): Promise<void> | undefined {
    if (this.#made === this.expected) {
      this.#clock.clearTimeout(this.#timer);
      this.#waiting?.met();
      this.#waiting = undefined;
      return undefined;
    }
    if (this.#wait === undefined || this.#wait === false)
      throw testFailure(
        `plan expected ${this.expected} assertions but received ${this.#made}`,
        'testCodeFailure',
      );
    this.#waiting ??= this.#begin();
    return this.#waiting.promise;
  }

  #begin() {
    let met = () => {};
    const promise = new Promise<void>((resolve, reject) => {
      met = resolve;
      if (typeof this.#wait !== 'number') return;
      const late = () =>
        reject(
          testFailure(
            `plan timed out after ${String(this.#wait)}ms with ${this.#made} assertions when expecting ${this.expected}`,
            'testTimeoutFailure',
          ),
        );
      this.#timer = this.#clock.setTimeout(late, this.#wait);
    });
    return { met, promise };
  }
}
