import { expect, test } from 'vitest';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, next } from '../../../test/support/session-harness.ts';

const two = [
  [...call('c1', 'change', { text: 'a' }), ...call('c2', 'change', { text: 'b' }), finish('tool-calls')],
  [...say('Understood.'), finish()],
];

test('a call waits as pending, and runs only once it is allowed', async () => {
  const { session, events } = await harness([
    [...call('c1', 'change', { text: 'a' }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  const asked = next(session, 'permission.asked');
  await session.prompt('Change it');
  const { requestID } = await asked;
  expect([...session.state.parts.values()].find(({ type }) => type === 'tool')).toMatchObject({
    status: 'pending',
    waiting: requestID,
  });
  session.answer('req_unknown', { reply: 'once' }, 'person');
  session.answer(requestID, { reply: 'once' }, 'person');
  await session.rested();
  expect(calls(golden(events))).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "permission.asked {"messageID":"msg_2","callID":"c1","requestID":"req_1","tool":"change","permission":"change","patterns":["a"],"always":["*"],"subject":{"kind":"input","input":{"text":"a"}},"decisions":[{"pattern":"a","action":"ask","considered":[]}]}",
      "permission.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","reply":{"reply":"once"},"by":"person"}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"change","input":{"text":"a"}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"changed a","title":"","metadata":{"truncated":false}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
  expect(session.state.pending.size).toBe(0);
});

test('allow for this session answers the other asks too, and is in the log', async () => {
  const { session, events } = await harness(two);
  const asked = next(session, 'permission.asked', ({ callID }) => callID === 'c2');
  await session.prompt('Change it');
  await asked;
  const [first] = [...session.state.pending.values()];
  expect(first?.callID).toBe('c1');
  session.answer(first?.id ?? '', { reply: 'session', patterns: ['*'] }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(session.state.granted).toEqual([{ permission: 'change', pattern: '*', action: 'allow' }]);
  expect(calls(golden(events)).filter((line) => /answered|ended/.test(line))).toMatchInlineSnapshot(`
    [
      "permission.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","reply":{"reply":"session","patterns":["*"]},"by":"person"}",
      "permission.answered {"messageID":"msg_2","callID":"c2","requestID":"req_2","reply":{"reply":"once"},"by":"policy"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"changed a","title":"","metadata":{"truncated":false}}",
      "call.ended {"messageID":"msg_2","callID":"c2","outcome":"ok","output":"changed b","title":"","metadata":{"truncated":false}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
});

test('a call that takes long to ask is asked about before those behind it', async () => {
  const { session } = await harness([
    [
      ...call('c1', 'pondered', { text: 'a' }),
      ...call('c2', 'change', { text: 'b' }),
      ...call('c3', 'echo', {}),
      finish('tool-calls'),
    ],
    [...say('Done.'), finish()],
  ]);
  const asked = next(session, 'permission.asked', ({ callID }) => callID === 'c2');
  await session.prompt('Change it');
  await asked;
  expect([...session.state.pending.values()].map(({ callID }) => callID)).toEqual(['c1', 'c2']);
  for (const { id } of session.state.pending.values()) session.answer(id, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
});

test('deny ends the turn: the other asks and calls are cancelled', async () => {
  const { session, events, model } = await harness(two);
  const asked = next(session, 'permission.asked', ({ callID }) => callID === 'c2');
  await session.prompt('Change it');
  await asked;
  const [first] = [...session.state.pending.values()];
  session.answer(first?.id ?? '', { reply: 'reject' }, 'person');
  expect(await session.rested()).toBe('rejected');
  expect(calls(golden(events)).filter((line) => !/asked/.test(line))).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "permission.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","reply":{"reply":"reject"},"by":"person"}",
      "permission.answered {"messageID":"msg_2","callID":"c2","requestID":"req_2","reply":{"reply":"reject"},"by":"cancelled"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"denied","output":"The user refused this call.","title":""}",
      "call.ended {"messageID":"msg_2","callID":"c2","outcome":"cancelled","output":"Cancelled: the user refused another call of this step.","title":""}",
      "turn.ended {"status":"rejected"}",
    ]
  `);
  expect(model.requests).toHaveLength(1);
});

test('deny aborts what runs', async () => {
  const { session, events } = await harness(
    [[...call('c1', 'endless', { text: 'a' }), ...call('c2', 'change', { text: 'b' }), finish('tool-calls')]],
    { settings: { change: { a: 'allow' } } },
  );
  const asked = next(session, 'permission.asked');
  await session.prompt('Change it');
  const { requestID } = await asked;
  session.answer(requestID, { reply: 'reject' }, 'person');
  expect(await session.rested()).toBe('rejected');
  const ended = events.flatMap((event) => (event.type === 'call.ended' ? event : []));
  expect(ended.map(({ callID, outcome }) => [callID, outcome])).toEqual([
    ['c2', 'denied'],
    ['c1', 'cancelled'],
  ]);
});

test('deny with a message touches only its own call, and the turn goes on', async () => {
  const { session, model } = await harness(two);
  const asked = next(session, 'permission.asked', ({ callID }) => callID === 'c2');
  await session.prompt('Change it');
  await asked;
  const [first, second] = [...session.state.pending.values()];
  session.answer(first?.id ?? '', { reply: 'reject', message: 'Use b instead.' }, 'person');
  session.answer(second?.id ?? '', { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    content: [
      { output: { type: 'error-text', value: expect.stringContaining('Use b instead.') } },
      { output: { type: 'text', value: 'changed b' } },
    ],
  });
});

test('a rule that denies fails the call, and the turn goes on', async () => {
  const { session, model } = await harness(two, { settings: { change: { '*': 'allow', a: 'deny' } } });
  await session.prompt('Change it');
  expect(await session.rested()).toBe('idle');
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    content: [{ output: { type: 'error-text' } }, { output: { type: 'text' } }],
  });
});

test('an answerer answers before the person', async () => {
  const { session, events } = await harness(two, { answerer: async () => ({ reply: 'once' }) });
  await session.prompt('Change it');
  expect(await session.rested()).toBe('idle');
  const by = events.flatMap((event) => (event.type === 'permission.answered' ? event.by : []));
  expect(by).toEqual(['automation', 'automation']);
});

/** Lines about calls and turns only. */
function calls(lines: readonly string[]): string[] {
  return lines.filter((line) => /^(call|permission|rules|turn)/.test(line));
}
