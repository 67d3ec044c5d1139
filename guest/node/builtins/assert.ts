import { useDiff } from './assert/comparisons.ts';
import { makeMethods } from './assert/methods.ts';
import { makeTruthy } from './assert/truthy.ts';
import type { MakeBuiltin } from './builtin.ts';
import { argValueError } from './internal/errors.ts';

export const makeAssert: MakeBuiltin = ({ process }, load) => {
  const truthy = makeTruthy(load);
  const methods = makeMethods(process, load, truthy);

  function assert(...args: unknown[]): void {
    truthy(assert, args);
  }
  Object.assign(assert, methods);

  function strict(...args: unknown[]): void {
    truthy(strict, args);
  }
  const ownStrict = {
    equal: methods.strictEqual,
    deepEqual: methods.deepStrictEqual,
    notEqual: methods.notStrictEqual,
    notDeepEqual: methods.notDeepStrictEqual,
  };
  Object.assign(strict, methods, ownStrict, { strict });

  const { AssertionError, CallTracker: _tracker, ...shared } = methods;
  /** Assertions with options of their own, strict by default. */
  class Assert {
    constructor(options: { strict?: boolean; diff?: unknown } = {}) {
      const { diff = 'simple', strict: isStrict = true } = options;
      if (diff !== 'simple' && diff !== 'full')
        throw argValueError('options.diff', diff, `must be one of: 'simple', 'full'`);
      useDiff(this, diff);
      Object.assign(this, { AssertionError }, isStrict && ownStrict);
    }
  }
  Object.assign(Assert.prototype, shared);
  Object.assign(strict, { Assert });
  return Object.assign(assert, { strict, Assert });
};
