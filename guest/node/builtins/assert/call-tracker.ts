import { argValueError, needInteger, nodeError } from '../internal/errors.ts';
import { AssertionError } from './assertion-error.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

interface Tracked {
  readonly name: string;
  readonly expected: number;
  readonly stack: Error;
  calls: { readonly thisArg: unknown; readonly arguments: readonly unknown[] }[];
}

/** Counts the calls of functions, and says which were not called as often as they should. */
export class CallTracker {
  readonly #tracked = new Map<unknown, Tracked>();

  #find(tracked: unknown): Tracked {
    const found = this.#tracked.get(tracked);
    if (!found) throw argValueError('tracked', tracked, 'is not a tracked function');
    return found;
  }

  getCalls(tracked: unknown) {
    return Object.freeze(
      this.#find(tracked).calls.map(({ thisArg, arguments: args }) =>
        Object.freeze({ thisArg, arguments: Object.freeze([...args]) }),
      ),
    );
  }

  reset(tracked?: unknown): void {
    if (tracked !== undefined) this.#find(tracked).calls = [];
    else for (const each of this.#tracked.values()) each.calls = [];
  }

  calls(run?: unknown, times: unknown = 1): unknown {
    if (Reflect.get(globalThis.process, '_exiting'))
      throw nodeError('ERR_UNAVAILABLE_DURING_EXIT', 'Cannot call function in process exit handler');
    const [called, expected] = typeof run === 'number' ? [undefined, run] : [run, times];
    const original = (called ?? function () {}) as AnyFunction;
    needInteger(expected, 'expected', 1, 2 ** 32 - 1);
    const stack = new Error();
    const entry: Tracked = { name: original.name || 'calls', expected, stack, calls: [] };
    const tracked = new Proxy(original, {
      apply(target, thisArg: unknown, args: unknown[]) {
        entry.calls.push({ thisArg, arguments: args });
        return Reflect.apply(target, thisArg, args);
      },
    });
    this.#tracked.set(tracked, entry);
    return tracked;
  }

  report() {
    return Array.from(this.#tracked.values())
      .filter(({ calls, expected }) => calls.length !== expected)
      .map(({ name, calls, expected, stack }) => ({
        message: `Expected the ${name} function to be executed ${expected} time(s) but was executed ${calls.length} time(s).`,
        actual: calls.length,
        expected,
        operator: name,
        stack,
      }));
  }

  verify(): void {
    const errors = this.report();
    const [first] = errors;
    if (!first) return;
    const message =
      errors.length === 1 ? first.message : 'Functions were not called the expected number of times';
    throw Object.assign(new AssertionError({ message }), { generatedMessage: false });
  }
}
