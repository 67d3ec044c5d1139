import { expect, test } from 'vitest';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say, type PartsStep } from '../../../test/support/parts-model.ts';
import { harness, next } from '../../../test/support/session-harness.ts';

test('a cut stream: its calls do not run, and a retry is a new step', async () => {
  const { session, events, timer, model } = await harness([
    [...say('Let me'), ...call('c1', 'echo', {}), { type: 'tool-input-start', callID: 'c2', tool: 'echo' }],
    [...say('Now it works.'), finish()],
  ]);
  const failed = next(session, 'step.ended');
  await session.prompt('Go');
  await failed;
  await due(timer, 1_000);
  expect(await session.rested()).toBe('idle');
  expect(golden(events).slice(4)).toMatchInlineSnapshot(`
    [
      "msg_2 · start {"warnings":[]}",
      "msg_2 · text-start {"id":"t"}",
      "msg_2 · text-delta {"id":"t","text":"Let me"}",
      "msg_2 · text-end {"id":"t"}",
      "msg_2 · tool-input-start {"callID":"c1","tool":"echo"}",
      "msg_2 · tool-input-delta {"callID":"c1","delta":"{}"}",
      "msg_2 · tool-input-end {"callID":"c1"}",
      "msg_2 · tool-call {"callID":"c1","tool":"echo","input":{}}",
      "msg_2 · tool-input-start {"callID":"c2","tool":"echo"}",
      "msg_2 · error {"fault":{"code":"stream-cut","what":"The answer of the model broke off before its end.","next":"Send the message again.","retryable":true}}",
      "msg_2 · finish {"reason":"error","usage":{}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"cancelled","output":"Not run: the answer that this call was part of ended with an error.","title":""}",
      "call.ended {"messageID":"msg_2","callID":"c2","outcome":"cancelled","output":"Not run: the answer that this call was part of ended with an error.","title":""}",
      "step.ended {"messageID":"msg_2","reason":"error","usage":{},"fault":{"code":"stream-cut","what":"The answer of the model broke off before its end.","next":"Send the message again.","retryable":true}}",
      "step.waiting {"messageID":"msg_2","attempt":1,"delay":1000}",
      "step.started {"messageID":"msg_3","parentID":"msg_2","step":1,"base":"msg_2","appended":0}",
      "step.sent msg_3",
      "msg_3 · start {"warnings":[]}",
      "msg_3 · text-start {"id":"t"}",
      "msg_3 · text-delta {"id":"t","text":"Now it works."}",
      "msg_3 · text-end {"id":"t"}",
      "msg_3 · finish {"reason":"stop","usage":{"inputTokens":10,"outputTokens":5}}",
      "step.ended {"messageID":"msg_3","reason":"stop","usage":{"inputTokens":10,"outputTokens":5}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
  // The model does not see its own incomplete answer.
  expect(model.requests[1]?.messages).toEqual(model.requests[0]?.messages);
});

test.each<[string, PartsStep]>([
  ['not retryable', [{ type: 'error', fault: { code: 'auth', what: 'The key is wrong.' } }, finish('error')]],
  ['throws at once', () => thrown()],
  ['ends in error without a word', [...say('Hm'), finish('error')]],
])('an error that is %s ends the turn', async (_, step) => {
  const { session } = await harness([step]);
  await session.prompt('Go');
  expect(await session.rested()).toBe('error');
  expect(session.state.lastTurn?.fault?.what).toBeTruthy();
});

test.each(['length', 'content-filter'] as const)(
  'a step that ended in %s runs none of its calls',
  async (reason) => {
    const { session, events } = await harness([[...call('c1', 'echo', {}), finish(reason)]]);
    await session.prompt('Go');
    expect(await session.rested()).toBe('error');
    expect(events.some(({ type }) => type === 'call.running')).toBe(false);
    expect(events.flatMap((event) => (event.type === 'call.ended' ? event.outcome : []))).toEqual([
      'cancelled',
    ]);
  },
);

async function* thrown(): AsyncGenerator<never> {
  throw new Error('No such thing.');
}

/** Waits until a timer is due in exactly `ms`, and fires it. */
async function due(timer: Awaited<ReturnType<typeof harness>>['timer'], ms: number): Promise<void> {
  while (!timer.waits(ms)) await Promise.resolve();
  timer.advance(ms);
}

test.each([
  ['nothing at all', [finish()], 'empty-answer'],
  ['blanks', [...say(' \n'), finish()], 'empty-answer'],
  ['a tool call that never comes', [finish('tool-calls')], 'call-missing'],
])('an answer of %s is told as what it is', async (_, parts, code) => {
  const { session } = await harness([parts, [...say('Fine.'), finish()]]);
  await session.prompt('Go');
  expect(await session.rested()).toBe('error');
  expect(session.state.lastTurn?.fault).toMatchObject({ code });
  await session.prompt('Again');
  expect(await session.rested()).toBe('idle');
});

test('a model that has nothing to add to its calls has answered', async () => {
  const { session } = await harness([[...call('c1', 'echo', {}), finish('tool-calls')], [finish()]]);
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
});
