import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say, thenHang, type PartsStep } from '../../../test/support/parts-model.ts';
import { change, echo, harness, next, passing, sessionsOver } from '../../../test/support/session-harness.ts';
import { subagents } from '../../agents/agents.ts';
import { countingIds } from '../../base/clock.ts';
import type { Json } from '../../base/json.ts';
import type { Reply } from '../../permissions/types.ts';
import { memoryStorage } from '../../storage/memory/storage.ts';
import { define } from '../../tools/define.ts';
import { questionTool } from '../../tools/question/question.ts';
import { taskTools } from '../../tools/task/tools.ts';
import { todoreadTool, todowriteTool } from '../../tools/todo/tools.ts';
import type { Event, Spent } from '../log/events.ts';
import type { ModelRequest } from '../request/model.ts';
import type { Session } from '../session.ts';
import type { Sessions } from '../sessions.ts';
import type { Commit, SessionStore } from '../log/store.ts';
import { readSession } from '../log/open.ts';
import { ownSpent, spentWithTasks } from '../log/spent.ts';

const tools = [...taskTools(subagents), echo, change];
const give = (id: string, input: Record<string, Json>, tool = 'task') =>
  call(id, tool, { description: 'Look', prompt: 'Look it up', ...input });
const done = finish('tool-calls');
const failing: PartsStep = [
  { type: 'start', warnings: [] },
  { type: 'error', fault: { code: 'no-key', what: 'The key is wrong.', next: 'Give another.' } },
  { type: 'finish', reason: 'error', usage: {} },
];

