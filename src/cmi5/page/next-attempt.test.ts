import { expect, test } from 'vitest';
import { ManualTimer } from '../../../test/support/manual-timer.ts';
import { NextAttempt } from './next-attempt.ts';

const busy = () => ({ code: 'cmi5-busy', what: 'Busy.', retryable: true });

test('it is tried again after 1, 2, 5 and 10 seconds, then every 30, and from the beginning after a success', () => {
  const timer = new ManualTimer();
  let attempts = 0;
  const next = new NextAttempt(
    timer,
    () => 1_000_000,
    () => attempts++,
  );
  const waits: number[] = [];
  for (let failure = 0; failure < 6; failure++) {
    next.follow(busy());
    waits.push((next.at ?? 0) - 1_000_000);
    timer.advance(waits.at(-1) ?? 0);
    expect(attempts).toBe(failure + 1);
  }
  expect(waits).toEqual([1_000, 2_000, 5_000, 10_000, 30_000, 30_000]);
  next.follow(null);
  expect(next.at).toBeNull();
  next.follow(busy());
  expect(next.at).toBe(1_001_000);
});

test('one failure has one attempt, and what is refused for good has none', () => {
  const timer = new ManualTimer();
  let attempts = 0;
  const next = new NextAttempt(
    timer,
    () => 0,
    () => attempts++,
  );
  const fault = busy();
  next.follow(fault);
  next.follow(fault);
  expect(next.at).toBe(1_000);
  next.follow({ code: 'cmi5-closed', what: 'Closed.' });
  expect(next.at).toBeNull();
  timer.advance(60_000);
  expect(attempts).toBe(0);
});
