import type { LoadBuiltin } from '../builtin.ts';
import type { makeDeprecate } from './deprecate.ts';
import { isError, types } from './types.ts';

type Check = (value: never) => unknown;

/** The checks that need no other module. */
const plain: readonly (readonly [name: string, is: (value: unknown) => boolean])[] = [
  ['isDate', types.isDate],
  ['isError', isError],
  ['isFunction', (value) => typeof value === 'function'],
  ['isNull', (value) => value === null],
  ['isNullOrUndefined', (value) => value === null || value === undefined],
  ['isNumber', (value) => typeof value === 'number'],
  ['isObject', (value) => value !== null && typeof value === 'object'],
  ['isPrimitive', (value) => value === null || (typeof value !== 'object' && typeof value !== 'function')],
  ['isRegExp', types.isRegExp],
  ['isString', (value) => typeof value === 'string'],
  ['isSymbol', (value) => typeof value === 'symbol'],
  ['isUndefined', (value) => value === undefined],
];

/** Makes the checks of `util` for types that `typeof` and `util.types` replace. */
export function makeOldChecks(
  load: LoadBuiltin,
  deprecate: ReturnType<typeof makeDeprecate>,
): Record<string, Check> {
  const isArray = deprecate(
    Array.isArray,
    'The `util.isArray` API is deprecated. Please use `Array.isArray()` instead.',
    'DEP0044',
  );
  return Object.fromEntries<Check>([
    ['isArray', isArray],
    ['isBoolean', (value) => typeof value === 'boolean'],
    ['isBuffer', (value) => load('buffer').Buffer.isBuffer(value)],
    ...plain,
  ]);
}
