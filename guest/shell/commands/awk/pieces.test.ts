import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pieces } from './pieces.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'é', '1', ' ', '\t', '\n', ',', ',', ';') });

test('a record is cut at single characters and at blanks, as far as is asked', () => {
  fc.assert(
    fc.property(text, fc.constantFrom(' ', ',', ';'), fc.nat(6), (record, separator, index) => {
      const words = record.match(/[^ \t\n]+/g) ?? [];
      const expected = separator === ' ' ? words : record === '' ? [] : record.split(separator);
      const pieces = new Pieces(record, separator);
      expect(pieces.at(index)).toBe(expected[index]);
      expect(pieces.at(0)).toBe(expected[0]);
      expect(pieces.all()).toEqual([...expected]);
    }),
  );
});
