import { expect, test } from 'vitest';
import { Parts } from './parts.ts';

test('a part is requested once, however many callers wait for it', async () => {
  const asked: string[] = [];
  const parts = new Parts((part) => asked.push(part));
  const both = Promise.all([parts.source('keys'), parts.source('keys')]);
  parts.arrived('keys', 'its source');
  expect(await both).toEqual(['its source', 'its source']);
  expect(await parts.source('keys')).toBe('its source');
  expect(asked).toEqual(['keys']);
});

test('a part that failed to load is requested again', async () => {
  const asked: string[] = [];
  const parts = new Parts((part) => asked.push(part));
  const first = parts.source('keys');
  parts.failed('keys', 'no network');
  await expect(first).rejects.toThrow('no network');
  const second = parts.source('keys');
  parts.arrived('keys', 'its source');
  expect(await second).toBe('its source');
  expect(asked).toEqual(['keys', 'keys']);
});
