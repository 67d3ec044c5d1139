import { expect, test } from 'vitest';
import { call, finish, say, type PartsStep } from '../../../test/support/parts-model.ts';
import { harness, next } from '../../../test/support/session-harness.ts';
import { FaultError } from '../../base/fault.ts';
import { MemorySessionStore } from '../../storage/memory/session-store.ts';
import type { Event } from '../log/events.ts';
import type { Commit } from '../log/store.ts';

const full = { code: 'storage-full', what: 'The disk is full.', next: 'Make room.' };

class FillingStore extends MemorySessionStore {
  full = false;
  cleared = false;

  override async events(id: string, from: number): Promise<readonly Event[]> {
    return this.cleared ? [] : super.events(id, from);
  }

  override async commit(commit: Commit): Promise<void> {
    if (this.full) throw new FaultError(full);
    await super.commit(commit);
  }
}

async function filling(steps: readonly PartsStep[]) {
  const store = new FillingStore();
  return { ...(await harness(steps, { store, settings: { '*': 'allow' } })), store };
}

const told = {
  ...full,
  what: 'The agent stopped because this session cannot be saved: The disk is full.',
};

test('a prompt that cannot be stored reaches no model, and the turn says why', async () => {
  const { session, store, model } = await filling([[...say('Hello.'), finish()]]);
  store.full = true;
  await session.prompt('Go');
  expect(await session.rested()).toBe('error');
  expect(session.state.lastTurn?.fault).toEqual(told);
  expect(model.requests).toHaveLength(0);
});

test('when a result cannot be stored, no other model call is made', async () => {
  const { session, store, model, events } = await filling([
    [...call('c1', 'echo', {}), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  const running = next(session, 'call.running');
  await session.prompt('Go');
  await running;
  store.full = true;
  expect(await session.rested()).toBe('error');
  expect(session.state.lastTurn?.fault).toEqual(told);
  expect(model.requests).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'step.started')).toHaveLength(
    events.filter(({ type }) => type === 'step.ended').length,
  );
});

test.each(['echo', 'change'])('when the answer cannot be stored, no tool runs: %s', async (tool) => {
  const { session, store, model, events } = await filling([
    async function* () {
      yield* say('Let me.');
      store.full = true;
      await session.stored();
      yield* [...call('c1', tool, {}), finish('tool-calls')];
    },
  ]);
  await session.prompt('Go');
  expect(await session.rested()).toBe('error');
  expect(model.requests).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'call.ended')).toMatchObject([
    { outcome: 'cancelled', output: 'Not run: the session could no longer be saved, so the turn ended.' },
  ]);
});

test('an answer that cannot be stored ends in an error, not in idle', async () => {
  const { session, store } = await filling([
    async function* () {
      yield* say('Hello.');
      store.full = true;
      yield finish();
    },
  ]);
  await session.prompt('Go');
  expect(await session.rested()).toBe('error');
  expect(session.state.lastTurn?.fault).toEqual(told);
});

test('once there is room again the next prompt goes through, and everything is stored', async () => {
  const { session, store, events } = await filling([[...say('Hello.'), finish()]]);
  store.full = true;
  await session.prompt('Go');
  await session.rested();
  expect(session.unstored().events.length).toBeGreaterThan(0);
  store.full = false;
  await session.prompt('Again');
  expect(await session.rested()).toBe('idle');
  const [created] = await store.events(session.id, 0);
  expect(await store.events(session.id, 0)).toEqual([created, ...events]);
  expect(session.unstored().events).toEqual([]);
});

test('the whole log is told from memory where it is not stored, or not at all', async () => {
  const { session, sessions, store, events } = await filling([[...say('Hello.'), finish()]]);
  await session.stored();
  const stored = await store.events(session.id, 0);
  store.full = true;
  await session.prompt('Go');
  await session.rested();
  expect(await sessions.wholeLog(session.id)).toEqual([...stored, ...events]);
  store.cleared = true;
  await expect(sessions.wholeLog(session.id)).rejects.toMatchObject({
    fault: { code: 'session-incomplete' },
  });
});
