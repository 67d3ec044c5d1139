import { expect, test } from 'vitest';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, next, testTools, type HarnessOptions } from '../../../test/support/session-harness.ts';
import type { Answerer } from '../../permissions/types.ts';
import { batchTool } from '../../tools/batch/tool.ts';
import type { Json } from '../../base/json.ts';
import type { Event } from '../log/events.ts';
import { emptyState, reduce } from '../log/reduce.ts';

const flags = new Set(['experimental.batch_tool']);
const batch = (tools: Json) => [
  [...call('c1', 'batch', { tools }), finish('tool-calls')],
  [...say('Done.'), finish()],
];
const withTestTools: HarnessOptions = { tools: [...testTools, batchTool], flags };
const yes: Answerer = async () => ({ reply: 'once' });

const outcomes = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'call.ended' ? `${event.callID} ${event.outcome}` : [])).sort();
const output = (events: readonly Event[], callID: string) =>
  events.find((event) => event.type === 'call.ended' && event.callID === callID);
const calls = (events: readonly Event[]) =>
  golden(events).filter((line) => /^(call|permission)\./.test(line));

test('a batch with one invalid call: each call has its own part, the model is told one result', async () => {
  const { session, events, model } = await harness(
    batch([
      { tool: 'echo', args: { text: 'a' } },
      { tool: 'nothing', args: {} },
      { tool: 'change', args: { text: 'b' } },
    ]),
    { ...withTestTools, answerer: yes },
  );
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(calls(events)).toMatchInlineSnapshot(`
    [
      "call.running {"messageID":"msg_2","callID":"c1","tool":"batch","input":{"tools":[{"tool":"echo","args":{"text":"a"}},{"tool":"nothing","args":{}},{"tool":"change","args":{"text":"b"}}],"atomic":false}}",
      "call.added {"messageID":"msg_2","callID":"c1.1","parent":"c1","tool":"echo","input":{"text":"a"},"readOnly":true}",
      "call.added {"messageID":"msg_2","callID":"c1.2","parent":"c1","tool":"nothing","input":{}}",
      "call.added {"messageID":"msg_2","callID":"c1.3","parent":"c1","tool":"change","input":{"text":"b"}}",
      "call.ended {"messageID":"msg_2","callID":"c1.2","outcome":"invalid","output":"There is no tool named 'nothing'. The tools are: echo, change, pondered, endless, batch. Call one of these.","title":""}",
      "call.running {"messageID":"msg_2","callID":"c1.1","tool":"echo","input":{"text":"a"}}",
      "permission.asked {"messageID":"msg_2","callID":"c1.3","requestID":"req_1","tool":"change","permission":"change","patterns":["b"],"always":["*"],"subject":{"kind":"input","input":{"text":"b"}},"decisions":[{"pattern":"b","action":"ask","considered":[]}]}",
      "permission.answered {"messageID":"msg_2","callID":"c1.3","requestID":"req_1","reply":{"reply":"once"},"by":"automation"}",
      "call.ended {"messageID":"msg_2","callID":"c1.1","outcome":"ok","output":"a","title":"echo a","metadata":{"truncated":false}}",
      "call.running {"messageID":"msg_2","callID":"c1.3","tool":"change","input":{"text":"b"}}",
      "call.ended {"messageID":"msg_2","callID":"c1.3","outcome":"ok","output":"changed b","title":"","metadata":{"truncated":false}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"2 of 3 calls succeeded.\\n\\n[1] echo: ok\\na\\n\\n[2] nothing: invalid\\nThere is no tool named 'nothing'. The tools are: echo, change, pondered, endless, batch. Call one of these.\\n\\n[3] change: ok\\nchanged b","title":"3 calls","metadata":{"total":3,"succeeded":2,"failed":1,"details":[{"callID":"c1.1","tool":"echo","outcome":"ok"},{"callID":"c1.2","tool":"nothing","outcome":"invalid"},{"callID":"c1.3","tool":"change","outcome":"ok"}],"truncated":false}}",
    ]
  `);
  const { messages } = model.requests[1]!;
  expect(JSON.stringify(messages.at(-2))).not.toContain('c1.1');
  expect(messages.at(-1)).toMatchObject({ role: 'tool', content: [{ toolCallId: 'c1' }] });
  expect(JSON.stringify(messages.at(-1))).toContain('2 of 3 calls succeeded.');
  const parts = [...session.state.parts.values()].flatMap((part) =>
    part.type === 'tool' ? [[part.callID, part.parent, part.outcome]] : [],
  );
  expect(parts).toHaveLength(4);
  expect(parts).toContainEqual(['c1.3', 'c1', 'ok']);
});

