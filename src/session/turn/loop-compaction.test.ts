import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { golden } from '../../../test/support/golden.ts';
import { call, say, thenHang, type PartsStep } from '../../../test/support/parts-model.ts';
import {
  harness,
  next,
  passing,
  sessionsOver,
  type HarnessOptions,
} from '../../../test/support/session-harness.ts';
import { define } from '../../tools/define.ts';
import { contextOf } from '../request/context.ts';
import type { Event } from '../log/events.ts';
import type { StreamPart } from '../log/parts.ts';
import { emptyState, reduce } from '../log/reduce.ts';
import { closingEvents } from '../log/recover.ts';

/** This has no usage, so that estimates are not corrected. */
const finish = (reason: 'stop' | 'tool-calls' | 'error' = 'stop'): StreamPart => ({
  type: 'finish',
  reason,
  usage: {},
});
const tooLong: PartsStep = [
  { type: 'error', fault: { code: 'context-overflow', what: 'Too long.', retryable: false } },
  finish('error'),
];
const summary: PartsStep = [...say('They want a palindrome.'), finish()];
const fine: PartsStep = [...say('Fine.'), finish()];
/** This is about 10,000 tokens, too long to stay beside a summary. */
const long: PartsStep = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', text: 'long '.repeat(8_000) },
  { type: 'text-end', id: 't' },
  finish(),
];
const big = define('big', {
  description: 'Says much.',
  parameters: z.object({ tokens: z.number() }),
  readOnly: true,
  execute: async ({ tokens }) => ({ output: 'much'.repeat(tokens), metadata: { truncated: false } }),
});

/** A session that has had one long turn. */
async function after(steps: readonly PartsStep[], options: HarnessOptions = {}) {
  const over = await harness([long, ...steps], options);
  await over.session.prompt('First');
  await over.session.rested();
  over.events.length = 0;
  return over;
}

