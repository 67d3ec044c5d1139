import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { satisfies } from './satisfies.ts';

const semver: {
  satisfies(version: string, range: string): boolean;
  validRange(range: string): string | null;
} = createRequire(import.meta.url)('semver');

const number = fc.integer({ min: 0, max: 3 }).map(String);
const pre = fc.constantFrom('', '', '', '-beta', '-beta.2', '-rc.10');
const version = fc.tuple(number, number, number, pre).map(([a, b, c, d]) => `${a}.${b}.${c}${d}`);
const any = fc.constantFrom('x', '*');
const partial = fc.oneof(
  version,
  number,
  fc.tuple(number, fc.oneof(number, any)).map((parts) => parts.join('.')),
  fc.tuple(number, number, any).map((parts) => parts.join('.')),
  fc.tuple(number, any, any).map((parts) => parts.join('.')),
  fc.constant('*'),
);
const comparator = fc
  .tuple(fc.constantFrom('', '^', '~', '>', '>=', '<', '<=', '=', '^ ', '>= '), partial)
  .map(([sign, text]) => sign + text);
const range = fc.oneof(
  comparator,
  fc.tuple(comparator, comparator).map((both) => both.join(' ')),
  fc.tuple(partial, partial).map((both) => both.join(' - ')),
  fc.tuple(comparator, comparator).map((both) => both.join(' || ')),
);

test('agrees with semver', () => {
  fc.assert(
    fc.property(version, range, (given, within) => {
      // Beside a part that any version fits, semver forgets the other, and with it the versions it lets in by name.
      fc.pre(!within.includes('||') || semver.validRange(within) !== '*');
      expect(satisfies(given, within), `${given} in ${within}`).toBe(semver.satisfies(given, within));
    }),
    { numRuns: 5000 },
  );
});

test.for(['latest', 'file:../x', 'git+https://example.com/x.git', 'workspace:*', 'npm:other@1'])(
  '%s holds any version',
  (within) => {
    expect(satisfies('1.2.3', within)).toBe(true);
  },
);
