import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Mailbox } from './mailbox.ts';

test('what is written comes out in order, around the end of the memory', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 30 }), (lengths) => {
      const writer = new Mailbox();
      const reader = new Mailbox(writer.shared);
      const waiting: { number: number; length: number }[] = [];
      for (const [at, length] of lengths.entries()) {
        const message = new Uint8Array(length).fill(at + 1);
        while (!writer.write(at, message)) {
          const first = waiting.shift();
          const found = reader.peek();
          expect(found?.number).toBe(first?.number);
          expect(found?.message.byteLength).toBe(first?.length);
          expect(found?.message.every((byte) => byte === (first?.number ?? 0) + 1)).toBe(true);
          if (found) reader.drop(found.message);
        }
        waiting.push({ number: at, length });
      }
      for (const { number, length } of waiting) {
        const found = reader.peek();
        expect([found?.number, found?.message.byteLength]).toEqual([number, length]);
        if (found) reader.drop(found.message);
      }
      expect(reader.peek()).toBeUndefined();
    }),
    { numRuns: 20 },
  );
});
