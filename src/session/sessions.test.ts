import { expect, test } from 'vitest';
import { call, finish, say, thenHang } from '../../test/support/parts-model.ts';
import { harness, next, sessionsOver } from '../../test/support/session-harness.ts';
import { countingIds, steppingClock } from '../base/clock.ts';
import { FaultError } from '../base/fault.ts';
import { timeoutTimer } from '../base/timer.ts';
import { memoryStorage } from '../storage/memory/storage.ts';
import { ToolRegistry } from '../tools/registry.ts';
import type { Event } from './log/events.ts';
import { SessionFollower } from './log/follower.ts';
import { readSession } from './log/open.ts';
import { emptyState } from './log/reduce.ts';
import { Sessions } from './sessions.ts';

test('an open session is one object; closed, it is read again with everything it had', async () => {
  const { sessions, session } = await harness([[...say('Hello.'), finish()]]);
  expect(await sessions.open(session.id)).toBe(session);
  await session.prompt('Hi');
  await session.rested();
  await sessions.close(session.id);
  expect(session.writable).toBe(false);
  await expect(session.prompt('More')).rejects.toMatchObject({ fault: { code: 'session-closed' } });
  const again = await sessions.open(session.id);
  expect(again).not.toBe(session);
  expect(again.state).toEqual(session.state);
});

test('deleting is undoable; deleted sessions are not listed', async () => {
  const { sessions, session } = await harness([]);
  await sessions.delete(session.id);
  expect(await sessions.list()).toEqual([]);
  await sessions.restore(session.id);
  expect((await sessions.list()).map(({ id }) => id)).toEqual([session.id]);
});

test('the first prompt names a session that has no name, and does not rename one that has', async () => {
  const { sessions, session } = await harness([
    [...say('a'), finish()],
    [...say('b'), finish()],
  ]);
  await session.prompt('Something else');
  expect(session.state.title).toBe('Test');
  const unnamed = await sessions.create({ workspaceID: 'wsp_memory' });
  await unnamed.prompt(`Fix the parser ${'please '.repeat(20)}\nand more`);
  expect(unnamed.state.title).toMatch(/^Fix the parser please .*…$/);
  expect(unnamed.state.title.length).toBeLessThanOrEqual(60);
});

test('the list and what is live tell when they change', async () => {
  const { sessions, session } = await harness([[...say('a'), finish()]]);
  let changes = 0;
  sessions.onChange(() => changes++);
  await session.rename('Other');
  expect(changes).toBe(1);
  expect((await sessions.list())[0]?.state.title).toBe('Other');
  await sessions.close(session.id);
  expect(sessions.live()).toEqual([]);
  expect(changes).toBe(2);
});

test('a prompt without words, or without a model, is refused before anything is written', async () => {
  const storage = memoryStorage();
  const sessions = new Sessions({
    store: storage.sessions,
    rules: storage.rules,
    clock: steppingClock(),
    ids: countingIds(),
    timer: timeoutTimer,
    registry: new ToolRegistry(),
    model: () => Promise.reject(new Error('not asked')),
    defaultModel() {
      throw new FaultError({ code: 'no-model', what: 'No model is chosen.' });
    },
    workspace: () => Promise.reject(new Error('not asked')),
    settings: () => ({}),
  });
  const session = await sessions.create({ workspaceID: 'w' });
  await expect(session.prompt(' \n ')).rejects.toMatchObject({ fault: { code: 'empty-prompt' } });
  await expect(session.prompt('Hi')).rejects.toMatchObject({ fault: { code: 'no-model' } });
  expect(session.state.nextSeq).toBe(1);
  // A prompt that cannot be worked on is accepted, and the turn ends with the reason.
  await session.prompt('Hi', { model: { provider: 'p', model: 'm' } });
  expect(await session.rested()).toBe('error');
  expect(session.state.lastTurn?.fault?.what).toBe('not asked');
});

test('opening reads the newest page; the loop still tells the model everything', async () => {
  const rounds = 40;
  const steps = Array.from({ length: rounds + 1 }, (_, index) => [...say(`Answer ${index}.`), finish()]);
  const first = await harness(steps.slice(0, rounds));
  for (let index = 0; index < rounds; index++) {
    await first.session.prompt(`Question ${index}`);
    await first.session.rested();
  }
  await first.sessions.close(first.session.id);
  const ids = countingIds();
  const { sessions, model } = sessionsOver(steps.slice(rounds), {
    store: first.store,
    ids: { next: (prefix) => `${ids.next(prefix)}_later` },
  });
  const session = await sessions.open(first.session.id);
  expect(session.state.messages.size).toBe(50);
  expect(session.oldestLoaded).toBe(false);
  await session.prompt('The last one');
  await session.rested();
  expect(model.requests[0]?.messages).toHaveLength(2 * rounds + 1);
  expect(session.state.messages.size).toBe(52);
  expect(await session.loadOlder()).toBe(true);
  expect(session.oldestLoaded).toBe(true);
  expect([...session.state.messages.values()].map(({ seq }) => seq)).toEqual(
    [...session.state.messages.values()].map(({ seq }) => seq).sort((a, b) => a - b),
  );
  expect(session.state.messages.size).toBe(2 * rounds + 2);
  expect(await session.loadOlder()).toBe(false);
});

