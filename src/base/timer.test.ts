import { expect, test } from 'vitest';
import { ManualTimer } from '../../test/support/manual-timer.ts';
import { pause, portTimer, type TimerPort } from './timer.ts';

/** A worker that answers when told. */
class FakePort implements TimerPort {
  onmessage: TimerPort['onmessage'] = null;
  readonly sent: unknown[] = [];
  postMessage(message: unknown): void {
    this.sent.push(message);
  }
  answer(data: unknown): void {
    this.onmessage?.(new MessageEvent('message', { data }));
  }
}

test('a timer behind a port runs each callback once, and none that was cancelled', () => {
  const port = new FakePort();
  const timer = portTimer(port);
  const ran: string[] = [];
  timer.after(5, () => ran.push('a'));
  const cancel = timer.after(6, () => ran.push('b'));
  expect(port.sent).toEqual([
    { id: 1, ms: 5 },
    { id: 2, ms: 6 },
  ]);
  cancel();
  for (const answer of [2, 1, 1, 'nonsense', 7]) port.answer(answer);
  expect(ran).toEqual(['a']);
});

test('a pause ends with its time or with the signal, whichever comes first', async () => {
  const timer = new ManualTimer();
  const stop = new AbortController();
  const long = pause(timer, 1_000, stop.signal);
  const short = pause(timer, 10, stop.signal);
  timer.advance(10);
  await short;
  stop.abort();
  await long;
  await pause(timer, 1_000, stop.signal);
  expect(timer.waits(990)).toBe(false);
});
