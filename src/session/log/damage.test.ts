import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, next, sessionsOver } from '../../../test/support/session-harness.ts';
import { countingIds, type Ids } from '../../base/clock.ts';
import { FaultError } from '../../base/fault.ts';
import { MemorySessionStore } from '../../storage/memory/session-store.ts';
import { readSession } from './open.ts';
import type { Commit, MessageRecord } from './store.ts';

/** Its message records can be damaged; writing a record again repairs it. */
class DamagedStore extends MemorySessionStore {
  readonly #damaged = new Set<number>();

  damage(seq: number): void {
    this.#damaged.add(seq);
  }

  override async messages(
    id: string,
    page: { readonly before?: number; readonly limit: number },
  ): Promise<readonly MessageRecord[]> {
    const records = await super.messages(id, page);
    if (records.some(({ seq }) => this.#damaged.has(seq)))
      throw new FaultError({ code: 'record-damaged', what: 'A stored record is damaged.' });
    return records;
  }

  override async commit(commit: Commit): Promise<void> {
    await super.commit(commit);
    for (const { seq } of commit.messages) this.#damaged.delete(seq);
  }
}

/** Ids as after a reload of the page: the log has none of them. */
function laterIds(): Ids {
  const ids = countingIds();
  return { next: (prefix) => `${ids.next(prefix)}_later` };
}

/** A closed session with this many prompts, each with an answer. */
async function stored(prompts: number) {
  const store = new DamagedStore();
  const { session, sessions } = await harness(
    Array.from({ length: prompts }, () => [...say('Yes.'), finish()]),
    { store },
  );
  for (let number = 0; number < prompts; number++) {
    await session.prompt(`Prompt ${number}`);
    await session.rested();
  }
  await sessions.close(session.id);
  return { store, id: session.id, state: session.state };
}

test('a damaged record of a new message: the session is made from its events, and the record anew', async () => {
  const { store, id, state } = await stored(2);
  const all = await store.messages(id, { limit: 100 });
  store.damage(all[1]?.seq ?? -1);
  await expect(store.messages(id, { limit: 100 })).rejects.toThrow('damaged');
  const { sessions, timer } = sessionsOver([], { store, ids: laterIds() });
  expect((await sessions.open(id)).state).toEqual(state);
  timer.advance(1_000);
  await sessions.close(id);
  expect(await store.messages(id, { limit: 100 })).toEqual(all);
});

test('a damaged record of an old message: it is shown when it is reached, and the session goes on', async () => {
  const { store, id, state } = await stored(60);
  const all = await store.messages(id, { limit: 1_000 });
  store.damage(all[3]?.seq ?? -1);
  const { sessions, model } = sessionsOver([[...say('Again.'), finish()]], { store, ids: laterIds() });
  const session = await sessions.open(id);
  expect(session.oldestLoaded).toBe(false);
  await session.prompt('One more');
  expect(await session.rested()).toBe('idle');
  expect(model.requests[0]?.messages).toHaveLength(121);
  while (!session.oldestLoaded) await session.loadOlder();
  expect([...session.state.messages.values()].slice(0, 120)).toEqual([...state.messages.values()]);
});

test('a store that fails otherwise is told, not passed over', async () => {
  const { store, id } = await stored(1);
  store.messages = () => Promise.reject(new FaultError({ code: 'storage-lost', what: 'Gone.' }));
  await expect(readSession(store, id)).rejects.toMatchObject({ fault: { code: 'storage-lost' } });
});

test('records that the writing tab renews while another one opens the session are not folded twice', async () => {
  const store = new MemorySessionStore();
  const { session, sessions } = await harness(
    [[...say('Yes.'), ...call('c1', 'change', {}), finish('tool-calls')]],
    { store },
  );
  const asked = next(session, 'permission.asked');
  await session.prompt('Go');
  await asked;
  await session.rename('Not in the records yet');
  const { messages } = store;
  let renewed = 0;
  store.messages = async (...page) => {
    store.messages = messages;
    await sessions.close(session.id);
    renewed = (await store.session(session.id))?.foldedTo ?? 0;
    return store.messages(...page);
  };
  expect((await readSession(store, session.id)).state).toEqual(session.state);
  expect(renewed).toBe(session.state.nextSeq);
});
