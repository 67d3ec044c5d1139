import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ATTEMPTS, RETRY_FOR_MS, retryDelay } from './retry.ts';

const fault = { code: 'overloaded', what: 'Overloaded.', retryable: true };

test('waits grow from one second to half a minute', () => {
  const waits = Array.from({ length: ATTEMPTS }, (_, i) => retryDelay(fault, { count: i + 1, elapsed: 0 }));
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, undefined]);
});

test('the provider’s own word goes first', () => {
  const asked = { ...fault, retryAfterMs: 240_000 };
  expect(retryDelay(asked, { count: 1, elapsed: 0 })).toBe(240_000);
  expect(retryDelay({ ...asked, retryAfterMs: 0 }, { count: 5, elapsed: 0 })).toBe(0);
});

test('what would not be over within ten minutes is not waited for', () => {
  expect(retryDelay({ ...fault, retryAfterMs: RETRY_FOR_MS + 1 }, { count: 1, elapsed: 0 })).toBeUndefined();
  expect(retryDelay({ ...fault, retryAfterMs: 1 }, { count: 2, elapsed: RETRY_FOR_MS })).toBeUndefined();
});

test('a fault that does not say that it may pass is final', () => {
  expect(retryDelay({ code: 'auth', what: 'No.' }, { count: 1, elapsed: 0 })).toBeUndefined();
});

test('whatever the provider says, there are at most eight tries in ten minutes', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(20 * 60_000), { nil: undefined })), (asked) => {
      let elapsed = 0;
      let tries = 1;
      for (const retryAfterMs of asked) {
        const failed = { ...fault, ...(retryAfterMs !== undefined && { retryAfterMs }) };
        const delay = retryDelay(failed, { count: tries, elapsed });
        if (delay === undefined) break;
        tries++;
        elapsed += delay;
      }
      expect(tries).toBeLessThanOrEqual(ATTEMPTS);
      expect(elapsed).toBeLessThanOrEqual(RETRY_FOR_MS);
    }),
  );
});
