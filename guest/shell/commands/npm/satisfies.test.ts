import { expect, test } from 'vitest';
import { satisfies } from './satisfies.ts';

test.each([
  ['1.2.3', '^1.0.0', true],
  ['2.0.0', '^1.0.0', false],
  ['1.2.3', '1.x || >=2.5.0', true],
  ['1.2.3', '', true],
  ['v1.2.3', '~1.2', true],
  ['2.0.0-beta.1', '>=1', false],
  ['2.0.0-beta.2', '>=2.0.0-beta.1', true],
])('%s in %j: %s', (version, range, answer) => {
  expect(satisfies(version, range)).toBe(answer);
});

test.each(['latest', 'git+https://host/repository.git', 'file:../other', 'workspace:^1'])(
  'any version answers %s, which is no range',
  (range) => {
    expect(satisfies('1.0.0', range)).toBe(true);
  },
);

test('what is no version lies in no range', () => {
  expect(satisfies('unknown', '*')).toBe(false);
});
