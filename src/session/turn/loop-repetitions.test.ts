import { expect, test } from 'vitest';
import * as z from 'zod';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { echo, harness, next } from '../../../test/support/session-harness.ts';
import { define } from '../../tools/define.ts';
import type { Session } from '../session.ts';

type Input = Parameters<typeof call>[2];

/** One step for each call, then a step that ends the turn. */
const stepsOf = (calls: readonly (readonly [tool: string, input: Input])[]) => [
  ...calls.map(([tool, input], index) => [...call(`c${index + 1}`, tool, input), finish('tool-calls')]),
  [...say('Done.'), finish()],
];
const a = ['echo', { text: 'a' }] as const;
const failing = define('failing', {
  description: 'Fails.',
  parameters: z.object({ n: z.number() }),
  readOnly: true,
  execute: async ({ n }) => {
    if (n < 0) return 'ok';
    throw new Error(n > 100 ? `Broken by ${n}.` : 'Broken.');
  },
});
const tools = [echo, failing];

async function asked(session: Session, text = 'Go'): Promise<string> {
  const request = next(session, 'permission.asked');
  await session.prompt(text);
  return (await request).requestID;
}

test('three equal calls, over as many messages: asked, allowed, and counted anew', async () => {
  const { session, events } = await harness(stepsOf([a, a, a, a, a]), { tools });
  const requestID = await asked(session);
  session.answer(requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(calls(golden(events))).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"echo","input":{"text":"a"}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"a","title":"echo a","metadata":{"truncated":false}}",
      "call.running {"messageID":"msg_3","callID":"c2","tool":"echo","input":{"text":"a"}}",
      "call.ended {"messageID":"msg_3","callID":"c2","outcome":"ok","output":"a","title":"echo a","metadata":{"truncated":false}}",
      "permission.asked {"messageID":"msg_4","callID":"c3","requestID":"req_1","tool":"echo","permission":"doom_loop","patterns":["echo"],"always":["echo"],"subject":{"kind":"repetition","seen":"same-call","times":3,"calls":[{"tool":"echo","input":{"text":"a"}}]},"decisions":[{"pattern":"echo","action":"ask","rule":{"permission":"doom_loop","pattern":"*","action":"ask"},"source":"default","considered":[{"permission":"doom_loop","pattern":"*","action":"ask","source":"default"}]}]}",
      "permission.answered {"messageID":"msg_4","callID":"c3","requestID":"req_1","reply":{"reply":"once"},"by":"person"}",
      "call.running {"messageID":"msg_4","callID":"c3","tool":"echo","input":{"text":"a"}}",
      "call.ended {"messageID":"msg_4","callID":"c3","outcome":"ok","output":"a","title":"echo a","metadata":{"truncated":false}}",
      "call.running {"messageID":"msg_5","callID":"c4","tool":"echo","input":{"text":"a"}}",
      "call.ended {"messageID":"msg_5","callID":"c4","outcome":"ok","output":"a","title":"echo a","metadata":{"truncated":false}}",
      "call.running {"messageID":"msg_6","callID":"c5","tool":"echo","input":{"text":"a"}}",
      "call.ended {"messageID":"msg_6","callID":"c5","outcome":"ok","output":"a","title":"echo a","metadata":{"truncated":false}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
});

test('three equal calls: stopped', async () => {
  const { session, events, model } = await harness(stepsOf([a, a, a]), { tools });
  const requestID = await asked(session);
  session.answer(requestID, { reply: 'reject' }, 'person');
  expect(await session.rested()).toBe('rejected');
  expect(calls(golden(events)).slice(-5)).toMatchInlineSnapshot(`
    [
      "call.ended {"messageID":"msg_3","callID":"c2","outcome":"ok","output":"a","title":"echo a","metadata":{"truncated":false}}",
      "permission.asked {"messageID":"msg_4","callID":"c3","requestID":"req_1","tool":"echo","permission":"doom_loop","patterns":["echo"],"always":["echo"],"subject":{"kind":"repetition","seen":"same-call","times":3,"calls":[{"tool":"echo","input":{"text":"a"}}]},"decisions":[{"pattern":"echo","action":"ask","rule":{"permission":"doom_loop","pattern":"*","action":"ask"},"source":"default","considered":[{"permission":"doom_loop","pattern":"*","action":"ask","source":"default"}]}]}",
      "permission.answered {"messageID":"msg_4","callID":"c3","requestID":"req_1","reply":{"reply":"reject"},"by":"person"}",
      "call.ended {"messageID":"msg_4","callID":"c3","outcome":"denied","output":"The user refused this call.","title":""}",
      "turn.ended {"status":"rejected"}",
    ]
  `);
  expect(model.requests).toHaveLength(3);
});