test('a sub-agent does its work in a session of its own, and its last words are the result', async () => {
  const { session, sessions, events, model } = await harness(
    [
      [...give('c1', { agent: 'general' }), done],
      [...say('Looking.'), ...call('c2', 'echo', { text: 'found' }), done],
      [...say('It is in a.ts.'), finish()],
      [...say('It is there.'), finish()],
    ],
    { tools, settings: { echo: 'allow' } },
  );
  await session.prompt('Where?');
  expect(await session.rested()).toBe('idle');
  expect(lines(events)).toMatchInlineSnapshot(`
    [
      "prompt.accepted {"messageID":"msg_1","parentID":null,"text":"Where?","agent":"build","model":{"provider":"test","model":"parts"}}",
      "turn.started {"promptID":"msg_1"}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"task","input":{"description":"Look","prompt":"Look it up","agent":"general"}}",
      "task.started {"childID":"ses_2","messageID":"msg_2","callID":"c1","agent":"general","title":"Look","background":false}",
      "task.ended {"childID":"ses_2","state":"completed","spent":{"usage":{"inputTokens":20,"outputTokens":10},"unpriced":true}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"<task id=\\"ses_2\\" agent=\\"general\\" title=\\"Look\\" state=\\"completed\\">\\n<task_result>\\nIt is in a.ts.\\n</task_result>\\n</task>","title":"Look","metadata":{"sessionId":"ses_2","agent":"general","background":false,"steps":2,"calls":1,"tokens":{"input":20,"output":10},"recent":[{"tool":"echo","title":"echo found","state":"ok"}],"truncated":false}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
  const child = await childOf(sessions, session);
  expect(child.state).toMatchObject({
    title: 'Look (@general)',
    agent: 'general',
    parent: { sessionID: session.id, messageID: 'msg_2', callID: 'c1' },
  });
  expect(session.state.tasks).toMatchObject([{ childID: child.id, callID: 'c1', state: 'completed' }]);
  expect(model.requests[1]?.messages).toEqual([{ role: 'user', content: 'Look it up' }]);
  expect(model.requests[1]?.tools.map(({ name }) => name)).not.toContain('task');
});

test('what sub-agents cost is told apart from what the session itself did, also when they go on', async () => {
  const { session, sessions, store } = await harness(
    [
      [...give('c1', { agent: 'general' }), done],
      [...say('One.'), finish()],
      [...give('c2', { task_id: 'ses_2' }), done],
      [...say('Two.'), finish()],
      [...say('Both.'), finish()],
    ],
    { tools, facts: { price: { input: 1, output: 10 } } },
  );
  await session.prompt('Twice');
  expect(await session.rested()).toBe('idle');
  const own = { usage: { inputTokens: 30, outputTokens: 15 }, cost: 180e-6 };
  const all = { usage: { inputTokens: 50, outputTokens: 25 }, cost: 300e-6 };
  const rounded = ({ usage, cost = 0 }: Spent) => ({ usage, cost: Number(cost.toFixed(9)) });
  expect(rounded(ownSpent(session.state))).toEqual(own);
  expect(rounded(spentWithTasks(session.state))).toEqual(all);
  const child = await childOf(sessions, session);
  const live = (id: string) => (id === child.id ? child.state : undefined);
  expect(rounded(spentWithTasks(session.state, live))).toEqual(all);
  await sessions.close(session.id);
  const { state } = await readSession(store, session.id);
  expect(rounded(spentWithTasks(state))).toEqual(all);
});

test('a sub-agent that fails is a failure that says why', async () => {
  const { session, events } = await harness(
    [[...give('c1', {}), done], failing, [...say('Then not.'), finish()]],
    { tools },
  );
  await session.prompt('Do it');
  expect(await session.rested()).toBe('idle');
  expect(lines(events)).toMatchInlineSnapshot(`
    [
      "prompt.accepted {"messageID":"msg_1","parentID":null,"text":"Do it","agent":"build","model":{"provider":"test","model":"parts"}}",
      "turn.started {"promptID":"msg_1"}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"task","input":{"description":"Look","prompt":"Look it up"}}",
      "task.started {"childID":"ses_2","messageID":"msg_2","callID":"c1","agent":"general","title":"Look","background":false}",
      "task.ended {"childID":"ses_2","state":"error","spent":{"usage":{}}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"failed","output":"<task id=\\"ses_2\\" agent=\\"general\\" title=\\"Look\\" state=\\"error\\">\\n<task_error>\\nThe key is wrong. Give another.\\n</task_error>\\n</task>","title":"Look","faultCode":"unexpected"}",
      "turn.ended {"status":"idle"}",
    ]
  `);
});

test('a sub-agent that says nothing is no empty success', async () => {
  const { session, events } = await harness(
    [
      [...give('c1', {}), done],
      [{ type: 'start', warnings: [] }, finish()],
      [...say('Then not.'), finish()],
    ],
    { tools },
  );
  await session.prompt('Do it');
  await session.rested();
  expect(ended(events, 'c1')).toMatchObject({ outcome: 'failed' });
  expect(ended(events, 'c1')?.output).toContain('without an answer');
});

test('stopping the turn stops the sub-agent', async () => {
  const { session, sessions, events } = await harness(
    [[...give('c1', {}), done], thenHang(say('Let me see'))],
    { tools },
  );
  await session.prompt('Do it');
  const child = await begun(sessions, session);
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(await child.rested()).toBe('aborted');
  await sessions.close(session.id);
  expect(lines(events)).toMatchInlineSnapshot(`
    [
      "prompt.accepted {"messageID":"msg_1","parentID":null,"text":"Do it","agent":"build","model":{"provider":"test","model":"parts"}}",
      "turn.started {"promptID":"msg_1"}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"task","input":{"description":"Look","prompt":"Look it up"}}",
      "task.started {"childID":"ses_2","messageID":"msg_2","callID":"c1","agent":"general","title":"Look","background":false}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"cancelled","output":"The user stopped this call.","title":"Look","metadata":{"interrupted":true}}",
      "turn.ended {"status":"aborted"}",
      "task.ended {"childID":"ses_2","state":"cancelled","spent":{"usage":{}}}",
    ]
  `);
  expect((await sessions.open(session.id)).state.tasks).toMatchObject([{ state: 'cancelled' }]);
});

test('what was begun goes on in the same session', async () => {
  const { session, sessions, model } = await harness(
    ({ messages }) => {
      const count = messages.length;
      const first = JSON.stringify(messages[0]);
      if (first.includes('Look it up')) return [...say(count === 1 ? 'One.' : 'Two.'), finish()];
      if (count === 1) return [...give('c1', { agent: 'oracle' }), done];
      const [id = ''] = session.state.tasks.map(({ childID }) => childID);
      if (count === 3) return [...give('c2', { task_id: id, subagent_type: '' }), done];
      return [...say('Done.'), finish()];
    },
    { tools },
  );
  await session.prompt('Ask twice');
  await session.rested();
  const child = await childOf(sessions, session);
  expect([...child.state.messages.values()].map(({ role, agent }) => `${role} ${agent}`)).toEqual([
    'user oracle',
    'assistant oracle',
    'user oracle',
    'assistant oracle',
  ]);
  expect(session.state.tasks).toMatchObject([{ callID: 'c2', state: 'completed' }]);
  expect(toolResult(model.requests.at(-1), 'c2')).toContain('Two.');
});

test.each<[string, Record<string, Json>, RegExp]>([
  [
    'an agent that is not there',
    { agent: 'nobody' },
    /no agent 'nobody'.*general, explore, librarian, oracle/,
  ],
  ['one that is not for this', { agent: 'build' }, /no agent 'build'/],
  ['work that is not there', { session_id: 'ses_other' }, /no task ses_other/],
])('%s is named in the error', async (_, input, text) => {
  const { session, events } = await harness(
    [
      [...give('c1', input), done],
      [...say('Oh.'), finish()],
    ],
    {
      tools,
    },
  );
  await session.prompt('Do it');
  await session.rested();
  expect(ended(events, 'c1')).toMatchObject({ outcome: 'failed' });
  expect(ended(events, 'c1')?.output).toMatch(text);
});

test('under plan a sub-agent cannot change files either, also where it was begun under build', async () => {
  let step = 0;
  const { session, sessions, events } = await harness(
    ({ messages }) => {
      const first = JSON.stringify(messages[0]);
      if (first.includes('Look it up')) {
        const last = messages.at(-1);
        return last?.role === 'user'
          ? [...call('e', 'change', { text: 'a' }), done]
          : [...say('Did what I could.'), finish()];
      }
      step++;
      const [id = ''] = session.state.tasks.map(({ childID }) => childID);
      if (step === 1) return [...give('c1', {}), done];
      if (step === 3) return [...give('c2', { session_id: id }), done];
      return [...say('Done.'), finish()];
    },
    { tools: [...taskTools(subagents), editing], settings: 'allow' },
  );
  await session.prompt('Do it');
  await session.rested();
  const child = await childOf(sessions, session);
  expect(outcomes(child, 'change')).toEqual(['ok']);
  await session.chooseAgent('plan');
  await session.prompt('Think again');
  await session.rested();
  expect(outcomes(child, 'change')).toEqual(['ok', 'denied']);
  expect(ended(events, 'c2')).toMatchObject({ outcome: 'ok' });
});

test('a call of the sub-agent that is refused without a word ends both turns', async () => {
  const { session, sessions, events } = await harness(
    [
      [...give('c1', {}), done],
      [...call('e', 'change', { text: 'a' }), done],
    ],
    { tools },
  );
  await session.prompt('Do it');
  const child = await begun(sessions, session);
  const { requestID } = await waiting(child);
  child.answer(requestID, { reply: 'reject' }, 'person');
  expect(await session.rested()).toBe('rejected');
  expect(child.state.lastTurn?.status).toBe('rejected');
  expect(ended(events, 'c1')).toMatchObject({ outcome: 'denied' });
});

test('allowed for this session in a sub-agent, it is allowed to the session and its next sub-agents', async () => {
  const { session, sessions } = await harness(
    ({ messages }) => {
      const first = JSON.stringify(messages[0]);
      const last = messages.at(-1)?.role;
      if (first.includes('Look it up'))
        return last === 'user' ? [...call('e', 'change', { text: 'a' }), done] : [...say('Done.'), finish()];
      if (messages.length < 5) return [...give(`c${messages.length}`, {}), done];
      return last === 'tool' && messages.length === 5
        ? [...call('m', 'change', { text: 'b' }), done]
        : [...say('Done.'), finish()];
    },
    { tools },
  );
  await session.prompt('Do it');
  const child = await begun(sessions, session);
  const { requestID } = await waiting(child);
  child.answer(requestID, { reply: 'session', patterns: ['*'] }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(session.state.tasks.map(({ state }) => state)).toEqual(['completed', 'completed']);
  expect(session.state.granted).toEqual([{ permission: 'change', pattern: '*', action: 'allow' }]);
});

test.each<[string, Reply]>([
  ['for this session', { reply: 'session', patterns: ['a'] }],
  ['always', { reply: 'always', patterns: ['a'] }],
])(
  'allowed %s in one sub-agent, it answers what waits in the others and in the session',
  async (_, reply) => {
    const { session, sessions } = await harness(
      ({ messages }) => {
        if (messages.at(-1)?.role === 'tool') return [...say('Done.'), finish()];
        if (JSON.stringify(messages[0]).includes('Look it up'))
          return [...call('e', 'change', { text: 'a' }), ...call('f', 'change', { text: 'b' }), done];
        return [...give('c1', {}), ...give('c2', {}), ...call('m', 'change', { text: 'a' }), done];
      },
      { tools },
    );
    const own = next(session, 'permission.asked');
    await session.prompt('Do it');
    await own;
    const first = await begun(sessions, session, 0);
    const second = await begun(sessions, session, 1);
    for (const child of [first, second])
      if (child.state.pending.size < 2) await next(child, 'permission.asked', ({ callID }) => callID === 'f');
    const answered = [next(session, 'permission.answered'), next(second, 'permission.answered')];
    first.answer(requestFor(first, 'e'), reply, 'person');
    for (const { by, reply: given } of await Promise.all(answered))
      expect({ by, given }).toEqual({ by: 'policy', given: { reply: 'once' } });
    expect(
      [first, second].map(({ state }) => [...state.pending.values()].map(({ callID }) => callID)),
    ).toEqual([['f'], ['f']]);
    for (const child of [first, second]) child.answer(requestFor(child, 'f'), { reply: 'once' }, 'person');
    expect(await session.rested()).toBe('idle');
  },
);

test('work that still runs is not given more', async () => {
  const child = held([...say('Two.'), finish()]);
  const { session, events } = await harness(
    ({ messages }) => {
      const [id = ''] = session.state.tasks.map(({ childID }) => childID);
      if (JSON.stringify(messages[0]).includes('Look it up'))
        return messages.length === 1 ? [...say('One.'), finish()] : child.step;
      if (messages.length === 1) return [...give('c1', {}), done];
      if (messages.length === 3) {
        void next(session, 'call.ended', ({ outcome }) => outcome === 'failed').then(() => child.let());
        return [...give('c2', { session_id: id }), ...give('c3', { session_id: id }), done];
      }
      return [...say('Done.'), finish()];
    },
    { tools },
  );
  await session.prompt('Start');
  expect(await session.rested()).toBe('idle');
  expect(ended(events, 'c2')?.output).toContain('Two.');
  expect(ended(events, 'c3')?.output).toMatch(/still runs/);
});

test('who answers in the person’s place answers for sub-agents too', async () => {
  const asked: string[] = [];
  const { session } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up'))
        return messages.length === 1
          ? [...call('e', 'change', { text: 'a' }), ...call('q', 'question', { question: 'Why?' }), done]
          : [...say('Done.'), finish()];
      return messages.length === 1 ? [...give('c1', {}), done] : [...say('Done.'), finish()];
    },
    {
      tools: [...tools, questionTool],
      answerer: async ({ sessionID, tool }) => {
        asked.push(`${sessionID} ${tool}`);
        return { reply: 'once' };
      },
      questionAnswerer: async ({ sessionID, tool }) => {
        asked.push(`${sessionID} ${tool}`);
        return [['Because.']];
      },
    },
  );
  await session.prompt('Start');
  expect(await session.rested()).toBe('idle');
  const [id = ''] = session.state.tasks.map(({ childID }) => childID);
  expect(asked.toSorted()).toEqual([`${id} change`, `${id} question`]);
});

test('work in the background ends out of order; each end is announced when it comes', async () => {
  const first = held([...say('First done.'), finish()]);
  const second = held([...say('Second done.'), finish()]);
  const announced: string[] = [];
  const { session, events } = await harness(
    ({ messages }) => {
      const prompt = JSON.stringify(messages[0]);
      if (prompt.includes('the first')) return first.step;
      if (prompt.includes('the second')) return second.step;
      const last = messages.at(-1);
      if (last?.role === 'user' && JSON.stringify(last).includes('background has ended')) {
        announced.push(/(First|Second) done/.exec(JSON.stringify(last))?.[1] ?? '');
        return [...say('Good.'), finish()];
      }
      return messages.length === 1
        ? [
            ...give('c1', { description: 'One', prompt: 'Do the first' }, 'background_task'),
            ...give('c2', { description: 'Two', prompt: 'Do the second' }, 'background_task'),
            done,
          ]
        : [...say('Both are under way.'), finish()];
    },
    { tools },
  );
  await session.prompt('Start both');
  expect(await session.rested()).toBe('idle');
  expect(session.state.tasks.map(({ state }) => state)).toEqual(['running', 'running']);
  const again = next(session, 'turn.ended');
  second.let();
  await again;
  const last = next(session, 'turn.ended');
  first.let();
  await last;
  expect(announced).toEqual(['Second', 'First']);
  expect(lines(events)).toMatchInlineSnapshot(`
    [
      "prompt.accepted {"messageID":"msg_1","parentID":null,"text":"Start both","agent":"build","model":{"provider":"test","model":"parts"}}",
      "turn.started {"promptID":"msg_1"}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"background_task","input":{"description":"One","prompt":"Do the first"}}",
      "call.running {"messageID":"msg_2","callID":"c2","tool":"background_task","input":{"description":"Two","prompt":"Do the second"}}",
      "task.started {"childID":"ses_2","messageID":"msg_2","callID":"c1","agent":"general","title":"One","background":true}",
      "task.started {"childID":"ses_3","messageID":"msg_2","callID":"c2","agent":"general","title":"Two","background":true}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"task_id: ses_2\\n<task id=\\"ses_2\\" agent=\\"general\\" title=\\"One\\" state=\\"running\\">\\n<task_progress>\\n0 steps, 0 calls so far.\\n</task_progress>\\n</task>","title":"One","metadata":{"sessionId":"ses_2","agent":"general","background":true,"steps":0,"calls":0,"tokens":{},"recent":[],"truncated":false}}",
      "call.ended {"messageID":"msg_2","callID":"c2","outcome":"ok","output":"task_id: ses_3\\n<task id=\\"ses_3\\" agent=\\"general\\" title=\\"Two\\" state=\\"running\\">\\n<task_progress>\\n0 steps, 0 calls so far.\\n</task_progress>\\n</task>","title":"Two","metadata":{"sessionId":"ses_3","agent":"general","background":true,"steps":0,"calls":0,"tokens":{},"recent":[],"truncated":false}}",
      "turn.ended {"status":"idle"}",
      "task.ended {"childID":"ses_3","state":"completed","spent":{"usage":{"inputTokens":10,"outputTokens":5},"unpriced":true}}",
      "prompt.accepted {"messageID":"msg_8","parentID":"msg_7","text":"Work that you had given to run in the background has ended. The app says this, not the user.\\n<task id=\\"ses_3\\" agent=\\"general\\" title=\\"Two\\" state=\\"completed\\">\\n<task_result>\\nSecond done.\\n</task_result>\\n</task>","agent":"build","model":{"provider":"test","model":"parts"},"origin":{"kind":"task-ended","childID":"ses_3","title":"Two","state":"completed"}}",
      "turn.started {"promptID":"msg_8"}",
      "turn.ended {"status":"idle"}",
      "task.ended {"childID":"ses_2","state":"completed","spent":{"usage":{"inputTokens":10,"outputTokens":5},"unpriced":true}}",
      "prompt.accepted {"messageID":"msg_10","parentID":"msg_9","text":"Work that you had given to run in the background has ended. The app says this, not the user.\\n<task id=\\"ses_2\\" agent=\\"general\\" title=\\"One\\" state=\\"completed\\">\\n<task_result>\\nFirst done.\\n</task_result>\\n</task>","agent":"build","model":{"provider":"test","model":"parts"},"origin":{"kind":"task-ended","childID":"ses_2","title":"One","state":"completed"}}",
      "turn.started {"promptID":"msg_10"}",
      "turn.ended {"status":"idle"}",
    ]
  `);
});

test('what ends while a turn runs joins it', async () => {
  const child = held([...say('Child done.'), finish()]);
  const asked: string[] = [];
  const { session, events } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up')) return child.step;
      const last = messages.at(-1);
      asked.push(last?.role ?? '');
      if (messages.length === 1) return [...give('c1', {}, 'background_task'), done];
      if (last?.role === 'tool' && messages.length === 3)
        return [...call('c2', 'change', { text: 'x' }), done];
      return [...say('Good.'), finish()];
    },
    { tools },
  );
  const ask = next(session, 'permission.asked');
  await session.prompt('Start');
  const { requestID } = await ask;
  const announced = next(session, 'prompt.accepted');
  child.let();
  expect((await announced).origin).toMatchObject({ kind: 'task-ended', state: 'completed', title: 'Look' });
  session.answer(requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(asked).toEqual(['user', 'tool', 'user']);
  expect(events.filter(({ type }) => type === 'turn.started')).toHaveLength(1);
});

test('background_output waits, and who was told so is not told again', async () => {
  const child = held([...say('Child done.'), finish()]);
  const { session, sessions, events, timer } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up')) return child.step;
      const [id = ''] = session.state.tasks.map(({ childID }) => childID);
      if (messages.length === 1) return [...give('c1', {}, 'background_task'), done];
      if (messages.length === 3)
        return [...call('c2', 'background_output', { task_id: id, wait: true, timeout: 1 }), done];
      if (messages.length === 5)
        return [...call('c3', 'background_output', { task_id: id, wait: true }), done];
      return [...say('Good.'), finish()];
    },
    { tools },
  );
  const second = next(session, 'call.running', ({ callID }) => callID === 'c3');
  await session.prompt('Start');
  await passing(timer, 1000, second);
  child.let();
  expect(await session.rested()).toBe('idle');
  expect(ended(events, 'c2')).toMatchObject({ outcome: 'ok' });
  expect(ended(events, 'c2')?.output).toContain('state="running"');
  expect(ended(events, 'c3')?.output).toContain('Child done.');
  expect(events.filter(({ type }) => type === 'prompt.accepted')).toHaveLength(1);
  await childOf(sessions, session);
});

test('looking again and again is no loop', async () => {
  const child = held([...say('Child done.'), finish()]);
  const { session, events } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up')) return child.step;
      const [id = ''] = session.state.tasks.map(({ childID }) => childID);
      if (messages.length === 1) return [...give('c1', {}, 'background_task'), done];
      if (messages.length < 13)
        return [...call(`o${messages.length}`, 'background_output', { task_id: id }), done];
      return [...say('Good.'), finish()];
    },
    { tools },
  );
  await session.prompt('Start');
  expect(await session.rested()).toBe('idle');
  expect(events.filter(({ type }) => type === 'permission.asked')).toEqual([]);
});

test('background_cancel stops it, and nothing is announced', async () => {
  const { session, sessions, events } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up')) return thenHang(say('Let me see'));
      const [id = ''] = session.state.tasks.map(({ childID }) => childID);
      if (messages.length === 1) return [...give('c1', {}, 'background_task'), done];
      if (messages.length === 3) return [...call('c2', 'background_cancel', { session_id: id }), done];
      return [...say('Good.'), finish()];
    },
    { tools },
  );
  await session.prompt('Start');
  expect(await session.rested()).toBe('idle');
  expect(ended(events, 'c2')?.output).toMatch(/state="cancelled"[^]*Let me see/);
  expect((await childOf(sessions, session)).state.lastTurn?.status).toBe('aborted');
  expect(events.filter(({ type }) => type === 'prompt.accepted')).toHaveLength(1);
});

test('what ends after the person has stopped the session waits for the next prompt', async () => {
  const child = held([...say('Child done.'), finish()]);
  const { session, model } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up')) return child.step;
      if (messages.length === 1) return [...give('c1', {}, 'background_task'), done];
      return messages.length === 3 ? thenHang(say('Let me')) : [...say('Good.'), finish()];
    },
    { tools },
  );
  const second = next(session, 'step.part', ({ part }) => part.type === 'text-delta');
  await session.prompt('Start');
  await second;
  session.abort();
  await session.rested();
  const announced = next(session, 'prompt.accepted');
  child.let();
  await announced;
  expect(session.state.turn).toBeNull();
  await session.prompt('Go on');
  expect(await session.rested()).toBe('idle');
  const told = JSON.stringify(model.requests.at(-1)?.messages);
  expect(told).toContain('Child done.');
  expect(told).toContain('Go on');
});

test('work of a tab that died is interrupted, and told at the next opening', async () => {
  const options = {
    tools,
    ids: countingIds(),
  };
  const { session, sessions, store } = await harness(({ messages }) => {
    if (JSON.stringify(messages[0]).includes('Look it up')) return thenHang(say('Let me see'));
    return messages.length === 1
      ? [...give('c1', {}, 'background_task'), ...give('c2', {}), done]
      : [...say('Good.'), finish()];
  }, options);
  await session.prompt('Start');
  await next(session, 'task.started', ({ background }) => !background);
  await begun(sessions, session, 1);
  // The first tab counts as dead: its later writes are ignored.
  const after = sessionsOver([[...say('I see.'), finish()]], { ...options, store });
  const opened = await after.sessions.open(session.id);
  expect(opened.state.tasks.map(({ state }) => state)).toEqual(['interrupted', 'interrupted']);
  expect(opened.state.turn).toBeNull();
  const told = [...opened.state.messages.values()].flatMap(({ origin }) => origin ?? []);
  expect(told).toMatchObject([{ kind: 'task-ended', state: 'interrupted' }]);
});

test('a sub-agent that came to its end just before the tab died is told as done', async () => {
  const options = { tools, ids: countingIds() };
  const storage = memoryStorage();
  let parentID = '';
  let dead = false;
  // Nothing that the parent writes after the end of its child reaches the disk.
  const store = withCommits(storage.sessions, async (commit, write) => {
    const { sessionID, events } = commit;
    if (dead && sessionID === parentID) return new Promise(() => undefined);
    await write();
    if (sessionID !== parentID && events.some(({ type }) => type === 'turn.ended')) dead = true;
  });
  const { session } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up')) return [...say('It is in a.ts.'), finish()];
      return messages.length === 1
        ? [...give('c1', {}, 'background_task'), ...call('c2', 'change', { text: 'x' }), done]
        : [...say('Good.'), finish()];
    },
    { ...options, store },
  );
  parentID = session.id;
  const gone = next(session, 'task.ended');
  await session.prompt('Start');
  await gone;
  const after = sessionsOver([[...say('I see.'), finish()]], { ...options, store: storage.sessions });
  const { state } = await after.sessions.open(session.id);
  expect(state.tasks).toMatchObject([{ state: 'completed' }]);
  expect(state.turn).toBeNull();
  const told = [...state.messages.values()].find(({ origin }) => origin);
  expect(told?.origin).toMatchObject({ kind: 'task-ended', state: 'completed' });
  expect(JSON.stringify(told?.partKeys.map((key) => state.parts.get(key)))).toContain('It is in a.ts.');
  expect(after.model.requests).toEqual([]);
});

test.each([
  ['before it works', false],
  ['while it asks', true],
])('a tab that follows a session from %s follows its sub-agents too, with what they ask', async (_, late) => {
  const { store } = sessionsOver([]);
  const other = sessionsOver([], { store }).sessions;
  const { session, sessions, timer } = await harness(
    [
      [...give('c1', {}), done],
      [...call('e', 'change', { text: 'a' }), done],
      [...say('Changed.'), finish()],
      [...say('Done.'), finish()],
    ],
    { tools, store, onCommitted: (id, events) => void other.receive(id, events) },
  );
  if (!late) await other.follow(session.id);
  await session.prompt('Do it');
  const child = await begun(sessions, session);
  const { requestID } = await waiting(child);
  if (late) await other.follow(session.id);
  const seen = () => other.live().find(({ id }) => id === child.id);
  await passing(
    timer,
    100,
    vi.waitUntil(() => seen()?.state.pending.has(requestID)),
  );
  expect(seen()).toMatchObject({ writable: false });
  child.answer(requestID, { reply: 'once' }, 'person');
  await session.rested();
  await passing(
    timer,
    100,
    vi.waitUntil(() => seen()?.state.pending.size === 0),
  );
  await other.closeWorkspace(session.state.workspaceID);
  await settled();
  expect(other.live()).toEqual([]);
});

test('who takes over while a sub-agent is about to be followed does not follow it any more', async () => {
  const { store, workspace } = sessionsOver([]);
  const { session, sessions, timer } = await harness(
    ({ messages }) =>
      JSON.stringify(messages[0]).includes('Look it up')
        ? thenHang(say('Let me see'))
        : [...give('c1', {}), done],
    { tools, store, workspace },
  );
  await session.prompt('Do it');
  await begun(sessions, session);
  timer.advance(1000);
  await settled();
  const slowly = over(store, {
    session: async (id) => {
      if (id !== session.id) await settled();
      return store.session(id);
    },
  });
  const other = sessionsOver([], { store: slowly, workspace }).sessions;
  await other.follow(session.id);
  await other.closeWorkspace(workspace.id);
  for (let read = 0; read < 4; read++) await settled();
  expect(other.live()).toEqual([]);
});

test('who lets go of the workspace stops the session before its sub-agents: it makes nothing of their end', async () => {
  const { session, sessions, workspace, model, events } = await harness(
    ({ messages }) =>
      JSON.stringify(messages[0]).includes('Look it up')
        ? thenHang(say('Let me see'))
        : messages.length === 1
          ? [...give('c1', {}), done]
          : [...say('Good.'), finish()],
    { tools },
  );
  await session.prompt('Start');
  await begun(sessions, session);
  await vi.waitUntil(() => model.requests.length === 2);
  await sessions.closeWorkspace(workspace.id);
  expect(ended(events, 'c1')).toMatchObject({ outcome: 'cancelled' });
  expect(session.state.tasks).toMatchObject([{ state: 'cancelled' }]);
  expect(model.requests).toHaveLength(2);
  expect(sessions.live()).toEqual([]);
});

test('work that is given while the turn is stopped is not begun', async () => {
  const storage = memoryStorage();
  let stop = (): void => undefined;
  const store = withCommits(storage.sessions, async ({ events }, write) => {
    if (events.some((event) => event.type === 'session.created' && event.parent)) stop();
    await write();
  });
  const { session, sessions, model } = await harness(
    [
      [...give('c1', {}, 'background_task'), done],
      [...say('Child.'), finish()],
    ],
    { tools, store },
  );
  stop = () => session.abort();
  await session.prompt('Start');
  expect(await session.rested()).toBe('aborted');
  await settled();
  await sessions.close(session.id);
  expect(model.requests).toHaveLength(1);
  expect(session.state.tasks).toEqual([]);
  expect(await sessions.list()).toMatchObject([{ id: session.id }]);
  expect(sessions.live()).toEqual([]);
});

test('what ends in the moment in which the person stops the session starts no turn', async () => {
  const child = held([...say('Child done.'), finish()]);
  let stop = (): void => undefined;
  const store = withCommits(memoryStorage().sessions, async ({ events }, write) => {
    if (events.some((event) => event.type === 'prompt.accepted' && event.origin?.kind === 'task-ended')) {
      stop();
      await settled();
    }
    await write();
  });
  const { session, model } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up')) return child.step;
      if (messages.length === 1) return [...give('c1', {}, 'background_task'), done];
      return messages.length === 3 ? thenHang(say('Let me')) : [...say('Good.'), finish()];
    },
    { tools, store },
  );
  const second = next(session, 'step.part', ({ part }) => part.type === 'text-delta');
  await session.prompt('Start');
  await second;
  const over = next(session, 'turn.ended');
  stop = () => session.abort();
  const requests = model.requests.length;
  child.let();
  expect((await over).status).toBe('aborted');
  await settled();
  await session.rested();
  expect(session.state.turn).toBeNull();
  expect(model.requests).toHaveLength(requests);
});

test('going on with a task is asked for as its agent, so that what is denied for that agent holds', async () => {
  const settings: Record<string, 'allow' | 'deny'> = { '*': 'allow' };
  const { session, events } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up')) return [...say('Done.'), finish()];
      const [id = ''] = session.state.tasks.map(({ childID }) => childID);
      if (messages.length === 1) return [...give('c1', { agent: 'oracle' }), done];
      if (messages.length === 3) {
        settings.oracle = 'deny';
        return [...give('c2', { session_id: id }), done];
      }
      return [...say('Good.'), finish()];
    },
    { tools, settings: { task: settings } },
  );
  await session.prompt('Start');
  expect(await session.rested()).toBe('idle');
  expect(ended(events, 'c1')).toMatchObject({ outcome: 'ok' });
  expect(ended(events, 'c2')).toMatchObject({ outcome: 'denied' });
});

test('task with background: true is work in the background', async () => {
  const child = held([...say('Child done.'), finish()]);
  const { session, events } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up')) return child.step;
      return messages.length === 1
        ? [...give('c1', { background: true, command: '/look' }), done]
        : [...say('Good.'), finish()];
    },
    { tools },
  );
  await session.prompt('Start');
  expect(await session.rested()).toBe('idle');
  expect(ended(events, 'c1')?.output).toMatch(/^task_id: ses_2\n/);
  expect(session.state.tasks).toMatchObject([{ background: true, state: 'running' }]);
  const announced = next(session, 'prompt.accepted');
  child.let();
  expect((await announced).origin).toMatchObject({ kind: 'task-ended', state: 'completed' });
  await session.rested();
});

test('who lets go of the workspace stops what works there, and that is told', async () => {
  const { session, sessions, workspace } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up')) return thenHang(say('Let me see'));
      return messages.length === 1
        ? [...give('c1', {}, 'background_task'), done]
        : [...say('Good.'), finish()];
    },
    { tools },
  );
  await session.prompt('Start');
  await session.rested();
  await sessions.closeWorkspace(workspace.id);
  expect(sessions.live()).toEqual([]);
  const { state } = await sessions.open(session.id);
  expect(state.tasks).toMatchObject([{ state: 'cancelled' }]);
  expect([...state.messages.values()].flatMap(({ origin }) => origin ?? [])).toMatchObject([
    { kind: 'task-ended', state: 'cancelled' },
  ]);
  expect(state.turn).toBeNull();
});

test('a session is deleted and brought back with those that worked for it', async () => {
  const { session, sessions } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up')) return thenHang(say('Let me see'));
      return messages.length === 1
        ? [...give('c1', {}, 'background_task'), done]
        : [...say('Good.'), finish()];
    },
    { tools },
  );
  await session.prompt('Start');
  await session.rested();
  expect(await sessions.list()).toHaveLength(2);
  await sessions.delete(session.id);
  expect(await sessions.list()).toEqual([]);
  expect(sessions.live()).toEqual([]);
  await sessions.restore(session.id);
  expect(await sessions.list()).toHaveLength(2);
  expect((await sessions.open(session.id)).state.tasks).toMatchObject([{ state: 'cancelled' }]);
});

test('the mode of the session holds for those that work for it, also when it changes meanwhile', async () => {
  const { session, sessions } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Look it up'))
        return messages.length < 5
          ? [...call(`e${messages.length}`, 'change', { text: 'a' }), done]
          : [...say('Did what I could.'), finish()];
      return messages.length === 1 ? [...give('c1', {}), done] : [...say('Done.'), finish()];
    },
    { tools: [...taskTools(subagents), editing] },
  );
  await session.setMode('auto-edit');
  const first = next(session, 'task.started');
  await session.prompt('Do it');
  await first;
  const child = await childOf(sessions, session);
  await next(child, 'call.ended');
  await session.setMode('plan');
  expect(await session.rested()).toBe('idle');
  expect(outcomes(child, 'change')).toEqual(['ok', 'denied']);
});

/** A tool that asks for permission to edit. */
const editing = define('change', {
  description: 'Changes a file.',
  parameters: z.object({ text: z.string() }),
  asksFirst: true,
  execute: async ({ text }, context) => {
    const input = { text };
    await context.ask({
      permission: 'edit',
      patterns: [text],
      always: [],
      subject: { kind: 'input', input },
    });
    return 'changed';
  },
});

/** Calls `commit` for every commit; its `write` does the real one. */
function withCommits(
  store: SessionStore,
  commit: (commit: Commit, write: () => Promise<void>) => Promise<void>,
): SessionStore {
  return over(store, {
    commit: (given, durability) => commit(given, () => store.commit(given, durability)),
  });
}

function over(store: SessionStore, changed: Partial<SessionStore>): SessionStore {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(Object.hasOwn(changed, name) ? changed : target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Waits long enough for everything that depends only on promises. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A step that streams its parts once `let` is called. */
function held(parts: Extract<PartsStep, readonly unknown[]>) {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const step: PartsStep = async function* () {
    await opened;
    yield* parts;
  };
  return { step, let: open };
}

/** Resolves to the sub-agent's session once it works. */
async function begun(sessions: Sessions, session: Session, index = 0): Promise<Session> {
  if (session.state.tasks.length <= index) await next(session, 'task.started');
  const child = await childOf(sessions, session, index);
  if (child.state.messages.size < 2) await next(child, 'step.started');
  return child;
}

async function childOf(sessions: Sessions, { state }: Session, index = 0): Promise<Session> {
  const task = state.tasks[index];
  if (!task) throw new Error('No work was given out.');
  return sessions.open(task.childID);
}

async function waiting(session: Session): Promise<{ requestID: string }> {
  const [requestID] = session.state.pending.keys();
  return requestID === undefined ? next(session, 'permission.asked') : { requestID };
}

function requestFor({ state }: Session, callID: string): string {
  return [...state.pending.values()].find((request) => request.callID === callID)?.id ?? '';
}

function outcomes({ state }: Session, tool: string): readonly (string | undefined)[] {
  return [...state.parts.values()].flatMap((part) =>
    part.type === 'tool' && part.tool === tool ? [part.outcome] : [],
  );
}

function ended(events: readonly Event[], callID: string) {
  return events.flatMap((event) => (event.type === 'call.ended' && event.callID === callID ? event : []))[0];
}

function toolResult(request: ModelRequest | undefined, callID: string): string {
  return JSON.stringify(
    request?.messages.flatMap(({ role, content }) =>
      role === 'tool'
        ? content.filter((part) => part.type === 'tool-result' && part.toolCallId === callID)
        : [],
    ),
  );
}

/** Lines about calls, tasks, prompts and turns only, without the number of progress updates. */
function lines(events: readonly Event[]): string[] {
  return golden(events).filter((line) => /^(call\.(running|ended)|task|turn|prompt)/.test(line));
}

test('what the person refused in this turn is refused to a sub-agent unasked, and the other way round', async () => {
  const twice = (id: string, text: string) => [...call(id, 'change', { text }), done];
  const { session, sessions, events } = await harness(
    [
      twice('c1', 'a'),
      [...give('c2', { agent: 'general' }), done],
      twice('c3', 'a'),
      twice('c4', 'b'),
      [...say('I may not.'), finish()],
      twice('c5', 'b'),
      [...say('Neither may I.'), finish()],
    ],
    { tools },
  );
  const refuse = async (asker: Session) => {
    const { requestID } = await next(asker, 'permission.asked');
    asker.answer(requestID, { reply: 'reject', message: 'Not that.' }, 'person');
  };
  const here = refuse(session);
  const started = next(session, 'task.started');
  await session.prompt('Go');
  await here;
  const child = await sessions.open((await started).childID);
  await refuse(child);
  expect(await session.rested()).toBe('idle');
  const asked = (all: readonly Event[]) =>
    all.flatMap((event) => (event.type === 'permission.asked' ? event.patterns : []));
  expect(asked(events)).toEqual(['a']);
  const outcomes = [...child.state.parts.values()].flatMap((part) =>
    part.type === 'tool' ? part.output : [],
  );
  expect(outcomes).toEqual([
    expect.stringContaining('already refused exactly this in this turn'),
    expect.stringContaining('The user refused this call and said: Not that.'),
  ]);
  expect([...session.state.parts.values()].at(-2)).toMatchObject({
    callID: 'c5',
    output: expect.stringContaining('already refused exactly this'),
  });
});

test('a sub-agent has a list of tasks of its own, and does not see the one of its parent', async () => {
  const todos = [{ content: 'Of the parent', status: 'pending', priority: 'high' }];
  const { session, sessions } = await harness(
    [
      [...call('c1', 'todowrite', { todos }), done],
      [...give('c2', { agent: 'general' }), done],
      [...call('c3', 'todoread', {}), done],
      [...say('Nothing to do.'), finish()],
      [...say('Done.'), finish()],
    ],
    { tools: [...tools, todowriteTool, todoreadTool] },
  );
  await session.prompt('Go');
  await session.rested();
  const child = await childOf(sessions, session);
  expect(session.state.todos).toHaveLength(1);
  expect(child.state.todos).toEqual([]);
  expect(JSON.stringify([...child.state.parts.values()])).not.toContain('Of the parent');
});