test('asks of a batch come in the order of its calls, before those of the call after it', async () => {
  const { session, events } = await harness(
    [
      [
        ...call('c1', 'batch', {
          tools: [
            { tool: 'pondered', args: { text: 'a' } },
            { tool: 'change', args: { text: 'b' } },
          ],
        }),
        ...call('c2', 'change', { text: 'c' }),
        finish('tool-calls'),
      ],
      [...say('Done.'), finish()],
    ],
    withTestTools,
  );
  const third = next(session, 'permission.asked', () => session.state.pending.size === 3);
  await session.prompt('Go');
  await third;
  expect(session.state.messages.get('msg_2')?.partKeys).toEqual([
    'msg_2/tool/c1',
    'msg_2/tool/c1.1',
    'msg_2/tool/c1.2',
    'msg_2/tool/c2',
  ]);
  const waiting = [...session.state.pending.values()];
  for (const { id } of waiting) session.answer(id, { reply: 'once' }, 'person');
  await session.rested();
  expect(waiting.slice(1).map(({ callID }) => callID)).toEqual(
    waiting
      .slice(1)
      .map(({ callID }) => callID)
      .toSorted(),
  );
  expect(outcomes(events)).toEqual(['c1 ok', 'c1.1 ok', 'c1.2 ok', 'c2 ok']);
});

test('one denied call of a batch fails alone; denied without a word it ends the turn', async () => {
  const tools = [
    { tool: 'change', args: { text: 'a' } },
    { tool: 'echo', args: {} },
  ];
  const told = await harness(batch(tools), {
    ...withTestTools,
    answerer: async () => ({ reply: 'reject', message: 'not that' }),
  });
  await told.session.prompt('Go');
  expect(await told.session.rested()).toBe('idle');
  expect(outcomes(told.events)).toEqual(['c1 ok', 'c1.1 denied', 'c1.2 ok']);

  const silent = await harness(batch(tools), {
    ...withTestTools,
    answerer: async () => ({ reply: 'reject' }),
  });
  await silent.session.prompt('Go');
  expect(await silent.session.rested()).toBe('rejected');
  expect(outcomes(silent.events)).toEqual(['c1 cancelled', 'c1.1 denied', 'c1.2 ok']);
});

