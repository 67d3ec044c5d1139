import { expect, test } from 'vitest';
import { seedPage } from './seed-page.ts';

test.each(['abc', '-1.5', '', '1e3'])('seed=%s is refused, since a seed is a whole number', (seed) => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  };
  expect(() => seedPage(`?automation=1&seed=${seed}`, () => storage)).toThrow(
    `The address has seed=${seed}, which is no whole number.`,
  );
  expect(stored.size).toBe(0);
});
