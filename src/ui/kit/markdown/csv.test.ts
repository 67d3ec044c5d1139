import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test('fields are quoted where they must be', () => {
  expect(
    csvOf([
      ['a', 'b, c'],
      ['say "x"', 'two\nlines'],
      ['', '1'],
    ]),
  ).toBe('a,"b, c"\r\n"say ""x""","two\nlines"\r\n,1\r\n');
});
