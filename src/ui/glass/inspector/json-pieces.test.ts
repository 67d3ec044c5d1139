import { expect, it } from 'vitest';
import { jsonPieces } from './json-pieces.ts';

const kinds = (text: string) =>
  jsonPieces(text).flatMap(({ kind, token }) => (kind === '' ? [] : [`${kind} ${token}`]));

it('tells names, texts and constants apart', () => {
  expect(kinds('{"a": "b \\" c", "n": [-1.5e3, true, null]}')).toEqual([
    'function "a":',
    'string "b \\" c"',
    'function "n":',
    'constant -1.5e3',
    'constant true',
    'constant null',
  ]);
});

it('takes a text that was cut off as one text, whatever stands in it', () => {
  expect(kinds('{"text": "1 of 20, true or null')).toEqual([
    'function "text":',
    'string "1 of 20, true or null',
  ]);
  expect(kinds('"ends in a backslash 12\\')).toEqual(['string "ends in a backslash 12\\']);
});

it('loses nothing', () => {
  for (const text of ['', 'plain', '{"a": "b"}', '[1, "two', '"\\', '{\n  "a": [\n    1\n  ]\n}'])
    expect(
      jsonPieces(text)
        .map(({ before, token }) => before + token)
        .join(''),
    ).toBe(text);
});
