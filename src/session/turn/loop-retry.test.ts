import { expect, test } from 'vitest';
import { golden } from '../../../test/support/golden.ts';
import { finish, say, type PartsStep } from '../../../test/support/parts-model.ts';
import { harness, next, passing } from '../../../test/support/session-harness.ts';
import type { StreamPart } from '../log/parts.ts';
import { closingEvents } from '../log/recover.ts';
import { emptyState, reduce } from '../log/reduce.ts';
import { ATTEMPTS } from './retry.ts';

const overloaded: StreamPart = {
  type: 'error',
  fault: { code: 'overloaded', what: 'Overloaded.', retryable: true, retryAfterMs: 5_000 },
};
const fine: PartsStep = [...say('Fine.'), finish()];

test('retry, then success', async () => {
  const { session, events, timer, model } = await harness([
    [overloaded, finish('error')],
    [{ type: 'error', fault: { code: 'cut', what: 'Cut.', retryable: true } }, finish('error')],
    fine,
  ]);
  const first = next(session, 'step.waiting');
  const second = next(session, 'step.waiting', ({ attempt }) => attempt === 2);
  await session.prompt('Go');
  const { time } = await first;
  expect(session.state.retry).toEqual({ messageID: 'msg_2', attempt: 1, at: time + 5_000 });
  timer.advance(4_999);
  await new Promise((resolve) => setImmediate(resolve));
  expect(model.requests).toHaveLength(1);
  timer.advance(1);
  await second;
  await passing(timer, 1_000, session.rested());
  expect(steps(golden(events))).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "step.started {"messageID":"msg_2","parentID":"msg_1","step":0,"base":null,"appended":1}",
      "step.ended {"messageID":"msg_2","reason":"error","usage":{"inputTokens":10,"outputTokens":5},"fault":{"code":"overloaded","what":"Overloaded.","retryable":true,"retryAfterMs":5000}}",
      "step.waiting {"messageID":"msg_2","attempt":1,"delay":5000}",
      "step.started {"messageID":"msg_3","parentID":"msg_2","step":1,"base":"msg_2","appended":0}",
      "step.ended {"messageID":"msg_3","reason":"error","usage":{"inputTokens":10,"outputTokens":5},"fault":{"code":"cut","what":"Cut.","retryable":true}}",
      "step.waiting {"messageID":"msg_3","attempt":2,"delay":2000}",
      "step.started {"messageID":"msg_4","parentID":"msg_3","step":2,"base":"msg_3","appended":0}",
      "step.ended {"messageID":"msg_4","reason":"stop","usage":{"inputTokens":10,"outputTokens":5}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
  expect(session.state.lastTurn).toEqual({ status: 'idle' });
  expect(session.state.retry).toBeUndefined();
});

test('cancelled while it waits', async () => {
  const { session, events, timer, model } = await harness([[overloaded, finish('error')]]);
  const waiting = next(session, 'step.waiting');
  await session.prompt('Go');
  await waiting;
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(steps(golden(events))).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "step.started {"messageID":"msg_2","parentID":"msg_1","step":0,"base":null,"appended":1}",
      "step.ended {"messageID":"msg_2","reason":"error","usage":{"inputTokens":10,"outputTokens":5},"fault":{"code":"overloaded","what":"Overloaded.","retryable":true,"retryAfterMs":5000}}",
      "step.waiting {"messageID":"msg_2","attempt":1,"delay":5000}",
      "turn.ended {"status":"aborted"}",
    ]
  `);
  expect(session.state.retry).toBeUndefined();
  timer.advance(60_000);
  expect(model.requests).toHaveLength(1);
});

test('tried again when the person asks for it, and not a second time when the time is over', async () => {
  const { session, timer, model } = await harness([[overloaded], fine]);
  session.retryNow();
  const waiting = next(session, 'step.waiting');
  await session.prompt('Go');
  await waiting;
  session.retryNow();
  expect(await session.rested()).toBe('idle');
  timer.advance(60_000);
  expect(model.requests).toHaveLength(2);
});

test('a success in between makes the count start anew', async () => {
  const { session, events, timer } = await harness([[overloaded], fine, [overloaded], fine]);
  for (const text of ['One', 'Two']) {
    await session.prompt(text);
    expect(await passing(timer, 5_000, session.rested())).toBe('idle');
  }
  expect(events.flatMap((event) => (event.type === 'step.waiting' ? event.attempt : []))).toEqual([1, 1]);
});

test('after the last retry the turn ends with the error', async () => {
  const { session, timer, model } = await harness(
    Array.from({ length: ATTEMPTS + 1 }, (): PartsStep => [overloaded]),
  );
  await session.prompt('Go');
  expect(await passing(timer, 5_000, session.rested())).toBe('error');
  expect(model.requests).toHaveLength(ATTEMPTS);
  expect(session.state.lastTurn).toEqual({ status: 'error', fault: overloaded.fault });
});

test('a tab that died while it waited leaves nothing waiting', async () => {
  const over = await harness([[overloaded]]);
  const waiting = next(over.session, 'step.waiting');
  await over.session.prompt('Go');
  await waiting;
  const state = reduce(over.events, emptyState(over.session.id));
  expect(state.retry).toMatchObject({ attempt: 1 });
  expect(closingEvents(state, { status: 'interrupted', outcome: 'interrupted' })).toEqual([
    { type: 'turn.ended', status: 'interrupted' },
  ]);
});

/** Lines about steps and turns only. */
function steps(lines: readonly string[]): string[] {
  return lines.filter((line) => /^(step|turn)/.test(line) && !line.startsWith('step.sent'));
}
