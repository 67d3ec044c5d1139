import { beforeEach, describe, expect, test } from 'vitest';
import { ManualTimer } from '../../../test/support/manual-timer.ts';
import { steppingClock } from '../../base/clock.ts';
import { FaultError } from '../../base/fault.ts';
import { MemorySessionStore } from '../../storage/memory/session-store.ts';
import type { Event } from './events.ts';
import { SessionLog, type LogStorage } from './log.ts';
import { sessionRecord } from './records.ts';
import { emptyState, reduce } from './reduce.ts';
import type { Commit, Durability } from './store.ts';

/** A store whose commits wait until the test lets them succeed or fail. */
class GatedStore extends MemorySessionStore {
  readonly commits: { readonly commit: Commit; readonly durability: Durability }[] = [];
  #waiting: { go(): void; fail(error: Error): void }[] = [];
  open = false;
  failure: Error | undefined;

  override async commit(commit: Commit, durability: Durability = 'relaxed'): Promise<void> {
    this.commits.push({ commit, durability });
    if (this.failure) throw this.failure;
    if (!this.open) await new Promise<void>((go, fail) => this.#waiting.push({ go, fail }));
    await super.commit(commit);
  }

  get inFlight(): number {
    return this.#waiting.length;
  }

  async pass(): Promise<void> {
    this.#waiting.shift()?.go();
    await settle();
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const title = (text: string) => ({ type: 'session.titled' as const, title: text });
const prompt = (messageID: string) => ({
  type: 'prompt.accepted' as const,
  messageID,
  parentID: null,
  text: messageID,
  agent: 'build',
  model: { provider: 'p', model: 'm' },
});

let store: GatedStore;
let timer: ManualTimer;
let log: SessionLog;
let committed: Event[];

beforeEach(() => {
  store = new GatedStore();
  timer = new ManualTimer();
  committed = [];
  const state = emptyState('ses_1');
  log = new SessionLog(
    { store, clock: steppingClock(), timer, onCommitted: (events) => committed.push(...events) },
    state,
    sessionRecord(state),
  );
});

test('an event that could not be read again is refused, and the log stays as it was', async () => {
  store.open = true;
  const { nextSeq } = log.state;
  const sizes = { system: 1, tools: 1, messages: NaN, outputs: 0, files: 0 };
  const request = { base: null, append: [], system: '', tools: '', settings: {}, sizes };
  expect(() => log.append({ type: 'request.edited', messageID: 'm', request })).toThrow(
    'request.edited: request.sizes.messages',
  );
  expect(log.state.nextSeq).toBe(nextSeq);
  log.append(title('Three'));
  await log.close();
  expect(await store.events('ses_1', 0)).toMatchObject([{ seq: nextSeq, title: 'Three' }]);
});

describe('writing', () => {
  test('an append is folded and told at once, and written a frame later', async () => {
    const heard: string[] = [];
    log.onEvents((events) => heard.push(...events.map(({ type }) => type)));
    log.append(title('One'));
    expect(log.state.title).toBe('One');
    expect(heard).toEqual(['session.titled']);
    expect(store.commits).toHaveLength(0);
    timer.advance(16);
    expect(store.commits).toHaveLength(1);
  });

  test('what comes while a commit is in flight waits for it, and goes out together', async () => {
    log.append(title('1'));
    timer.advance(16);
    for (let n = 2; n <= 5; n++) log.append(title(String(n)));
    const done = log.barrier('relaxed');
    expect(store.inFlight).toBe(1);
    expect(committed).toHaveLength(0);
    await store.pass();
    expect(committed).toHaveLength(1);
    await store.pass();
    await done;
    expect(store.commits.map(({ commit }) => commit.events.length)).toEqual([1, 4]);
    expect(committed.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4]);
  });

  test('a batch is at most a hundred events, and is full without waiting for a frame', async () => {
    store.open = true;
    for (let n = 0; n < 250; n++) log.append(title(String(n)));
    expect(store.commits).toHaveLength(1);
    await log.barrier('relaxed');
    expect(store.commits.map(({ commit }) => commit.events.length)).toEqual([100, 100, 50]);
  });

  test('only a strict barrier makes a commit strict, even one that follows the relaxed commit', async () => {
    store.open = true;
    log.append(title('1'));
    await log.barrier('relaxed');
    log.append(title('2'));
    await log.barrier('strict');
    log.append(title('3'));
    await log.barrier('relaxed');
    const strict = log.barrier('strict');
    await strict;
    expect(store.commits.map(({ durability }) => durability)).toEqual([
      'relaxed',
      'strict',
      'relaxed',
      'strict',
    ]);
  });

  test('a barrier with nothing to write for costs no commit', async () => {
    store.open = true;
    log.append(title('1'));
    await log.barrier('relaxed');
    await log.barrier('relaxed');
    expect(store.commits).toHaveLength(1);
  });

  test('blobs go into the same transaction as the event that names them', async () => {
    store.open = true;
    const blob = { hash: 'h', bytes: new Uint8Array([1]) };
    log.append(title('1'), [blob]);
    expect(await log.readBlob('h')).toEqual(blob.bytes);
    await log.barrier('relaxed');
    expect(store.commits[0]?.commit.blobs).toEqual([blob]);
  });
});

describe('closing', () => {
  test('writes what came while a commit was in flight, and the records', async () => {
    log.append(prompt('m1'));
    timer.advance(16);
    log.append(title('Late'));
    const closed = log.close();
    store.open = true;
    await store.pass();
    await closed;
    expect(await store.events('ses_1', 0)).toHaveLength(2);
    expect((await store.session('ses_1'))?.foldedTo).toBe(2);
    expect(await store.messages('ses_1', { limit: 10 })).toHaveLength(1);
  });
});

describe('what must be stored before it is shown', () => {
  test('is not in the state until it is on disk, and keeps what follows behind it', async () => {
    const accepted = log.appendStored(prompt('m1'), 'strict');
    log.append(title('After'));
    expect(log.behind).toBe(true);
    expect(log.head).toBe('m1');
    expect([log.state.messages.size, log.state.title]).toEqual([0, '']);
    await store.pass();
    await accepted;
    expect([log.state.messages.size, log.state.title]).toEqual([1, 'After']);
    expect(store.commits[0]?.durability).toBe('strict');
    expect(log.behind).toBe(false);
  });

  test('the log still is in one order: state and events agree', async () => {
    store.open = true;
    await Promise.all([
      log.appendStored(prompt('m1'), 'relaxed'),
      log.appendStored(prompt('m2'), 'strict'),
      log.appendStored(prompt('m3'), 'relaxed'),
    ]);
    await log.close();
    expect(reduce(await store.events('ses_1', 0), emptyState('ses_1'))).toEqual(log.state);
  });
});

describe('records', () => {
  test('deltas and short steps do not rewrite their message; the end of the turn does', async () => {
    store.open = true;
    await log.appendStored(prompt('m1'), 'strict');
    timer.advance(16);
    await settle();
    const request = { base: null, append: [], system: '', tools: '', settings: {} };
    const model = { provider: 'p', model: 'm' };
    log.append({
      type: 'step.started',
      messageID: 'm2',
      parentID: 'm1',
      step: 0,
      agent: 'b',
      model,
      request,
    });
    for (let n = 0; n < 20; n++) {
      const part = { type: 'text-delta' as const, id: 't', text: `${n} ` };
      log.append({ type: 'step.part', messageID: 'm2', part });
      await log.barrier('relaxed');
    }
    log.append({ type: 'step.ended', messageID: 'm2', reason: 'stop', usage: {} });
    await log.barrier('relaxed');
    expect(written('m2')).toBe(0);
    log.append({ type: 'turn.ended', status: 'idle' });
    await log.barrier('relaxed');
    expect(written('m2')).toBe(1);
    expect(written('m1')).toBe(1);
    const record = await store.session('ses_1');
    expect(record?.foldedTo).toBe(log.state.nextSeq);
  });

  test('in a long turn they are renewed by the end of a step once enough has happened', async () => {
    store.open = true;
    await log.appendStored(prompt('m1'), 'strict');
    timer.advance(16);
    await settle();
    const before = log.state.nextSeq;
    const part = { type: 'text-delta' as const, id: 't', text: 'x' };
    const step = { type: 'step.ended' as const, messageID: 'm1', reason: 'stop' as const, usage: {} };
    for (const count of [100, 98]) {
      expect((await store.session('ses_1'))?.foldedTo).toBe(before);
      for (let n = 0; n < count; n++) log.append({ type: 'step.part', messageID: 'm1', part });
      log.append(step);
      await log.barrier('relaxed');
    }
    expect((await store.session('ses_1'))?.foldedTo).toBe(before + 200);
  });

  test('nothing is written over and over while an ask waits', async () => {
    store.open = true;
    await log.appendStored(prompt('m1'), 'strict');
    log.append({
      type: 'permission.asked',
      messageID: 'm1',
      callID: 'c',
      requestID: 'r',
      tool: 't',
      permission: 't',
      patterns: [],
      always: [],
      subject: { kind: 'path', path: 'x' },
      decisions: [],
    });
    log.append(title('Named meanwhile'));
    await log.barrier('relaxed');
    const count = store.commits.length;
    for (let n = 0; n < 10; n++) {
      timer.advance(16);
      await settle();
    }
    expect(store.commits).toHaveLength(count);
    // The list shows the new name nevertheless.
    expect((await store.session('ses_1'))?.state.title).toBe('Named meanwhile');
  });

  function written(id: string): number {
    return store.commits.flatMap(({ commit }) => commit.messages).filter(({ message }) => message.id === id)
      .length;
  }
});

describe('a store that fails', () => {
  const full = new FaultError({ code: 'storage-full', what: 'The disk is full.' });

  test('is told, and the session goes on in memory', async () => {
    const told: LogStorage[] = [];
    log.onStorage((storage) => told.push(storage));
    store.failure = full;
    await log.appendStored(prompt('m1'), 'strict');
    expect(log.state.messages.size).toBe(1);
    expect(log.storage).toEqual({ state: 'failing', fault: full.fault });
    await log.appendStored(prompt('m2'), 'strict');
    expect(log.state.messages.size).toBe(2);
    expect(told).toHaveLength(1);
    expect(committed).toHaveLength(0);
  });

  test('is tried again, more and more rarely, and then gets everything', async () => {
    store.failure = full;
    await log.appendStored(prompt('m1'), 'strict');
    for (const wait of [1_000, 2_000, 4_000]) {
      const tries = store.commits.length;
      timer.advance(wait - 1);
      await settle();
      expect(store.commits).toHaveLength(tries);
      timer.advance(1);
      await settle();
      expect(store.commits).toHaveLength(tries + 1);
    }
    for (let n = 0; n < 150; n++) log.append(title(String(n)));
    store.failure = undefined;
    store.open = true;
    timer.advance(8_000);
    await settle();
    timer.advance(16);
    await settle();
    expect(log.storage).toEqual({ state: 'ok' });
    expect(await store.events('ses_1', 0)).toHaveLength(151);
    expect(committed).toHaveLength(151);
  });

  test('is tried again at once for what matters most', async () => {
    store.failure = full;
    await log.appendStored(prompt('m1'), 'strict');
    store.failure = undefined;
    store.open = true;
    await log.appendStored(prompt('m2'), 'strict');
    await settle();
    expect(log.storage).toEqual({ state: 'ok' });
    expect(await store.events('ses_1', 0)).toHaveLength(2);
  });

  test('that belongs to another writer by now is not written to again', async () => {
    store.failure = new FaultError({ code: 'log-conflict', what: 'Another tab wrote.' });
    await log.appendStored(prompt('m1'), 'strict');
    const tries = store.commits.length;
    log.append(title('more'));
    await log.appendStored(prompt('m2'), 'strict');
    timer.advance(100_000);
    await settle();
    expect(store.commits).toHaveLength(tries);
  });
});
