import { expect, test } from 'vitest';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say, thenHang } from '../../../test/support/parts-model.ts';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { harness, next, passing } from '../../../test/support/session-harness.ts';
import { memoryStorage } from '../../storage/memory/storage.ts';

test('stop while the model streams', async () => {
  const { session, events, model } = await harness([
    thenHang([
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', text: 'Hm.' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', text: 'I will' },
      { type: 'tool-input-start', callID: 'c1', tool: 'echo' },
      { type: 'tool-input-delta', callID: 'c1', delta: '{"te' },
    ]),
    [...say('Again.'), finish()],
  ]);
  const typed = next(session, 'step.part', ({ part }) => part.type === 'tool-input-delta');
  await session.prompt('Go');
  await typed;
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(golden(events)).toMatchInlineSnapshot(`
    [
      "prompt.accepted {"messageID":"msg_1","parentID":null,"text":"Go","agent":"build","model":{"provider":"test","model":"parts"}}",
      "turn.started {"promptID":"msg_1"}",
      "step.started {"messageID":"msg_2","parentID":"msg_1","step":0,"base":null,"appended":1}",
      "step.sent msg_2",
      "msg_2 · reasoning-start {"id":"r"}",
      "msg_2 · reasoning-delta {"id":"r","text":"Hm."}",
      "msg_2 · text-start {"id":"t"}",
      "msg_2 · text-delta {"id":"t","text":"I will"}",
      "msg_2 · tool-input-start {"callID":"c1","tool":"echo"}",
      "msg_2 · tool-input-delta {"callID":"c1","delta":"{\\"te"}",
      "msg_2 · reasoning-end {"id":"r"}",
      "msg_2 · text-end {"id":"t"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"cancelled","output":"The user stopped the turn before this call ran.","title":""}",
      "step.ended {"messageID":"msg_2","reason":"other","usage":{}}",
      "turn.ended {"status":"aborted"}",
    ]
  `);
  expectAllClosed(session);

  await session.prompt('Once more');
  expect(await session.rested()).toBe('idle');
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
});

test('stop while a tool runs keeps its output so far, within 100 ms', async () => {
  const { session, events, timer } = await harness(
    [
      [
        ...call('c1', 'endless', { text: 'line' }),
        ...call('c2', 'change', { text: 'b' }),
        finish('tool-calls'),
      ],
    ],
    { settings: { change: { line: 'allow' } } },
  );
  const printed = next(session, 'call.output');
  await session.prompt('Go');
  await passing(timer, 16, printed);
  const started = performance.now();
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(performance.now() - started).toBeLessThan(100);
  expect(golden(events).filter((line) => /^(call|permission.answered|step.ended|turn)/.test(line)))
    .toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"endless","input":{"text":"line"}}",
      "call.progress {"messageID":"msg_2","callID":"c1","metadata":{"progress":50}}",
      "call.output {"messageID":"msg_2","callID":"c1","text":"line so far\\n"}",
      "permission.answered {"messageID":"msg_2","callID":"c2","requestID":"req_1","reply":{"reply":"reject"},"by":"cancelled"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"cancelled","output":"line so far\\n\\n[The user stopped this call.]","title":"","metadata":{"interrupted":true}}",
      "call.ended {"messageID":"msg_2","callID":"c2","outcome":"cancelled","output":"The user stopped the turn before this call ran.","title":"","metadata":{"interrupted":true}}",
      "step.ended {"messageID":"msg_2","reason":"tool-calls","usage":{"inputTokens":10,"outputTokens":5}}",
      "turn.ended {"status":"aborted"}",
    ]
  `);
  expectAllClosed(session);
});

test('stop does not wait for a model that does not answer', async () => {
  const { session, events } = await harness([() => neverStreams()]);
  const started = next(session, 'step.started');
  await session.prompt('Go');
  await started;
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(events.at(-1)).toMatchObject({ type: 'turn.ended', status: 'aborted' });
});

test('stop does not wait for a workspace that does not answer', async () => {
  const workspace = new MemoryWorkspace();
  workspace.capabilities = () => new Promise(() => undefined);
  const { session } = await harness([], { workspace });
  await session.prompt('Go');
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expectAllClosed(session);
});

test('what a stopped tool still does reaches nobody', async () => {
  const { session, events, workspace } = await harness(
    [[...call('c1', 'endless', {}), finish('tool-calls')]],
    { settings: { change: 'allow' } },
  );
  const running = next(session, 'call.running');
  await session.prompt('Go');
  await running;
  session.abort();
  await session.rested();
  const count = events.length;
  await workspace.durable();
  expect(events).toHaveLength(count);
});

test('a turn that ended says so on disk before it rests', async () => {
  const storage = memoryStorage();
  const strict: string[] = [];
  const { commit } = storage.sessions;
  const store = Object.assign(storage.sessions, {
    commit: (...[batch, durability]: Parameters<typeof commit>) => {
      if (durability === 'strict') strict.push(...batch.events.map(({ type }) => type));
      return commit.call(storage.sessions, batch, durability);
    },
  });
  const { session } = await harness([[...say('Hi.'), finish()]], { store });
  await session.prompt('Hi');
  expect(strict).toContain('prompt.accepted');
  await session.rested();
  expect(strict.at(-1)).toBe('turn.ended');
});

async function* neverStreams(): AsyncGenerator<never> {
  await new Promise(() => undefined);
}

function expectAllClosed({ state }: Awaited<ReturnType<typeof harness>>['session']): void {
  expect(state.turn).toBeNull();
  expect(state.pending.size).toBe(0);
  for (const message of state.messages.values()) expect(message.ended, message.id).toBeDefined();
  for (const part of state.parts.values()) expect(part.ended, part.key).toBeDefined();
}

test('a prompt that is not accepted yet when the person stops starts no turn, and goes along with the next', async () => {
  const { session, events, model } = await harness([[...say('Both.'), finish()]]);
  const first = session.prompt('One');
  session.abort();
  await first;
  await session.rested();
  expect(events.map(({ type }) => type)).toEqual(['prompt.accepted']);
  await session.prompt('Two');
  expect(await session.rested()).toBe('idle');
  expect(model.requests.map(({ messages }) => messages.map(({ content }) => content))).toEqual([
    ['One', 'Two'],
  ]);
});
