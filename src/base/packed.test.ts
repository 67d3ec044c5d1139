import { expect, test } from 'vitest';
import { collect, pack, packWithin, unpacking } from './packed.ts';

test('a text is packed where it fits, and not where it would be longer', async () => {
  const text = 'One text, packed twice. '.repeat(50);
  const packed = await pack(text);
  expect(await packWithin(text, packed.length + 1)).toBe(packed);
  expect(await packWithin(text, packed.length - 4)).toBeNull();
  const bytes = await collect(unpacking(packed), 10_000, () => undefined);
  expect(new TextDecoder().decode(bytes)).toBe(text);
});
