import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say, type Steps } from '../../../test/support/parts-model.ts';
import {
  harness,
  next,
  passing,
  testTools,
  type HarnessOptions,
} from '../../../test/support/session-harness.ts';
import { hashText } from '../../base/hash.ts';
import { contextOf } from '../request/context.ts';
import { tokensOf } from '../request/context-size.ts';
import { define } from '../../tools/define.ts';
import type { ToolHooks } from '../../tools/hooks.ts';
import { taskTools } from '../../tools/task/tools.ts';
import { agents, subagents } from '../../agents/agents.ts';
import { NO_SETUP } from '../../agents/setup.ts';
import { retellings } from './retelling.ts';
import { breakpointSchema, breaksAt } from './points.ts';

async function stepped(steps: Steps, options?: HarnessOptions) {
  const made = await harness(steps, options);
  const stepper = await made.sessions.stepper(made.session.id);
  /** Runs `act` and waits for the next pause. */
  const toPause = async (act: () => unknown) => {
    const began = next(made.session, 'pause.began');
    await act();
    return began;
  };
  return { ...made, stepper, toPause };
}

const oneCall = [
  [...call('c1', 'echo', { text: 'a' }), finish('tool-calls')],
  [...say('Done.'), finish()],
] satisfies Steps;
const told = (lines: readonly string[]) => lines.filter((line) => !/ · (text|tool-input|start)/.test(line));

