import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { equalBytes } from './nodes.ts';

test('bytes are compared by value, wherever they begin in their buffers', () => {
  const placed = (bytes: Uint8Array, offset: number) => {
    const room = new Uint8Array(bytes.length + offset + 3).fill(7);
    room.set(bytes, offset);
    return room.subarray(offset, offset + bytes.length);
  };
  const offset = fc.nat(9);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), offset, offset, fc.nat(40), (bytes, one, other, at) => {
      const [a, b] = [placed(bytes, one), placed(bytes, other)];
      expect(equalBytes(a, b)).toBe(true);
      expect(equalBytes(a, placed(bytes.subarray(1), other))).toBe(bytes.length === 0);
      const byte = b[at];
      if (byte === undefined) return;
      b[at] = byte ^ 1;
      expect(equalBytes(a, b)).toBe(false);
    }),
  );
});
