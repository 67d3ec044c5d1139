import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts } from '../../state/toasts.svelte.ts';
import { withNotice } from './long-work.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('work of over a second has a notice until it is over, also once it was pointed at', async () => {
  const toasts = new Toasts();
  const texts = () => toasts.all.map(({ text }) => text);
  let finish = (): void => undefined;
  const done = withNotice(toasts, 'Reading', () => new Promise<void>((resolve) => (finish = resolve)));
  vi.advanceTimersByTime(900);
  expect(texts()).toEqual([]);
  vi.advanceTimersByTime(100);
  for (const { id } of toasts.all) toasts.resume(id);
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(['Reading']);
  finish();
  await done;
  expect(texts()).toEqual([]);
});

test('short work has no notice', async () => {
  const toasts = new Toasts();
  await withNotice(toasts, 'Reading', async () => undefined);
  vi.advanceTimersByTime(60_000);
  expect(toasts.all).toEqual([]);
});

test('the notice of work that fails goes', async () => {
  const toasts = new Toasts();
  let fail = (_: Error): void => undefined;
  const failed = withNotice(toasts, 'Saving', () => new Promise<void>((_, reject) => (fail = reject)));
  vi.advanceTimersByTime(1_000);
  fail(new Error('full'));
  await expect(failed).rejects.toThrow('full');
  expect(toasts.all).toEqual([]);
});
