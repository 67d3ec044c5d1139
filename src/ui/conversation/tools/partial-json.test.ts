import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePartialJson } from './partial-json.ts';

test.each([
  ['', undefined],
  ['  ', undefined],
  ['{', {}],
  ['{"comm', {}],
  ['{"command"', {}],
  ['{"command":', {}],
  ['{"command":"', { command: '' }],
  ['{"command":"npm te', { command: 'npm te' }],
  ['{"a":"x\\', { a: 'x' }],
  ['{"a":"x\\u00', { a: 'x' }],
  ['{"a":"x\\u00e9', { a: 'xé' }],
  ['{"a":tr', {}],
  ['{"a":true,"b":nul', { a: true }],
  ['{"a":12', { a: 12 }],
  ['{"a":-', {}],
  ['{"a":1e', {}],
  ['{"a":[1,{"b":"c', { a: [1, { b: 'c' }] }],
  ['{"a":1,', { a: 1 }],
])('%j is read as far as it goes', (text, value) => {
  const parsed = parsePartialJson(text);
  expect(parsed === undefined ? undefined : JSON.parse(JSON.stringify(parsed))).toEqual(value);
});

test.each(['hello', '{a:1}', '{"a":1}}', '[1 2]', '{"a" 1}'])('%j is not JSON', (text) => {
  expect(parsePartialJson(text)).toBeUndefined();
});

test('hostile nesting ends in nothing, not in a crash', () => {
  expect(parsePartialJson('['.repeat(200_000))).toBeUndefined();
});

test('a key that names the prototype stays a key', () => {
  const parsed = parsePartialJson('{"__proto__":{"polluted":true}}');
  expect(Object.keys(parsed ?? {})).toEqual(['__proto__']);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('whole documents are read as JSON.parse reads them, and no prefix of one throws', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.stringify(parsePartialJson(text))).toEqual(JSON.stringify(JSON.parse(text)));
      for (let end = 0; end < text.length; end++) parsePartialJson(text.slice(0, end));
    }),
  );
});