test('a follower shows what was committed, and reads from the store what it missed', async () => {
  const { session, store } = await harness([
    [...call('c1', 'echo', {}), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  await session.prompt('Go');
  await session.rested();
  await session.close();
  const events = await store.events(session.id, 0);
  const follower = new SessionFollower(store, emptyState(session.id), true);
  const heard: number[] = [];
  follower.onEvents((batch) => heard.push(...batch.map(({ seq }) => seq)));
  const batches: Event[][] = [events.slice(0, 3), events.slice(8, 10), events.slice(4, 9), events.slice(10)];
  await Promise.all(batches.map((batch) => follower.receive(batch)));
  expect(heard).toEqual(events.map(({ seq }) => seq));
  expect(follower.state).toEqual(session.state);
  await expect(follower.prompt()).rejects.toMatchObject({ fault: { code: 'read-only' } });
});

test('a session that is followed while it runs looks as it does where it runs', async () => {
  const { session, sessions, store } = await harness([
    [...call('c1', 'change', {}), finish('tool-calls')],
    [finish()],
  ]);
  const asked = next(session, 'permission.asked');
  await session.prompt('Go');
  const { requestID } = await asked;
  await session.rename('While it waits');
  const { state, record } = await readSession(store, session.id);
  expect(state).toEqual(session.state);
  expect(record.state.title).toBe('While it waits');
  session.answer(requestID, { reply: 'once' }, 'person');
  await session.rested();
  await sessions.close(session.id);
  expect((await readSession(store, session.id)).state).toEqual(session.state);
});

test('full outputs past their time are dropped by an event, wherever their message is', async () => {
  const long = 'line\n'.repeat(5_000);
  const { session, sessions, store, model } = await harness([
    [...call('c1', 'echo', { text: long }), finish('tool-calls')],
    [...say('Done.'), finish()],
    [...say('Again.'), finish()],
  ]);
  await session.prompt('Go');
  await session.rested();
  const [output] = await store.expiredOutputs(Infinity);
  expect(await store.blobs.get(output?.blob ?? '')).toBeDefined();
  await sessions.close(session.id);
  // A tab that only follows leaves the outputs to the tab that writes.
  await sessions.dropExpiredOutputs(Infinity, () => false);
  expect(await store.expiredOutputs(Infinity)).toHaveLength(1);
  await sessions.dropExpiredOutputs(Infinity, () => true);
  expect(await store.expiredOutputs(Infinity)).toEqual([]);
  expect(await store.blobs.get(output?.blob ?? '')).toBeUndefined();
  const again = await sessions.open(session.id);
  const part = [...again.state.parts.values()].find(({ type }) => type === 'tool');
  expect(part).toMatchObject({ fullOutputDropped: true, output: expect.stringContaining('line') });
  expect(model.requests).toHaveLength(2);
});

test('the files at the start of the session are kept before the first call runs', async () => {
  const order: string[] = [];
  const storage = memoryStorage();
  const base = sessionsOver([
    [...call('c1', 'echo', {}), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  const sessions = new Sessions({
    store: storage.sessions,
    rules: storage.rules,
    clock: steppingClock(),
    ids: countingIds(),
    timer: timeoutTimer,
    registry: new ToolRegistry((await import('../../test/support/session-harness.ts')).testTools),
    model: async () => base.model,
    defaultModel: () => base.model.ref,
    workspace: async () => base.workspace,
    settings: () => ({}),
    snapshot: async (_workspace, sink) => {
      await sink.put('manifest', new Uint8Array([1]));
      return 'manifest';
    },
  });
  const session = await sessions.create({ workspaceID: 'w' });
  session.onEvents((events) => order.push(...events.map(({ type }) => type)));
  await session.prompt('Go');
  await session.rested();
  expect(order.indexOf('snapshot.taken')).toBeLessThan(order.indexOf('call.running'));
  expect(session.state.startSnapshot).toBe('manifest');
  expect(order.filter((type) => type === 'snapshot.taken')).toHaveLength(1);
});

test('who opens a session while it closes gets it with everything that was written', async () => {
  const { sessions, session } = await harness([[...say('Hello.'), finish()]]);
  await session.prompt('Hi');
  const closing = sessions.close(session.id);
  const again = await sessions.open(session.id);
  await closing;
  expect(again).not.toBe(session);
  expect(again.writable).toBe(true);
  expect(again.state).toEqual(session.state);
  expect(sessions.live()).toEqual([again]);
});

test('a session that another tab went on with stops here, and takes no more prompts', async () => {
  const { session, store } = await harness([thenHang(say('Hm'))]);
  await session.prompt('Go');
  await session.rename('Mine');
  const [stored] = await store.sessions();
  if (!stored) throw new Error('Not stored.');
  const events: Event[] = [
    { type: 'session.kept', keep: true, v: 1, sessionID: session.id, seq: session.state.nextSeq, time: 1 },
  ];
  await store.commit({ sessionID: session.id, events, messages: [], session: stored, blobs: [] }, 'relaxed');
  await session.rename('Mine too').catch(() => undefined);
  expect(await session.rested()).toBe('aborted');
  expect(session.writable).toBe(false);
  await expect(session.prompt('More')).rejects.toMatchObject({ fault: { code: 'log-conflict' } });
});

test('rules that cannot be read are told, and the turn goes on without them', async () => {
  const { session, rules } = await harness([[...say('Hello.'), finish()]]);
  const told: string[] = [];
  session.onProblem(({ what }) => told.push(what));
  rules.list = () => Promise.reject(new Error('No rules today.'));
  await session.prompt('Hi');
  expect(await session.rested()).toBe('idle');
  expect(told).toEqual(['No rules today.']);
});
