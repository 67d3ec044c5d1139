import { expect, test } from 'vitest';
import { isolationStep, reloadGuard, type IsolationFacts } from './isolation.ts';

const first: IsolationFacts = {
  isIsolated: false,
  cameFromWorker: false,
  wasReloaded: false,
  isInUse: false,
};
const step = (change: Partial<IsolationFacts>) => isolationStep({ ...first, ...change });

test('a page that nobody has touched is reloaded, once', () => {
  expect(step({})).toBe('reload');
  expect(step({ wasReloaded: true })).toBe('offer');
});

test('a page in use, or one whose tab remembers nothing, is not', () => {
  expect(step({ isInUse: true })).toBe('offer');
  expect(step({ wasReloaded: null })).toBe('offer');
});

test('nothing is offered where the host isolates, or where a reload would not help', () => {
  expect(step({ isIsolated: true })).toBe('none');
  expect(step({ cameFromWorker: true })).toBe('none');
});

test('the guard lasts as long as the tab, and says where it cannot', () => {
  const held = new Map<string, string>();
  const tab = {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
  };
  const guard = reloadGuard(() => tab);
  expect(guard.wasReloaded()).toBe(false);
  expect(guard.remember()).toBe(true);
  expect(reloadGuard(() => tab).wasReloaded()).toBe(true);
  const refused = reloadGuard(() => {
    throw new Error('SecurityError');
  });
  expect([refused.wasReloaded(), refused.remember()]).toEqual([null, false]);
});