test('stopped with a word: only that call fails, and the model reads why', async () => {
  const { session, model } = await harness(stepsOf([a, a, a]), { tools });
  const requestID = await asked(session);
  session.answer(requestID, { reply: 'reject', message: 'Try b.' }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(model.requests.at(-1)?.messages.at(-1)).toMatchObject({
    content: [{ output: { type: 'error-text', value: expect.stringContaining('Try b.') } }],
  });
});

test('a turn that is stopped withdraws the question', async () => {
  const { session, events } = await harness(stepsOf([a, a, a]), { tools });
  await asked(session);
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(session.state.pending.size).toBe(0);
  expect(calls(golden(events)).at(-2)).toContain('"outcome":"cancelled"');
});

test('a cycle of several calls is shown whole', async () => {
  const cycle = ['a', 'b', 'c', 'd'].map((text) => ['echo', { text }] as const);
  const { session, events } = await harness(stepsOf([...cycle, ...cycle, ...cycle]), { tools });
  const requestID = await asked(session);
  const subject = [...session.state.pending.values()][0]?.subject;
  expect(subject).toEqual({
    kind: 'repetition',
    seen: 'cycle',
    times: 3,
    calls: cycle.map(([tool, input]) => ({ tool, input })),
  });
  session.answer(requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(events.filter(({ type }) => type === 'permission.asked')).toHaveLength(1);
});

test('three failures alike, whatever the arguments and what is between: asked before the next try', async () => {
  const { session } = await harness(
    stepsOf([['failing', { n: 1 }], ['failing', { n: 2 }], a, ['failing', { n: 3 }], ['failing', { n: 4 }]]),
    { tools },
  );
  const requestID = await asked(session);
  expect([...session.state.pending.values()][0]).toMatchObject({
    callID: 'c5',
    permission: 'doom_loop',
    subject: { seen: 'same-failure', times: 3, calls: [{ input: { n: 4 } }], failure: 'Broken.' },
  });
  session.answer(requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
});

test('arguments that never fit are a loop too', async () => {
  const bad = ['failing', { n: 'x' }] as const;
  const { session, events } = await harness(stepsOf([bad, bad, bad]), { tools });
  const requestID = await asked(session);
  session.answer(requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(events.flatMap((event) => (event.type === 'call.ended' ? event.outcome : []))).toEqual([
    'invalid',
    'invalid',
    'invalid',
  ]);
});

test('in one message too, and what stands behind it goes on', async () => {
  const { session, events } = await harness(
    [
      [1, 2, 3, 4]
        .flatMap((n) => call(`c${n}`, 'echo', { text: n < 4 ? 'a' : 'b' }))
        .concat(finish('tool-calls')),
      [...say('Done.'), finish()],
    ],
    { tools },
  );
  const behind = next(session, 'call.ended', ({ callID }) => callID === 'c4');
  const requestID = await asked(session);
  await behind;
  session.answer(requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(events.flatMap((event) => (event.type === 'call.ended' ? event.callID : []))).toEqual([
    'c1',
    'c2',
    'c4',
    'c3',
  ]);
});

test('keys in another order and another case of the name are the same call', async () => {
  const { session } = await harness(
    stepsOf([
      ['echo', { text: 'a', x: { y: 1, z: 2 } }],
      ['Echo', { x: { z: 2, y: 1 }, text: 'a' }],
      ['echo', { text: 'a', x: { y: 1, z: 2 } }],
    ]),
    { tools },
  );
  const requestID = await asked(session);
  session.answer(requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
});

const n = (value: number) => ['failing', { n: value }] as const;
const text = (value: string) => ['echo', { text: value }] as const;

test.each([
  ['two equal calls', [a, a, text('b'), a, a]],
  ['a cycle seen twice', [a, text('b'), a, text('b'), a]],
  ['failures that differ', [n(101), n(102), n(103), n(104)]],
  ['failures with a success between', [n(1), n(2), n(-1), n(3), n(4), n(-2)]],
  ['failures without a next try', [n(1), n(2), n(3), a]],
  ['a cycle of five', [...'abcdeabcdeabcde'].map(text)],
])('nobody is asked about %s', async (_, steps) => {
  const { session, events } = await harness(stepsOf(steps), { tools });
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(events.some(({ type }) => type === 'permission.asked')).toBe(false);
});

test('each turn counts for itself, and rules answer as for any permission', async () => {
  const { session, events } = await harness([...stepsOf([a, a]), ...stepsOf([a, a])], { tools });
  await session.prompt('Go');
  await session.rested();
  await session.prompt('Again');
  expect(await session.rested()).toBe('idle');
  expect(events.some(({ type }) => type === 'permission.asked')).toBe(false);

  const allowed = await harness(stepsOf([a, a, a]), { tools, settings: { doom_loop: { echo: 'allow' } } });
  await allowed.session.prompt('Go');
  expect(await allowed.session.rested()).toBe('idle');
  const denied = await harness(stepsOf([a, a, a]), { tools, settings: { doom_loop: 'deny' } });
  await denied.session.prompt('Go');
  expect(await denied.session.rested()).toBe('idle');
  expect(denied.events.flatMap((event) => (event.type === 'call.ended' ? event.outcome : []))).toEqual([
    'ok',
    'ok',
    'denied',
  ]);
});

/** Lines about calls and turns only. */
function calls(lines: readonly string[]): string[] {
  return lines.filter((line) => /^(call|permission|rules|turn)/.test(line));
}