test('stop during a batch: every call of it ends, before the step does', async () => {
  const { session, events } = await harness(
    batch([
      { tool: 'endless', args: { text: 'a' } },
      { tool: 'change', args: { text: 'b' } },
      { tool: 'echo', args: {} },
    ]),
    {
      ...withTestTools,
      answerer: async ({ tool }) => (tool === 'endless' ? { reply: 'once' } : undefined),
    },
  );
  const asked = next(session, 'permission.asked', ({ tool }) => tool === 'change');
  const echoed = next(session, 'call.ended', ({ callID }) => callID === 'c1.3');
  await session.prompt('Go');
  await Promise.all([asked, echoed]);
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(outcomes(events)).toEqual(['c1 cancelled', 'c1.1 cancelled', 'c1.2 cancelled', 'c1.3 ok']);
  const last = events.findLastIndex(({ type }) => type === 'call.ended');
  expect(events.findIndex(({ type }) => type === 'step.ended')).toBeGreaterThan(last);
  expect(calls(events)).toMatchInlineSnapshot(`
    [
      "call.running {"messageID":"msg_2","callID":"c1","tool":"batch","input":{"tools":[{"tool":"endless","args":{"text":"a"}},{"tool":"change","args":{"text":"b"}},{"tool":"echo","args":{}}],"atomic":false}}",
      "call.added {"messageID":"msg_2","callID":"c1.1","parent":"c1","tool":"endless","input":{"text":"a"}}",
      "call.added {"messageID":"msg_2","callID":"c1.2","parent":"c1","tool":"change","input":{"text":"b"}}",
      "call.added {"messageID":"msg_2","callID":"c1.3","parent":"c1","tool":"echo","input":{},"readOnly":true}",
      "permission.asked {"messageID":"msg_2","callID":"c1.1","requestID":"req_1","tool":"endless","permission":"change","patterns":["a"],"always":["*"],"subject":{"kind":"input","input":{"text":"a"}},"decisions":[{"pattern":"a","action":"ask","considered":[]}]}",
      "permission.asked {"messageID":"msg_2","callID":"c1.2","requestID":"req_2","tool":"change","permission":"change","patterns":["b"],"always":["*"],"subject":{"kind":"input","input":{"text":"b"}},"decisions":[{"pattern":"b","action":"ask","considered":[]}]}",
      "permission.answered {"messageID":"msg_2","callID":"c1.1","requestID":"req_1","reply":{"reply":"once"},"by":"automation"}",
      "call.running {"messageID":"msg_2","callID":"c1.3","tool":"echo","input":{"text":"nothing"}}",
      "call.running {"messageID":"msg_2","callID":"c1.1","tool":"endless","input":{"text":"a"}}",
      "call.ended {"messageID":"msg_2","callID":"c1.3","outcome":"ok","output":"nothing","title":"echo nothing","metadata":{"truncated":false}}",
      "permission.answered {"messageID":"msg_2","callID":"c1.2","requestID":"req_2","reply":{"reply":"reject"},"by":"cancelled"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"cancelled","output":"The user stopped this call.","title":"","metadata":{"interrupted":true}}",
      "call.progress {"messageID":"msg_2","callID":"c1.1","metadata":{"progress":50}}",
      "call.output {"messageID":"msg_2","callID":"c1.1","text":"a so far\\n"}",
      "call.ended {"messageID":"msg_2","callID":"c1.1","outcome":"cancelled","output":"a so far\\n\\n[The user stopped this call.]","title":"","metadata":{"interrupted":true}}",
      "call.ended {"messageID":"msg_2","callID":"c1.2","outcome":"cancelled","output":"The user stopped the turn before this call ran.","title":"","metadata":{"interrupted":true}}",
    ]
  `);
});

test('a batch in a batch is refused, and calls beyond the 25th are', async () => {
  const many = Array.from({ length: 24 }, (_, n) => ({ tool: 'echo', args: { text: `${n}` } }));
  const inner = { tool: 'Batch', args: { tools: [{ tool: 'echo', args: {} }] } };
  const more = { tool: 'echo', args: { text: 'more' } };
  const { session, events } = await harness(batch([...many, inner, more, more]), withTestTools);
  await session.prompt('Go');
  await session.rested();
  expect(output(events, 'c1.25')).toMatchObject({
    outcome: 'invalid',
    output: 'A batch cannot hold another batch. Make the calls themselves.',
  });
  expect(output(events, 'c1')).toMatchObject({
    output: expect.stringContaining('24 of 27 calls succeeded. 2 calls beyond the first 25 not run.'),
  });
  expect(output(events, 'c1.26')).toBeUndefined();
});

test('calls of batches are counted: the third equal one asks', async () => {
  const same = { tool: 'echo', args: { text: 'a' } };
  const { session, events } = await harness(batch([same, same, same]), { ...withTestTools, answerer: yes });
  await session.prompt('Go');
  await session.rested();
  const asked = events.flatMap((event) =>
    event.type === 'permission.asked' ? [[event.permission, event.callID]] : [],
  );
  expect(asked).toEqual([['doom_loop', 'c1.3']]);
});

test('a log with a batch folds to the same state again', async () => {
  const { session, store } = await harness(batch([{ tool: 'echo', args: {} }]), withTestTools);
  await session.prompt('Go');
  await session.rested();
  const stored = await store.events(session.id, 0);
  expect(reduce(stored, emptyState(session.id))).toEqual(session.state);
});
