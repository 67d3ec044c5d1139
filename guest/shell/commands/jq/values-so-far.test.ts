import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encode } from '../../kit/io.ts';
import { parseJson } from './json.ts';
import { ValuesSoFar } from './values-so-far.ts';

it('finds the same values in pieces of any size as in the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.json(), { maxLength: 5 }), fc.integer({ min: 1, max: 20 }), (texts, step) => {
      const text = texts.join('\n');
      const bytes = encode(text);
      const values = new ValuesSoFar();
      const found = [];
      for (let at = 0; at < bytes.length; at += step)
        found.push(...values.more(bytes.subarray(at, at + step)));
      found.push(...values.end());
      expect(found).toEqual([...parseJson(text)]);
    }),
  );
});

it('gives a value as soon as it is whole', () => {
  const values = new ValuesSoFar();
  expect([...values.more(encode('{"a": "}\\"'))]).toEqual([]);
  expect([...values.more(encode('{"}\n[1'))]).toEqual([new Map([['a', '}"{']])]);
  expect([...values.more(encode('] 2 '))]).toEqual([[1]]);
  expect([...values.more(encode('3\n'))]).toEqual([2, 3]);
});
