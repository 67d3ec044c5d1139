import { expect, test } from 'vitest';
import { jsonStop } from './json-stop.ts';

test('says in which line and at which character a text stops being JSON', () => {
  for (const [text, line, character] of [
    ['', 1, 1],
    ['[ {broken', 1, 4],
    ['{\n  "a": 1,\n  "b": tru\n}', 3, 8],
    ['{"a" 1}', 1, 6],
    ['[1 2]', 1, 4],
    ['[1,]', 1, 4],
    ['{"a": 1,}', 1, 9],
    ['{"a": "b', 1, 7],
    ['"\\x"', 1, 1],
    ['[]]', 1, 3],
    ['{]', 1, 2],
    ['[01]', 1, 3],
    ['[1', 1, 3],
  ] as const)
    expect([text, jsonStop(text)]).toEqual([text, { line, character }]);
});

test('finds nothing in what is JSON', () => {
  for (const text of ['1', ' "a\\u0041\\n" ', '[]', '{}', '[{"a":[1,-2.5e3,null]},{"b":{}}]\n', 'true'])
    expect([text, jsonStop(text)]).toEqual([text, null]);
});