test('each thing that is about to happen waits, in its order', async () => {
  const { session, stepper, toPause, events, model } = await stepped(oneCall);
  stepper.step();
  await toPause(() => session.prompt('Go'));
  expect(model.requests).toHaveLength(0);
  for (let n = 0; n < 5; n++) await toPause(() => stepper.step());
  expect(model.requests).toHaveLength(2);
  stepper.continue();
  expect(await session.rested()).toBe('idle');
  expect(told(golden(events))).toMatchInlineSnapshot(`
    [
      "prompt.accepted {"messageID":"msg_1","parentID":null,"text":"Go","agent":"build","model":{"provider":"test","model":"parts"}}",
      "turn.started {"promptID":"msg_1"}",
      "step.started {"messageID":"msg_2","parentID":"msg_1","step":0,"base":null,"appended":1}",
      "pause.began {"messageID":"msg_2","pauseID":"pau_1","point":"request"}",
      "pause.ended {"messageID":"msg_2","pauseID":"pau_1","by":"step"}",
      "step.sent msg_2",
      "msg_2 · tool-call {"callID":"c1","tool":"echo","input":{"text":"a"}}",
      "msg_2 · finish {"reason":"tool-calls","usage":{"inputTokens":10,"outputTokens":5}}",
      "pause.began {"messageID":"msg_2","pauseID":"pau_2","point":"response"}",
      "pause.ended {"messageID":"msg_2","pauseID":"pau_2","by":"step"}",
      "pause.began {"messageID":"msg_2","call":"c1","pauseID":"pau_3","point":"call"}",
      "pause.ended {"messageID":"msg_2","call":"c1","pauseID":"pau_3","by":"step"}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"echo","input":{"text":"a"}}",
      "pause.began {"messageID":"msg_2","call":"c1","pauseID":"pau_4","point":"result"}",
      "pause.ended {"messageID":"msg_2","call":"c1","pauseID":"pau_4","by":"step"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"a","title":"echo a","metadata":{"truncated":false}}",
      "step.ended {"messageID":"msg_2","reason":"tool-calls","usage":{"inputTokens":10,"outputTokens":5}}",
      "step.started {"messageID":"msg_3","parentID":"msg_2","step":1,"base":"msg_2","appended":2}",
      "pause.began {"messageID":"msg_3","pauseID":"pau_5","point":"request"}",
      "pause.ended {"messageID":"msg_3","pauseID":"pau_5","by":"step"}",
      "step.sent msg_3",
      "msg_3 · finish {"reason":"stop","usage":{"inputTokens":10,"outputTokens":5}}",
      "pause.began {"messageID":"msg_3","pauseID":"pau_6","point":"response"}",
      "pause.ended {"messageID":"msg_3","pauseID":"pau_6","by":"continue"}",
      "step.ended {"messageID":"msg_3","reason":"stop","usage":{"inputTokens":10,"outputTokens":5}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
  expect(session.state.paused).toBeUndefined();
});

test('a request is edited: that is what goes out and what its hash is of, once', async () => {
  const { session, stepper, toPause, events, model } = await stepped(oneCall);
  stepper.step();
  await toPause(() => session.prompt('Go'));
  const held = stepper.paused()[0]?.held;
  if (held?.point !== 'request') throw new Error('Nothing is held.');
  stepper.continue({
    kind: 'request',
    content: { system: 'Be short.', messages: [{ role: 'user', content: 'Stay' }] },
  });
  await session.rested();
  expect(model.requests[0]).toMatchObject({
    system: 'Be short.',
    messages: [{ role: 'user', content: 'Stay' }],
  });
  // The next request is made from the unchanged conversation.
  expect(model.requests[1]?.system).toBe(held.content.system);
  expect(JSON.stringify(model.requests[1]?.messages[0])).toContain('Go');
  const lines = told(golden(events)).filter((line) => /^(step.started|pause|request|step.sent)/.test(line));
  expect(lines).toMatchInlineSnapshot(`
    [
      "step.started {"messageID":"msg_2","parentID":"msg_1","step":0,"base":null,"appended":1}",
      "pause.began {"messageID":"msg_2","pauseID":"pau_1","point":"request"}",
      "pause.ended {"messageID":"msg_2","pauseID":"pau_1","by":"continue"}",
      "request.edited {"messageID":"msg_2","request":{"base":null,"append":[{"hash":"7244d40dd925aff045e7f4d12fcda4a6b1e20fbd6040afa75881c7d0237dc5f2","messages":1,"text":"[{\\"role\\":\\"user\\",\\"content\\":\\"Stay\\"}]"}],"system":"815fa947e71551c5fefb89ea26ab23a35717f96473cb6a6e513ae828fcaeac0a","tools":"ff2418f8714c5053b542d966af7fef3f72e5111341b7f13edc1ef7cb1b88af10","settings":{},"sizes":{"system":3,"tools":109,"messages":1,"outputs":0,"files":0}}}",
      "step.sent msg_2",
      "step.started {"messageID":"msg_3","parentID":"msg_2","step":1,"base":"msg_2","appended":2}",
      "step.sent msg_3",
    ]
  `);
  const edited = events.find((event) => event.type === 'request.edited');
  expect(edited?.request.append).toMatchObject([
    {
      messages: 1,
      text: '[{"role":"user","content":"Stay"}]',
      hash: hashText('[{"role":"user","content":"Stay"}]'),
    },
  ]);
  expect([...session.state.messages.values()].map(({ edited }) => edited)).toEqual([
    undefined,
    true,
    undefined,
  ]);
});

test('how large an edited request is, is told of what went out', async () => {
  const { session, stepper, toPause } = await stepped(oneCall);
  stepper.step();
  await toPause(() => session.prompt('Go'));
  const before = contextOf(session.state)?.sizes;
  const messages = [{ role: 'user' as const, content: 'Stay '.repeat(1_000) }];
  const sent = next(session, 'step.sent');
  stepper.continue({ kind: 'request', content: { system: 'Be short.', messages } });
  await sent;
  const after = contextOf(session.state)?.sizes;
  expect(after?.system).toBe(tokensOf('Be short.'));
  expect(after?.messages).toBeGreaterThan((before?.messages ?? 0) + 1_000);
  expect(after?.tools).toBe(before?.tools);
  await session.rested();
});

test('the arguments of a call are edited: checked again, asked for, run and told as edited', async () => {
  const { session, stepper, toPause, events, model } = await stepped([
    [...call('c1', 'change', { text: 'all' }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  stepper.setBreakpoints([{ point: 'call', tool: 'ch*' }]);
  await toPause(() => session.prompt('Go'));
  const [paused] = stepper.paused();
  expect(stepper.problem(paused!, '{"text": 1}')).toContain('text');
  expect(stepper.problem(paused!, '{"text": "one"}')).toBeNull();
  const asked = next(session, 'permission.asked');
  stepper.continue({ kind: 'input', input: { text: 'one' } });
  const request = await asked;
  expect(request.subject).toEqual({ kind: 'input', input: { text: 'one' } });
  session.answer(request.requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(told(golden(events)).filter((line) => /^(pause|call)/.test(line))).toMatchInlineSnapshot(`
    [
      "pause.began {"messageID":"msg_2","call":"c1","pauseID":"pau_1","point":"call"}",
      "pause.ended {"messageID":"msg_2","call":"c1","pauseID":"pau_1","by":"continue"}",
      "call.edited {"messageID":"msg_2","callID":"c1","edit":{"kind":"input","from":{"text":"all"},"to":{"text":"one"}}}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"change","input":{"text":"one"}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"changed one","title":"","metadata":{"truncated":false}}",
    ]
  `);
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('"input":{"text":"one"}');
  const part = [...session.state.parts.values()].find(({ type }) => type === 'tool');
  expect(part).toMatchObject({ edited: [{ kind: 'input', from: { text: 'all' }, to: { text: 'one' } }] });
});

test('edited arguments that do not fit come to the error that the model would get', async () => {
  const { session, stepper, toPause, events } = await stepped(oneCall);
  stepper.setBreakpoints([{ point: 'call' }]);
  await toPause(() => session.prompt('Go'));
  stepper.continue({ kind: 'input', input: { text: 1 } });
  expect(await session.rested()).toBe('idle');
  expect(events.find((event) => event.type === 'call.ended')).toMatchObject({
    outcome: 'invalid',
    output: expect.stringContaining('was called with invalid arguments'),
  });
  expect(events.some((event) => event.type === 'call.running')).toBe(false);
});

test('edited arguments that are no JSON come to that error, too, and the model sees them as they are', async () => {
  const { session, stepper, toPause, events, model } = await stepped(oneCall);
  stepper.setBreakpoints([{ point: 'call' }]);
  await toPause(() => session.prompt('Go'));
  const [paused] = stepper.paused();
  const text = '{"text": ';
  stepper.continue({ kind: 'raw', text });
  expect(await session.rested()).toBe('idle');
  expect(events.find((event) => event.type === 'call.ended')).toMatchObject({
    outcome: 'invalid',
    output: paused && stepper.problem(paused, text),
  });
  expect(JSON.stringify(model.requests[1]?.messages)).toContain(JSON.stringify(text));
});

test('an answer in the tool’s place: it does not run, and the next call goes on', async () => {
  const { session, stepper, toPause, events, model } = await stepped([
    [...call('c1', 'endless', {}), ...call('c2', 'echo', { text: 'b' }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  stepper.setBreakpoints([{ tool: 'endless', point: 'call' }]);
  await toPause(() => session.prompt('Go'));
  stepper.continue({ kind: 'answer', output: 'It is done.', outcome: 'ok' });
  expect(await session.rested()).toBe('idle');
  expect(told(golden(events)).filter((line) => /^(pause|call)/.test(line))).toMatchInlineSnapshot(`
    [
      "pause.began {"messageID":"msg_2","call":"c1","pauseID":"pau_1","point":"call"}",
      "pause.ended {"messageID":"msg_2","call":"c1","pauseID":"pau_1","by":"continue"}",
      "call.edited {"messageID":"msg_2","callID":"c1","edit":{"kind":"answer"}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"It is done.","title":""}",
      "call.running {"messageID":"msg_2","callID":"c2","tool":"echo","input":{"text":"b"}}",
      "call.ended {"messageID":"msg_2","callID":"c2","outcome":"ok","output":"b","title":"echo b","metadata":{"truncated":false}}",
    ]
  `);
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('It is done.');
});

test('a result is edited: the model is told that, the record holds both', async () => {
  const { session, stepper, toPause, events, model } = await stepped(oneCall);
  stepper.setBreakpoints([{ point: 'result' }]);
  await toPause(() => session.prompt('Go'));
  expect(events.some((event) => event.type === 'call.ended')).toBe(false);
  stepper.continue({ kind: 'output', output: 'b' });
  expect(await session.rested()).toBe('idle');
  expect(told(golden(events)).filter((line) => /^(pause|call)/.test(line))).toMatchInlineSnapshot(`
    [
      "call.running {"messageID":"msg_2","callID":"c1","tool":"echo","input":{"text":"a"}}",
      "pause.began {"messageID":"msg_2","call":"c1","pauseID":"pau_1","point":"result"}",
      "pause.ended {"messageID":"msg_2","call":"c1","pauseID":"pau_1","by":"continue"}",
      "call.edited {"messageID":"msg_2","callID":"c1","edit":{"kind":"output","from":"a","to":"b"}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"b","title":"echo a","metadata":{"truncated":false}}",
    ]
  `);
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('"value":"b"');
});

test('stop at each pause ends the turn, and nothing is left open', async () => {
  for (const point of ['request', 'response', 'call', 'result'] as const) {
    const { session, stepper, toPause, events } = await stepped(oneCall);
    stepper.setBreakpoints([{ point }]);
    await toPause(() => session.prompt('Go'));
    session.abort();
    expect(await session.rested()).toBe('aborted');
    expect(stepper.paused()).toEqual([]);
    expect(events.filter(({ type }) => type.startsWith('pause'))).toMatchObject([
      { type: 'pause.began', point },
      { type: 'pause.ended', by: 'stopped' },
    ]);
    for (const part of session.state.parts.values())
      if (part.type === 'tool') expect([point, part.outcome]).toEqual([point, 'cancelled']);
    expect([...session.state.messages.values()].every(({ ended }) => ended !== undefined)).toBe(true);
  }
});

test('breakpoints on errors and patterns; run to end passes them until the turn is over', async () => {
  const steps: Steps = [
    [...call('c1', 'echo', { text: 'fine' }), finish('tool-calls')],
    [...call('c2', 'echo', { text: 7 }), finish('tool-calls')],
    [...call('c3', 'echo', { text: 'secret' }), finish('tool-calls')],
    [...say('Done.'), finish()],
    [...say('Again.'), finish()],
  ];
  const { session, stepper, toPause } = await stepped(steps);
  stepper.setBreakpoints([{ errors: true }, { point: 'call', pattern: 'sec.et' }]);
  expect(await toPause(() => session.prompt('Go'))).toMatchObject({ point: 'result', call: 'c2' });
  expect(await toPause(() => stepper.continue())).toMatchObject({ point: 'call', call: 'c3' });
  stepper.step();
  stepper.runToEnd();
  expect(await session.rested()).toBe('idle');
  expect(stepper.mode).toBe('run');
});

test('calls of one step wait one after the other, as they start', async () => {
  const { session, stepper, toPause, timer } = await stepped([
    [...call('c1', 'echo', { text: 'a' }), ...call('c2', 'echo', { text: 'b' }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  stepper.setBreakpoints([{ point: 'call' }]);
  expect(await toPause(() => session.prompt('Go'))).toMatchObject({ call: 'c1' });
  expect(stepper.paused()).toHaveLength(1);
  expect(await toPause(() => stepper.continue())).toMatchObject({ call: 'c2' });
  stepper.continue();
  expect(await passing(timer, 16, session.rested())).toBe('idle');
});

test('whatever is held and let go at once, each call runs once and has one result', async () => {
  const ran: string[] = [];
  const count = define('count', {
    description: 'Counts.',
    parameters: z.object({ text: z.string() }),
    execute: async ({ text }) => {
      ran.push(text);
      return text;
    },
  });
  for (const how of ['step', 'continue', 'runToEnd'] as const) {
    ran.length = 0;
    const { session, stepper, events, timer } = await stepped(
      [
        [...['a', 'b', 'c'].flatMap((text) => call(text, 'count', { text })), finish('tool-calls')],
        [...say('Done.'), finish()],
      ],
      { tools: [count] },
    );
    // The key is pressed twice at each pause; the second time it acts on nothing, or on the next pause.
    stepper.onChange(() => {
      if (stepper.paused().length === 0) return;
      queueMicrotask(() => {
        stepper[how]();
        stepper[how]();
      });
    });
    stepper.step();
    await session.prompt('Go');
    expect(await passing(timer, 16, session.rested())).toBe('idle');
    expect([how, ran]).toEqual([how, ['a', 'b', 'c']]);
    expect(events.filter(({ type }) => type === 'call.ended')).toHaveLength(3);
    expect(stepper.paused()).toEqual([]);
    const began = events.flatMap((event) => (event.type === 'pause.began' ? event.pauseID : []));
    const ended = events.flatMap((event) => (event.type === 'pause.ended' ? event.pauseID : []));
    expect(ended.toSorted()).toEqual(began.toSorted());
  }
});

test('one call asks while another is held: both are seen, and a refusal ends both', async () => {
  const { session, stepper, events } = await stepped([
    [...call('c1', 'change', { text: 'a' }), ...call('c2', 'echo', { text: 'b' }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  stepper.setBreakpoints([{ point: 'call', tool: 'echo' }]);
  const asked = next(session, 'permission.asked');
  const held = next(session, 'pause.began');
  await session.prompt('Go');
  const [{ requestID }] = [await asked, await held];
  expect(session.state.pending.size).toBe(1);
  expect(stepper.paused()).toHaveLength(1);
  session.answer(requestID, { reply: 'reject' }, 'person');
  expect(await session.rested()).toBe('rejected');
  expect(stepper.paused()).toEqual([]);
  const outcomes = events.flatMap((event) => (event.type === 'call.ended' ? [event.outcome] : []));
  expect(outcomes.toSorted()).toEqual(['cancelled', 'denied']);
});

test('a call that an answer of the person lets run is held before it asks, and stop while it asks ends it', async () => {
  const { session, stepper, toPause } = await stepped([
    [...call('c1', 'change', { text: 'a' }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  stepper.setBreakpoints([{ point: 'call' }]);
  await toPause(() => session.prompt('Go'));
  expect(session.state.pending.size).toBe(0);
  const asked = next(session, 'permission.asked');
  stepper.step();
  await asked;
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(stepper.paused()).toEqual([]);
});

test('a session that is closed at a pause, by a reload or for another tab, leaves nothing held', async () => {
  const { session, sessions, stepper, toPause, model } = await stepped(oneCall);
  stepper.setBreakpoints([{ point: 'call' }]);
  await toPause(() => session.prompt('Go'));
  await sessions.close(session.id);
  expect(stepper.paused()).toEqual([]);
  const opened = await sessions.open(session.id);
  expect((await sessions.stepper(session.id)) === stepper).toBe(true);
  const asked = model.requests.length;
  await opened.prompt('Again');
  expect(await opened.rested()).toBe('idle');
  expect(model.requests.length).toBe(asked + 1);
});

test('a call that does not fit is held too, before the model is told so', async () => {
  const { session, stepper, toPause, events } = await stepped([
    [...call('c1', 'nonsense', {}), ...call('c2', 'echo', { text: 7 }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  stepper.setBreakpoints([{ point: 'result' }]);
  await toPause(() => session.prompt('Go'));
  while (stepper.paused().length < 2) await new Promise((resolve) => setImmediate(resolve));
  const held = stepper.paused().map(({ held: at }) => at.point === 'result' && [at.tool, at.outcome]);
  expect(held).toEqual([
    ['nonsense', 'invalid'],
    ['echo', 'invalid'],
  ]);
  stepper.continue({ kind: 'output', output: 'There is none. Use echo.' });
  expect(await session.rested()).toBe('idle');
  expect(events.filter(({ type }) => type === 'call.ended')).toMatchObject([
    { callID: 'c1', outcome: 'invalid', output: 'There is none. Use echo.' },
    { callID: 'c2', outcome: 'invalid' },
  ]);
});

test('what cannot be run is held in its place in the row', async () => {
  const { session, stepper, toPause } = await stepped([
    [...call('c1', 'echo', { text: 'a' }), ...call('c2', 'nonsense', {}), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  stepper.setBreakpoints([{ point: 'call' }, { point: 'result', tool: 'nonsense' }]);
  expect(await toPause(() => session.prompt('Go'))).toMatchObject({ call: 'c1' });
  expect(stepper.paused()).toHaveLength(1);
  expect(await toPause(() => stepper.continue())).toMatchObject({ point: 'result', call: 'c2' });
  stepper.continue();
  expect(await session.rested()).toBe('idle');
});

test('stop reaches a sub-agent that is held', async () => {
  const { session, stepper, sessions } = await stepped(
    ({ messages }) =>
      JSON.stringify(messages).includes('Delegate')
        ? [
            ...call('c1', 'task', { agent: 'explore', description: 'Look', prompt: 'Look' }),
            finish('tool-calls'),
          ]
        : [...say('Looked.'), finish()],
    { tools: [...testTools, ...taskTools(subagents)] },
  );
  const held = new Promise<string>((resolve) =>
    stepper.onChange(() => {
      const paused = stepper.paused().find(({ sessionID }) => sessionID !== session.id);
      if (paused) resolve(paused.sessionID);
    }),
  );
  stepper.setBreakpoints([{ point: 'response', pattern: 'Looked' }]);
  await session.prompt('Delegate');
  const childID = await held;
  session.abort();
  expect(await session.rested()).toBe('aborted');
  while (stepper.paused().length > 0) await new Promise((resolve) => setImmediate(resolve));
  const child = sessions.live().find(({ id }) => id === childID);
  expect(child?.state.turn ?? null).toBeNull();
});

test('whoever works for a session is held with it', async () => {
  const { session, sessions, stepper } = await stepped(
    ({ messages }) => {
      const child = !JSON.stringify(messages).includes('Delegate');
      if (child) return [...say('Looked.'), finish()];
      return messages.length > 1
        ? [...say('Done.'), finish()]
        : [
            ...call('c1', 'task', { agent: 'explore', description: 'Look', prompt: 'Look' }),
            finish('tool-calls'),
          ];
    },
    { tools: [...testTools, ...taskTools(subagents)] },
  );
  const held = new Promise<string>((resolve) =>
    stepper.onChange(() => {
      const [paused] = stepper.paused();
      if (paused && paused.sessionID !== session.id) resolve(paused.sessionID);
    }),
  );
  stepper.setBreakpoints([{ point: 'response', pattern: 'Looked' }]);
  await session.prompt('Delegate');
  const childID = await held;
  expect((await sessions.stepper(childID)) === stepper).toBe(true);
  stepper.continue();
  expect(await session.rested()).toBe('idle');
});

test('a log that was cut off at a pause opens without one', async () => {
  const { session, sessions, stepper, toPause, store } = await stepped(oneCall);
  stepper.step();
  await toPause(() => session.prompt('Go'));
  const kept = await store.events(session.id, 0);
  expect(kept.at(-1)?.type).not.toBe('turn.ended');
  await sessions.close(session.id);
  const opened = await sessions.open(session.id);
  expect(opened.state.paused).toBeUndefined();
  expect(opened.state.turn).toBeNull();
});

test('what a breakpoint may say is checked', () => {
  expect(breakpointSchema.safeParse({ pattern: '(' }).success).toBe(false);
  expect(breakpointSchema.safeParse({ tool: '' }).success).toBe(false);
  const reached = { point: 'request', failed: false, text: () => 'x' } as const;
  expect(breaksAt({}, reached)).toBe(true);
  expect(breaksAt({ tool: '*' }, reached)).toBe(false);
  expect(breaksAt({ pattern: 'y' }, reached)).toBe(false);
});

describe('an edit of a message that holds from now on', () => {
  async function retold() {
    const made = await stepped([...oneCall, [...say('Again.'), finish()], [...say('More.'), finish()]]);
    const { session, stepper, toPause } = made;
    stepper.step();
    await toPause(() => session.prompt('Go'));
    for (let n = 0; n < 4; n++) await toPause(() => stepper.step());
    const held = stepper.paused()[0]?.held;
    if (held?.point !== 'request') throw new Error('No request is held.');
    const [prompt, ...rest] = held.content.messages;
    if (!prompt) throw new Error('It has no message.');
    const other = { role: 'user' as const, content: 'Come' };
    stepper.continue({
      kind: 'request',
      content: { system: held.content.system, messages: [other, ...rest] },
      lasting: retellings(held.rendered, [other, ...rest]),
    });
    await session.rested();
    return { ...made, prompt, other };
  }

  test('is told in every request after it, and goes back at a word', async () => {
    const { session, model, events, other, prompt } = await retold();
    await session.prompt('And now?');
    await session.rested();
    expect(model.requests[1]?.messages[0]).toEqual(other);
    expect(model.requests[2]?.messages[0]).toEqual(other);
    expect(model.requests[2]?.messages).toHaveLength(5);
    const promptID = [...session.state.messages.keys()][0] ?? '';
    const told = hashText(JSON.stringify([other]));
    expect(events.filter(({ type }) => type === 'message.retold')).toMatchObject([
      { messageID: promptID, told },
    ]);
    expect(session.state.retold).toMatchObject([{ messageID: promptID, told }]);

    await session.tellAsItIs(promptID);
    expect(session.state.retold).toBeUndefined();
    await session.prompt('And then?');
    await session.rested();
    expect(model.requests[3]?.messages[0]).toEqual(prompt);
  });

  test('holds when the session is opened again', async () => {
    const { sessions, session, model, other } = await retold();
    await sessions.close(session.id);
    const again = await sessions.open(session.id);
    await again.prompt('And now?');
    await again.rested();
    expect(model.requests[2]?.messages[0]).toEqual(other);
  });

  test('keeps a message that was added behind the one it was added to', async () => {
    const { session, stepper, toPause, model } = await stepped([...oneCall, [...say('Again.'), finish()]]);
    stepper.step();
    await toPause(() => session.prompt('Go'));
    for (let n = 0; n < 4; n++) await toPause(() => stepper.step());
    const held = stepper.paused()[0]?.held;
    if (held?.point !== 'request') throw new Error('No request is held.');
    const { system, messages } = held.content;
    const added = { role: 'user' as const, content: 'Be quick' };
    stepper.continue({
      kind: 'request',
      content: { system, messages: [...messages, added] },
      lasting: retellings(held.rendered, messages, [added]),
    });
    await session.rested();
    await session.prompt('And now?');
    await session.rested();
    expect(model.requests[1]?.messages).toEqual([...messages, added]);
    expect(model.requests[2]?.messages.slice(0, 4)).toEqual([...messages, added]);
    expect(model.requests[2]?.messages).toHaveLength(6);
  });

  test('leaves a message out, and only that', async () => {
    const { session, stepper, toPause, model } = await stepped([...oneCall, [...say('Again.'), finish()]]);
    await session.prompt('Go');
    await session.rested();
    stepper.step();
    await toPause(() => session.prompt('And now?'));
    const held = stepper.paused()[0]?.held;
    if (held?.point !== 'request') throw new Error('No request is held.');
    const lasting = held.content.messages.map((message, index) => (index === 3 ? null : message));
    const messages = lasting.flatMap((message) => message ?? []);
    stepper.continue({
      kind: 'request',
      content: { system: 'Be short.', messages },
      lasting: retellings(held.rendered, lasting),
    });
    await session.rested();
    expect(model.requests[2]?.messages).toHaveLength(4);
    const [, , leftOut] = session.state.messages.keys();
    expect(session.state.retold?.map(({ messageID }) => messageID)).toEqual([leftOut]);
  });
});

describe('a system prompt that holds from now on', () => {
  const steps = [
    ...oneCall,
    [...say('Again.'), finish()],
    [...say('More.'), finish()],
    [...say('Planned.'), finish()],
  ] satisfies Steps;

  /** The person edits the first request of the first turn. */
  async function rewritten(options?: HarnessOptions) {
    const made = await stepped(steps, options);
    const { session, stepper, toPause } = made;
    stepper.step();
    await toPause(() => session.prompt('Go'));
    const held = stepper.paused()[0]?.held;
    if (held?.point !== 'request') throw new Error('No request is held.');
    const { system, messages } = held.content;
    stepper.continue({
      kind: 'request',
      content: { system: 'Be short.', messages },
      systemLasts: true,
    });
    await session.rested();
    return { ...made, system, stepID: held.messageID };
  }

  test('is told in every request after it, and the agent gets its own back at a word', async () => {
    const { session, model, events, system, stepID } = await rewritten();
    await session.prompt('And now?');
    await session.rested();
    expect(model.requests.map((request) => request.system)).toEqual(Array(3).fill('Be short.'));
    const told = hashText('Be short.');
    expect(events.filter(({ type }) => type === 'system.retold')).toMatchObject([
      { messageID: stepID, agent: 'build', told },
    ]);
    expect(session.state.retoldSystems).toEqual([{ messageID: stepID, agent: 'build', told }]);
    // The requests in the log have the prompts that were really sent.
    const asked = events.flatMap((event) => (event.type === 'step.started' ? event.request.system : []));
    expect(asked).toEqual([hashText(system), told, told]);

    await session.tellOwnSystem('build');
    expect(session.state.retoldSystems).toBeUndefined();
    await session.prompt('And then?');
    await session.rested();
    expect(model.requests[3]?.system).toBe(system);
  });

  test('holds when the session is opened again, and where it cannot be read nothing else is told', async () => {
    const { sessions, session, model, store, system } = await rewritten();
    await sessions.close(session.id);
    const again = await sessions.open(session.id);
    await again.prompt('And now?');
    await again.rested();
    expect(model.requests[2]?.system).toBe('Be short.');

    await sessions.close(session.id);
    store.blobs.get = async () => undefined;
    const lost = await sessions.open(session.id);
    await lost.prompt('And now?');
    expect(await lost.rested()).toBe('error');
    expect(lost.state.lastTurn?.fault?.code).toBe('edit-lost');
    expect(model.requests).toHaveLength(3);
    await lost.tellOwnSystem('build');
    await lost.prompt('And now?');
    expect(await lost.rested()).toBe('idle');
    expect(model.requests[3]?.system).toBe(system);
  });

  test('is of that agent alone', async () => {
    const { session, model } = await rewritten();
    await session.prompt('Plan it', { agent: 'plan' });
    await session.rested();
    expect(model.requests[2]?.system).not.toContain('Be short.');
    await session.prompt('Do it', { agent: 'build' });
    await session.rested();
    expect(model.requests[3]?.system).toBe('Be short.');
  });

  test('holds over a summary', async () => {
    const { session, model } = await rewritten();
    session.compact();
    await session.rested();
    await session.prompt('And now?');
    await session.rested();
    expect(model.requests[2]?.system).not.toBe('Be short.');
    expect(model.requests[3]).toMatchObject({ system: 'Be short.', messages: [{}, {}] });
  });

  test('keeps the note of a last step to that step', async () => {
    const setup = { ...NO_SETUP, agents: agents.map((agent) => ({ ...agent, steps: 1 })) };
    const setups = { current: () => setup, refresh: async () => setup };
    const { session, stepper, toPause, model } = await stepped([[...say('One.'), finish()]], { setups });
    stepper.step();
    await toPause(() => session.prompt('Go'));
    const held = stepper.paused()[0]?.held;
    if (held?.point !== 'request') throw new Error('No request is held.');
    const note = held.content.system.slice(held.content.system.lastIndexOf('\n\n'));
    const { messages } = held.content;
    const system = `Be short.${note}`;
    stepper.continue({ kind: 'request', content: { system, messages }, systemLasts: true });
    await session.rested();
    expect(model.requests[0]?.system).toBe(system);
    expect(session.state.retoldSystems).toMatchObject([{ told: hashText('Be short.') }]);
  });
});

describe('time that the person holds something', () => {
  /** Advances one millisecond with each reading, and further with `pass`. */
  function clockOf() {
    let time = 1_700_000_000_000;
    return { now: () => ++time, pass: (ms: number) => void (time += ms) };
  }

  test('is no time of the tool whose result waits', async () => {
    const clock = clockOf();
    const durations: number[] = [];
    const hooks: ToolHooks[] = [
      { 'tool.execute.after': ({ durationMs }) => void durations.push(durationMs) },
    ];
    const breaks = define('breaks', {
      description: 'Breaks.',
      parameters: z.object({}),
      readOnly: true,
      execute: () => Promise.reject(new Error('Broken.')),
    });
    const steps = [
      [...call('c1', 'breaks', {}), finish('tool-calls')],
      [...say('So be it.'), finish()],
    ] satisfies Steps;
    const { session, stepper, toPause } = await stepped(steps, { clock, hooks, tools: [breaks] });
    stepper.setBreakpoints([{ point: 'result' }]);
    await toPause(() => session.prompt('Go'));
    clock.pass(60_000);
    stepper.continue();
    await session.rested();
    const part = [...session.state.parts.values()].find(({ type }) => type === 'tool');
    if (part?.type !== 'tool') throw new Error('There is no call.');
    expect(part.held).toBeGreaterThan(60_000);
    expect((part.ended ?? 0) - (part.started ?? 0) - (part.held ?? 0)).toBeLessThan(100);
    expect(durations).toHaveLength(1);
    expect(durations[0]).toBeLessThan(1_000);
  });

  test('does not count towards the time in which a failed answer is tried again', async () => {
    const clock = clockOf();
    const failed = [
      { type: 'error' as const, fault: { code: 'overloaded', what: 'Overloaded.', retryable: true } },
      finish('error'),
    ];
    const { session, stepper, toPause, timer } = await stepped(
      [failed, failed, [...say('Done.'), finish()]],
      {
        clock,
      },
    );
    stepper.setBreakpoints([{ errors: true }]);
    await toPause(() => session.prompt('Go'));
    for (let n = 0; n < 2; n++) {
      clock.pass(11 * 60_000);
      if (n === 1) stepper.continue();
      else
        await passing(
          timer,
          5_000,
          toPause(() => stepper.continue()),
        );
    }
    expect(await passing(timer, 5_000, session.rested())).toBe('idle');
  });
});
