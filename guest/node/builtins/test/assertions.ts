import type { LoadBuiltin } from '../builtin.ts';
import { argTypeError, needFunction } from '../internal/errors.ts';
import { isFunction } from '../internal/guards.ts';
import type { SnapshotTest, Snapshots } from './snapshots.ts';

/** An assertion of a program. Its `this` is the context of the test. */
export type Assertion = (this: SnapshotTest, ...args: unknown[]) => unknown;

const FROM_ASSERT = [
  'deepEqual',
  'deepStrictEqual',
  'doesNotMatch',
  'doesNotReject',
  'doesNotThrow',
  'equal',
  'fail',
  'ifError',
  'match',
  'notDeepEqual',
  'notDeepStrictEqual',
  'notEqual',
  'notStrictEqual',
  'partialDeepStrictEqual',
  'rejects',
  'strictEqual',
  'throws',
  'ok',
] as const;

/** The functions of `t.assert` in a test: node's assertions, those on snapshots, and those that a program registers. */
export class Assertions {
  readonly #load: LoadBuiltin;
  readonly #snapshots: Snapshots;
  readonly #registered = new Map<string, Assertion>();

  constructor(load: LoadBuiltin, snapshots: Snapshots) {
    this.#load = load;
    this.#snapshots = snapshots;
  }

  register = (name: unknown, run: unknown): void => {
    if (typeof name !== 'string') throw argTypeError('name', 'string', name);
    needFunction(run, 'fn');
    this.#registered.set(name, run);
  };

  all(): Map<string, Assertion> {
    const assert = this.#load('assert');
    const snapshots = this.#snapshots;
    return new Map<string, Assertion>([
      ...FROM_ASSERT.flatMap((name): [string, Assertion][] => {
        const run: unknown = Reflect.get(assert, name);
        return isFunction(run) ? [[name, run]] : [];
      }),
      [
        'snapshot',
        function (actual, options) {
          snapshots.compare(this, actual, options);
        },
      ],
      ['fileSnapshot', (actual, path, options) => snapshots.compareFile(actual, path, options)],
      ...this.#registered,
    ]);
  }
}
