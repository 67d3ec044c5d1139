import { deserialize as nativeDeserialize, serialize as nativeSerialize } from 'node:v8';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { deserialize } from './deserialize.ts';
import { serialize } from './serialize.ts';

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes);

function circle(): object {
  const outer: Record<string, unknown> = { name: 'outer' };
  outer.self = outer;
  outer.list = [outer, , { outer }];
  return outer;
}

const VALUES: readonly unknown[] = [
  undefined,
  null,
  true,
  -1,
  2 ** 31,
  1.5,
  -0,
  NaN,
  10n ** 30n,
  -5n,
  '',
  'latin é',
  'two bytes ✓ 😀',
  new Date(86_400_000),
  new Date(NaN),
  /a(b)*/gi,
  Object(false),
  Object(7),
  Object('boxed'),
  Object(9n),
  new Map<unknown, unknown>([
    ['a', 1],
    [{ key: true }, new Set([1, 'two'])],
  ]),
  [1, , 'three'],
  Object.assign([1, 2], { extra: 'property' }),
  { ['__proto__x']: 1, nested: { list: [[], {}] } },
  Uint8Array.of(1, 2, 3),
  Float64Array.of(0.5, -2),
  Buffer.from('bytes'),
  new Uint8Array([9, 8]).buffer,
  new RangeError('too far', { cause: { why: 'test' } }),
  circle(),
];

test.each(VALUES.map((value) => [inspect(value, { compact: true, breakLength: Infinity }), value]))(
  'what Node wrote is read as Node reads it: %s',
  (_name, value) => {
    const bytes = nativeSerialize(value);
    const options = { depth: 8 };
    expect(inspect(deserialize(bytes, bufferOf), options)).toBe(inspect(nativeDeserialize(bytes), options));
  },
);

test('what is written here is read here and by Node', () => {
  for (const value of VALUES) {
    const bytes = serialize(value, Buffer.isBuffer);
    const read = inspect(deserialize(bytes, bufferOf), { depth: 8 });
    expect(read).toBe(inspect(nativeDeserialize(Buffer.from(bytes)), { depth: 8 }));
  }
});

test('bytes that are cut off anywhere, or are of a later version, are refused and never half read', () => {
  const bytes = nativeSerialize({ list: [1, 'two', new Date(0)], map: new Map([[1, /x/]]) });
  for (let end = 0; end < bytes.length; end++)
    expect(() => deserialize(bytes.subarray(0, end), bufferOf)).toThrow('Unable to deserialize cloned data');
  const later = Buffer.from(bytes);
  later[1] = 99;
  expect(() => deserialize(later, bufferOf)).toThrow('invalid or unsupported version');
});