test('overflow during a tool call', async () => {
  const { session, events, model } = await after([
    [...call('c1', 'echo', { text: 'found' }), finish('tool-calls')],
    tooLong,
    summary,
    fine,
  ]);
  await session.prompt('Second');
  expect(await session.rested()).toBe('idle');
  expect(short(events)).toMatchInlineSnapshot(`
    [
      "prompt.accepted {"messageID":"msg_3","parentID":"msg_2","text":"Second","agent":"build","model":{"provider":"test","model":"parts"}}",
      "turn.started {"promptID":"msg_3"}",
      "step.started {"messageID":"msg_4","parentID":"msg_3","step":0,"base":"msg_2","appended":2}",
      "call.running {"messageID":"msg_4","callID":"c1","tool":"echo","input":{"text":"found"}}",
      "call.ended {"messageID":"msg_4","callID":"c1","outcome":"ok","output":"found","title":"echo found","metadata":{"truncated":false}}",
      "step.ended {"messageID":"msg_4","reason":"tool-calls","usage":{}}",
      "step.started {"messageID":"msg_5","parentID":"msg_4","step":1,"base":"msg_4","appended":2}",
      "step.ended {"messageID":"msg_5","reason":"error","usage":{},"fault":{"code":"context-overflow","what":"Too long.","retryable":false}}",
      "step.started {"messageID":"msg_6","parentID":"msg_5","step":1,"purpose":"compaction","base":null,"appended":1}",
      "step.ended {"messageID":"msg_6","reason":"stop","usage":{}}",
      "context.compacted {"messageID":"msg_6","tail":"msg_3","reason":"overflow","before":10011,"after":15}",
      "step.started {"messageID":"msg_7","parentID":"msg_6","step":1,"base":null,"appended":4}",
      "step.ended {"messageID":"msg_7","reason":"stop","usage":{}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
  const [, , , asked, last] = model.requests;
  expect(asked).toMatchObject({ tools: [], messages: [{ role: 'user' }] });
  expect(asked?.messages[0]?.content).toContain('[person]\nFirst');
  // The newest messages stay unchanged, including the call with its result.
  expect(last?.messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool']);
  expect(last?.messages[0]?.content).toContain('They want a palindrome.');
  expect(last?.messages[1]?.content).toBe('Second');
  expect(JSON.stringify(last?.messages)).not.toContain('long long');
});

test('overflow in the middle of a stream that has begun a call', async () => {
  const { session, events } = await after([
    [...call('c1', 'echo', {}), ...(tooLong as StreamPart[])],
    summary,
    fine,
  ]);
  await session.prompt('Second');
  expect(await session.rested()).toBe('idle');
  expect(events.some(({ type }) => type === 'call.running')).toBe(false);
  expect(events.flatMap((event) => (event.type === 'call.ended' ? event.outcome : []))).toEqual([
    'cancelled',
  ]);
});

test('a request that would leave no room for the answer is not sent', async () => {
  const { session, events, model } = await after([summary, fine], { facts: { contextLimit: 10_000 } });
  await session.prompt('Second');
  expect(await session.rested()).toBe('idle');
  expect(events.flatMap((event) => (event.type === 'context.compacted' ? event.reason : []))).toEqual([
    'limit',
  ]);
  expect(model.requests).toHaveLength(3);
  expect(model.requests[2]?.messages.at(-1)?.content).toBe('Second');
});

test('what a provider counted corrects the estimate', async () => {
  const counted: PartsStep = [
    ...say('Short.'),
    { type: 'finish', reason: 'stop', usage: { inputTokens: 5_000 } },
  ];
  const { session, model } = await harness([counted, summary, fine], {
    facts: { contextLimit: 6_000 },
    tools: [],
  });
  await session.prompt('word '.repeat(1_000));
  await session.rested();
  await session.prompt('Second');
  expect(await session.rested()).toBe('idle');
  expect(model.requests).toHaveLength(3);
});

test('room is made once: what is too long even then ends the turn, with what to do', async () => {
  const { session, model } = await after([tooLong, summary, tooLong]);
  await session.prompt('Second');
  expect(await session.rested()).toBe('error');
  expect(session.state.lastTurn?.fault).toMatchObject({ code: 'context-full', next: expect.any(String) });
  expect(model.requests).toHaveLength(4);
});

test('a first message that is too long cannot be summed up', async () => {
  const { session, model } = await harness([tooLong]);
  await session.prompt('Much');
  expect(await session.rested()).toBe('error');
  expect(session.state.lastTurn?.fault?.code).toBe('context-full');
  expect(model.requests).toHaveLength(1);
});

test('each overflow of a long turn has its own summary', async () => {
  const { session, events } = await after(
    [
      tooLong,
      summary,
      [...call('c1', 'big', { tokens: 9_000 }), finish('tool-calls')],
      tooLong,
      summary,
      fine,
    ],
    { tools: [big] },
  );
  await session.prompt('Second');
  expect(await session.rested()).toBe('idle');
  expect(events.filter(({ type }) => type === 'context.compacted')).toHaveLength(2);
});

test('a summary that is stopped loses nothing', async () => {
  const { session, events, model } = await after([tooLong, thenHang(say('They')), fine]);
  const started = next(session, 'step.part', ({ part }) => part.type === 'text-delta');
  await session.prompt('Second');
  await started;
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(short(events)).toMatchInlineSnapshot(`
    [
      "prompt.accepted {"messageID":"msg_3","parentID":"msg_2","text":"Second","agent":"build","model":{"provider":"test","model":"parts"}}",
      "turn.started {"promptID":"msg_3"}",
      "step.started {"messageID":"msg_4","parentID":"msg_3","step":0,"base":"msg_2","appended":2}",
      "step.ended {"messageID":"msg_4","reason":"error","usage":{},"fault":{"code":"context-overflow","what":"Too long.","retryable":false}}",
      "step.started {"messageID":"msg_5","parentID":"msg_4","step":0,"purpose":"compaction","base":null,"appended":1}",
      "step.ended {"messageID":"msg_5","reason":"other","usage":{}}",
      "turn.ended {"status":"aborted"}",
    ]
  `);
  await session.prompt('Third');
  expect(await session.rested()).toBe('idle');
  expect(prompts(model.requests.at(-1))).toEqual(['First', 'Second', 'Third']);
  expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('They');
});

test.each<[string, PartsStep, string]>([
  ['is refused', [{ type: 'error', fault: { code: 'auth', what: 'The key is wrong.' } }], 'auth'],
  ['is too long itself', tooLong, 'context-full'],
  ['says nothing', [finish()], 'no-summary'],
])('a summary that %s loses nothing', async (_, failing, code) => {
  const { session, events, model } = await after([tooLong, failing, fine]);
  await session.prompt('Second');
  expect(await session.rested()).toBe('error');
  expect(session.state.lastTurn?.fault?.code).toBe(code);
  expect(events.some(({ type }) => type === 'context.compacted')).toBe(false);
  await session.prompt('Third');
  expect(await session.rested()).toBe('idle');
  expect(prompts(model.requests.at(-1))).toEqual(['First', 'Second', 'Third']);
});

test('a summary is tried again as a step is', async () => {
  const overloaded: PartsStep = [
    { type: 'error', fault: { code: 'overloaded', what: 'Overloaded.', retryable: true } },
  ];
  const { session, events, timer } = await after([tooLong, overloaded, summary, fine]);
  await session.prompt('Second');
  expect(await passing(timer, 1_000, session.rested())).toBe('idle');
  expect(events.filter(({ type }) => type === 'step.waiting')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'context.compacted')).toHaveLength(1);
});

test('a summary that calls tools runs none', async () => {
  const { session, events } = await after([
    tooLong,
    [...say('They want it.'), ...call('c1', 'echo', {}), finish('tool-calls')],
    fine,
  ]);
  await session.prompt('Second');
  expect(await session.rested()).toBe('idle');
  expect(events.some(({ type }) => type === 'call.running')).toBe(false);
});

test('with it switched off, an overflow is told and nothing is summed up', async () => {
  const { session, events } = await after([tooLong], {
    makesRoom: () => false,
    facts: { contextLimit: 10_000 },
  });
  await session.prompt('Second');
  expect(await session.rested()).toBe('error');
  expect(session.state.lastTurn?.fault).toMatchObject({
    code: 'context-overflow',
    next: expect.stringContaining('/compact'),
  });
  expect(events.some(({ type }) => type === 'context.compacted')).toBe(false);
});

describe('as the person asks', () => {
  test('in a turn of its own, all but the last turn', async () => {
    const { session, events, model } = await after([fine, summary, fine]);
    await session.prompt('Second');
    await session.rested();
    events.length = 0;
    session.compact();
    expect(await session.rested()).toBe('idle');
    expect(short(events)).toMatchInlineSnapshot(`
      [
        "turn.started {"promptID":"msg_3","purpose":"compaction"}",
        "step.started {"messageID":"msg_5","parentID":"msg_4","step":0,"purpose":"compaction","base":null,"appended":1}",
        "step.ended {"messageID":"msg_5","reason":"stop","usage":{}}",
        "context.compacted {"messageID":"msg_5","tail":"msg_3","reason":"person","before":10006,"after":10}",
        "turn.ended {"status":"idle"}",
      ]
    `);
    await session.prompt('Third');
    await session.rested();
    expect(prompts(model.requests.at(-1)).slice(1)).toEqual(['Second', 'Third']);
  });

  test('also the only turn; then there is nothing left to sum up', async () => {
    const { session, model } = await harness([fine, summary]);
    session.compact();
    await session.rested();
    await session.prompt('First');
    await session.rested();
    session.compact();
    await session.rested();
    expect(session.state.lastTurn).toEqual({ status: 'idle' });
    session.compact();
    await session.rested();
    expect(session.state.lastTurn).toMatchObject({ status: 'idle', fault: { code: 'nothing-to-sum-up' } });
    expect(model.requests).toHaveLength(2);
  });

  test('while a turn runs, before its next step', async () => {
    const { session, events } = await after(
      [[...call('c1', 'endless', {}), finish('tool-calls')], summary, fine],
      { settings: { change: 'allow' } },
    );
    const running = next(session, 'call.running');
    await session.prompt('Second');
    await running;
    session.compact();
    session.abort();
    expect(await session.rested()).toBe('aborted');
    // Aborting ends a summary too.
    expect(events.some((event) => event.type === 'step.started' && event.purpose)).toBe(false);
    await session.prompt('Third');
    const asked = next(session, 'context.compacted', ({ reason }) => reason === 'person');
    session.compact();
    await asked;
    expect(await session.rested()).toBe('idle');
  });
});

test('what was summed up is so after a reload, whether the records or the events are read', async () => {
  const over = await after([tooLong, summary, fine, fine]);
  const { session, store, model } = over;
  await session.prompt('Second');
  await session.rested();
  const folded = reduce(await store.events(session.id, 0), emptyState(session.id));
  expect(folded.messages).toEqual(session.state.messages);
  await over.sessions.close(session.id);
  let later = 0;
  const again = sessionsOver([fine], { store, ids: { next: (prefix) => `${prefix}_later_${++later}` } });
  const opened = await again.sessions.open(session.id);
  expect(opened.state.messages).toEqual(folded.messages);
  await opened.prompt('Third');
  await opened.rested();
  expect(again.model.requests[0]?.messages.slice(0, 3)).toEqual(
    model.requests
      .at(-1)
      ?.messages.slice(0, 2)
      .concat({
        role: 'assistant',
        content: [{ type: 'text', text: 'Fine.' }],
      }),
  );
});

test('a tab that died over a summary leaves the conversation as it was', async () => {
  const { session, events } = await after([tooLong, thenHang(say('They'))]);
  const started = next(session, 'step.part', ({ part }) => part.type === 'text-delta');
  await session.prompt('Second');
  await started;
  const state = reduce(events, emptyState(session.id));
  expect(
    closingEvents(state, { status: 'interrupted', outcome: 'interrupted' }).map(({ type }) => type),
  ).toEqual(['step.ended', 'turn.ended']);
  session.abort();
  await session.rested();
});

describe('old outputs', () => {
  const calls = (tokens: number, tool = 'big'): PartsStep[] => [
    [...call('c', tool, { tokens }), finish('tool-calls')],
    fine,
  ];
  const skill = define('skill', {
    description: 'Says how.',
    parameters: z.object({ tokens: z.number() }),
    readOnly: true,
    execute: async ({ tokens }) => ({ output: 'how '.repeat(tokens), metadata: { truncated: false } }),
  });

  async function turns(over: Awaited<ReturnType<typeof harness>>, count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      await over.session.prompt(`Turn ${n}`);
      await over.session.rested();
    }
  }

  test('are taken out when turns have passed and enough is won; their text stays', async () => {
    const over = await harness(
      [...calls(5_000, 'skill'), ...calls(15_000), ...calls(15_000), ...calls(41_000), fine, fine, fine],
      { tools: [big, skill] },
    );
    await turns(over, 5);
    expect(over.events.some(({ type }) => type === 'outputs.pruned')).toBe(false);
    await turns(over, 1);
    const pruned = over.events.flatMap((event) => (event.type === 'outputs.pruned' ? [event] : []));
    expect(pruned).toMatchObject([{ calls: 2, tokens: 30_000 }]);
    // The skill's output and the newest ones are left, and the meter shows that before the next request.
    const outputs = () => contextOf(over.session.state)!.sizes.outputs;
    expect(outputs()).toBe(5_000 + 41_000);
    await turns(over, 1);
    const results = over.model.requests
      .at(-1)
      ?.messages.flatMap(({ role, content }) =>
        role === 'tool' ? content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])) : [],
      );
    const lengths = results?.map((output) => (output.type === 'text' ? output.value.length : -1));
    expect(lengths?.map((length) => length > 1_000)).toEqual([true, false, false, true]);
    expect(Math.abs(outputs() - 46_000)).toBeLessThan(100);
    const kept = [...over.session.state.parts.values()].flatMap((part) =>
      part.type === 'tool' ? [part.output?.length] : [],
    );
    expect(kept).toEqual([20_000, 60_000, 60_000, 164_000]);
  });

  test('are left where the model has much room', async () => {
    const over = await harness([...calls(30_000), ...calls(41_000), fine, fine], {
      tools: [big],
      facts: { contextLimit: 1_000_000 },
    });
    await turns(over, 4);
    expect(over.events.some(({ type }) => type === 'outputs.pruned')).toBe(false);
  });

  test('go before anything is summed up', async () => {
    const over = await harness([...calls(30_000), ...calls(41_000), fine], {
      tools: [big],
      facts: { contextLimit: 80_000 },
    });
    await turns(over, 2);
    expect(over.events.map(({ type }) => type)).toContain('outputs.pruned');
    expect(over.events.map(({ type }) => type)).not.toContain('context.compacted');
    expect(over.session.state.lastTurn).toEqual({ status: 'idle' });
  });
});

/** Lines without deltas. */
function short(events: readonly Event[]): string[] {
  return golden(events).filter((line) => !/^msg_\d+ ·|^step.sent/.test(line));
}

function prompts(
  request: { messages: readonly { role: string; content: unknown }[] } | undefined,
): unknown[] {
  return (request?.messages ?? []).flatMap(({ role, content }) => (role === 'user' ? [content] : []));
}
