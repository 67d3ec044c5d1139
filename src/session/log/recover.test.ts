import { expect, test } from 'vitest';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { harness, next, sessionsOver } from '../../../test/support/session-harness.ts';
import { countingIds, type Ids } from '../../base/clock.ts';
import { MemorySessionStore } from '../../storage/memory/session-store.ts';
import { readTool } from '../../tools/read/read.ts';
import type { Event } from './events.ts';
import { sessionRecord } from './records.ts';
import { emptyState } from './reduce.ts';

/** A store as left by a tab that died after these events: it has the log but no later record. */
async function storeWith(events: readonly Event[]): Promise<MemorySessionStore> {
  const store = new MemorySessionStore();
  const session = { ...sessionRecord(emptyState('ses_1')) };
  const state = { ...session.state, workspaceID: 'wsp_memory' };
  await store.commit({ sessionID: 'ses_1', events, messages: [], session: { ...session, state }, blobs: [] });
  return store;
}

/** Ids as after a reload of the page: the log has none of them. */
function laterIds(): Ids {
  const ids = countingIds();
  return { next: (prefix) => `${ids.next(prefix)}_later` };
}

async function sessionLog(): Promise<readonly Event[]> {
  const { session, store } = await harness([
    [
      ...say('Two things.'),
      ...call('c1', 'change', { text: 'a' }),
      ...call('c2', 'echo', {}),
      finish('tool-calls'),
    ],
    [...say('Done.'), finish()],
  ]);
  const asked = next(session, 'permission.asked');
  await session.prompt('Go');
  const { requestID } = await asked;
  session.answer(requestID, { reply: 'once' }, 'person');
  await session.rested();
  await session.close();
  return store.events(session.id, 0);
}

const log = await sessionLog();

test.each(log.map((event, index) => [index + 1, event.type] as const))(
  'a tab that died after event %i (%s): what was open is interrupted, and the session goes on',
  async (count) => {
    const store = await storeWith(log.slice(0, count));
    const { sessions, model } = sessionsOver([[...say('Back again.'), finish()]], { store, ids: laterIds() });
    const session = await sessions.open('ses_1');
    expect(session.state.turn).toBeNull();
    expect(session.state.pending.size).toBe(0);
    for (const message of session.state.messages.values()) expect(message.ended).toBeDefined();
    for (const part of session.state.parts.values())
      if (part.type === 'tool') expect(part.outcome).toBeDefined();
    await session.prompt('Go on');
    expect(await session.rested()).toBe('idle');
    const sent = model.requests[0]?.messages ?? [];
    const calls = sent.flatMap(({ role, content }) =>
      role === 'assistant' && typeof content !== 'string'
        ? content.filter(({ type }) => type === 'tool-call')
        : [],
    );
    const results = sent.flatMap(({ role, content }) => (role === 'tool' ? content : []));
    expect(results).toHaveLength(calls.length);
    await session.close();
    // Everything that was on disk is still there, unchanged.
    expect((await store.events('ses_1', 0)).slice(0, count)).toEqual(log.slice(0, count));
  },
);

test('a call that was open is interrupted, once', async () => {
  const asked = log.findIndex(({ type }) => type === 'permission.asked');
  const store = await storeWith(log.slice(0, asked + 1));
  const { sessions } = sessionsOver([], { store, ids: laterIds() });
  const session = await sessions.open('ses_1');
  await sessions.close('ses_1');
  const again = await sessions.open('ses_1');
  expect(again).not.toBe(session);
  await sessions.close('ses_1');
  expect(golden((await store.events('ses_1', 0)).slice(asked + 1))).toMatchInlineSnapshot(`
    [
      "permission.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","reply":{"reply":"reject"},"by":"cancelled"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"interrupted","output":"Interrupted: the page was closed before this call ran.","title":"","metadata":{"interrupted":true}}",
      "call.ended {"messageID":"msg_2","callID":"c2","outcome":"interrupted","output":"Interrupted: the page was closed before this call ran.","title":"","metadata":{"interrupted":true}}",
      "step.ended {"messageID":"msg_2","reason":"other","usage":{}}",
      "turn.ended {"status":"interrupted"}",
    ]
  `);
  expect(again.state.lastTurn).toEqual({ status: 'interrupted' });
});

test('records that cannot be read are made anew from the log', async () => {
  const store = await storeWith(log);
  store.messages = () => Promise.reject(new Error('Damaged.'));
  const { sessions } = sessionsOver([], { store, ids: laterIds() });
  const session = await sessions.open('ses_1');
  expect(session.state.messages.size).toBe(3);
});

test('a session that is not there is a fault that names it', async () => {
  const { sessions } = sessionsOver([]);
  await expect(sessions.open('ses_none')).rejects.toMatchObject({
    fault: { code: 'session-not-found', where: 'ses_none' },
  });
});

test('a tab that died while it asked for a file that the prompt names', async () => {
  const workspace = new MemoryWorkspace({ files: { '.env': 'TOKEN=abc' } });
  const tools = [readTool];
  const first = await harness([[...say('Fine.'), finish()]], { workspace, tools });
  const asked = next(first.session, 'permission.asked');
  await first.session.prompt('Use @.env');
  const { seq } = await asked;
  await first.session.close();
  const store = await storeWith((await first.store.events('ses_1', 0)).slice(0, seq + 1));
  const steps = [[...say('Back again.'), finish()]];
  const { sessions, model } = sessionsOver(steps, { store, workspace, tools, ids: laterIds() });
  const session = await sessions.open('ses_1');
  expect(session.state.pending.size).toBe(0);
  const [call] = [...session.state.parts.values()].filter(({ type }) => type === 'tool');
  expect(call).toMatchObject({ tool: 'read', outcome: 'interrupted' });
  await session.prompt('Go on');
  expect(await session.rested()).toBe('idle');
  const sent = JSON.stringify(model.requests[0]?.messages);
  expect(sent).toContain('.env, which the message above names, was not read: Interrupted');
  expect(sent).not.toContain('TOKEN');
});
