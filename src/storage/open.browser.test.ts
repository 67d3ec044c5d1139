import { deleteDB, openDB } from 'idb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { TestLog } from '../../test/support/storage/test-log.ts';
import { FaultError, type Fault } from '../base/fault.ts';
import { Database } from './database.ts';
import { openStorage } from './open.ts';
import { DB_VERSION } from './schema.ts';
import type { Storage } from './storage.ts';

const names: string[] = [];
const opened: Storage[] = [];

afterEach(async () => {
  for (const storage of opened.splice(0)) storage.close();
  await Promise.all(names.splice(0).map((name) => deleteDB(name)));
});

function newName(): string {
  const name = `open-${crypto.randomUUID()}`;
  names.push(name);
  return name;
}

async function open(name: string, marks: Map<string, string> = new Map()) {
  const problems: Fault[] = [];
  const heard: ((fault: Fault) => void)[] = [];
  const storage = await openStorage({
    name,
    marks: { getItem: (key) => marks.get(key) ?? null, setItem: (key, value) => void marks.set(key, value) },
    onProblem(fault) {
      problems.push(fault);
      for (const resolve of heard.splice(0)) resolve(fault);
    },
  });
  opened.push(storage);
  return { storage, problems, nextProblem: () => new Promise<Fault>((resolve) => heard.push(resolve)) };
}

test('a fresh storage is persistent and reports no problem', async () => {
  const { storage, problems } = await open(newName());
  expect(storage.persistent).toBe(true);
  expect(await storage.usage()).toMatchObject({ used: expect.any(Number), quota: expect.any(Number) });
  expect(await storage.requestPersistence()).toBeTypeOf('boolean');
  expect(problems).toEqual([]);
});

test('stored data is there after reopening', async () => {
  const name = newName();
  const log = new TestLog('ses_1').prompt('msg_1', 'one');
  const first = await open(name);
  await first.storage.sessions.commit(log.commit(), 'strict');
  first.storage.close();
  const { storage } = await open(name);
  expect(await storage.sessions.events('ses_1', 0)).toEqual(log.events);
});

describe('without IndexedDB, the reason is reported and everything is kept in memory', () => {
  test('a database of a newer version', async () => {
    const name = newName();
    (await openDB(name, DB_VERSION + 1)).close();
    const { storage, problems } = await open(name);
    expect(storage.persistent).toBe(false);
    expect(problems).toMatchObject([{ code: 'storage-too-new', where: name, next: expect.any(String) }]);
    const log = new TestLog('ses_1');
    await storage.sessions.commit(log.commit(), 'strict');
    expect(await storage.sessions.events('ses_1', 0)).toEqual(log.events);
    // The newer version's data is left alone.
    const other = await openDB(name);
    expect(other.version).toBe(DB_VERSION + 1);
    other.close();
  });

  test('a page that may not store anything', async () => {
    const name = newName();
    const refusal = new DOMException('Not allowed.', await errorInOpaqueFrame());
    const refused = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw refusal;
    });
    const { storage, problems } = await open(name).finally(() => refused.mockRestore());
    expect(storage.persistent).toBe(false);
    expect(problems).toMatchObject([{ code: 'storage-unavailable', next: expect.any(String) }]);
  });

  test('a database that the browser cannot open', async () => {
    const refused = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('Internal error opening backing store.', 'UnknownError');
    });
    const { storage, problems } = await open(newName()).finally(() => refused.mockRestore());
    expect(storage.persistent).toBe(false);
    expect(problems).toMatchObject([
      { code: 'storage-unavailable', what: expect.stringContaining('backing store') },
    ]);
  });
});

/** The name of the error for a page that may not use storage. */
async function errorInOpaqueFrame(): Promise<string> {
  const frame = document.createElement('iframe');
  frame.sandbox.add('allow-scripts');
  frame.srcdoc = `<script>try { indexedDB.open('x') } catch (error) { parent.postMessage(error.name, '*') }</script>`;
  const said = new Promise<string>((resolve) => {
    const listen = ({ source, data }: MessageEvent) => {
      if (source !== frame.contentWindow) return;
      removeEventListener('message', listen);
      resolve(data);
    };
    addEventListener('message', listen);
  });
  document.body.append(frame);
  try {
    return await said;
  } finally {
    frame.remove();
  }
}

test('an upgrade that an open tab blocks is reported, and continues once that tab has closed', async () => {
  const name = newName();
  (await open(name)).storage.close();
  const stubborn = await openRaw(name);
  const problems: Fault[] = [];
  const database = await Database.open(
    name,
    {
      onProblem(fault) {
        problems.push(fault);
        stubborn.close();
      },
      onCreated() {},
      onRecovered() {},
    },
    DB_VERSION + 1,
  );
  expect(problems).toMatchObject([{ code: 'storage-blocked', next: expect.any(String) }]);
  database.close();
});

test('a tab whose storage is taken over by a newer version says so and writes no more', async () => {
  const name = newName();
  const { storage, problems, nextProblem } = await open(name);
  const told = nextProblem();
  const newer = await openDB(name, DB_VERSION + 1);
  expect(await told).toMatchObject({ code: 'storage-superseded', next: expect.any(String) });
  expect(await codeOf(storage.settings.set('a', 1))).toBe('storage-superseded');
  expect(problems).toHaveLength(1);
  newer.close();
});

test('a wiped storage is reported when the app opens', async () => {
  const name = newName();
  const marks = new Map<string, string>();
  (await open(name, marks)).storage.close();
  await deleteDB(name);
  const { storage, problems } = await open(name, marks);
  expect(problems).toMatchObject([{ code: 'storage-wiped' }]);
  expect(storage.persistent).toBe(true);
});

test('a storage that is wiped under an open tab is reported, and still works', async () => {
  const name = newName();
  const { storage, problems } = await open(name);
  await storage.settings.set('a', 1);
  await deleteDB(name);
  expect(await storage.settings.get('a')).toBeUndefined();
  await storage.settings.set('a', 2);
  expect(await storage.settings.get('a')).toBe(2);
  expect(problems).toMatchObject([{ code: 'storage-wiped' }]);
});

test('a connection that the browser closes while it opens is reopened', async () => {
  const open = IDBFactory.prototype.open;
  let ended = 0;
  const spy = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (this: IDBFactory, ...args) {
    const request = open.apply(this, args);
    // After the listener that creates the stores, which fails once the transaction has ended.
    if (ended++ < 2)
      queueMicrotask(() => request.addEventListener('upgradeneeded', () => request.transaction?.abort()));
    return request;
  });
  const database = await Database.open(newName(), {
    onProblem: (fault) => expect.unreachable(fault.what),
    onRecovered: () => {},
    onCreated: () => {},
  }).finally(() => spy.mockRestore());
  expect(ended).toBe(3);
  database.close();
});

test('a closed storage rejects every call', async () => {
  const { storage } = await open(newName());
  storage.close();
  expect(await codeOf(storage.sessions.sessions())).toBe('storage-unavailable');
});

describe('damaged records', () => {
  async function damage(name: string, store: string, change: (row: Record<string, unknown>) => void) {
    const database = await openDB(name);
    const cursor = await database.transaction(store, 'readwrite').store.openCursor();
    const row = structuredClone(cursor!.value);
    change(row);
    const key = cursor!.primaryKey;
    await (database.transaction(store).store.keyPath === null
      ? database.put(store, row, key)
      : database.put(store, row));
    database.close();
  }

  async function filled() {
    const name = newName();
    const { storage, problems } = await open(name);
    for (const id of ['ses_1', 'ses_2'])
      await storage.sessions.commit(
        new TestLog(id).prompt('msg_1', 'one').answer('msg_2', 'needle').commit(),
        'strict',
      );
    return { name, storage, problems };
  }

  test('a damaged session is left out of the list and reported', async () => {
    const { name, storage, problems } = await filled();
    await damage(name, 'sessions', (row) => Object.assign(row['state'] as object, { title: 7 }));
    expect((await storage.sessions.sessions()).map(({ id }) => id)).toEqual(['ses_2']);
    expect(problems).toMatchObject([{ code: 'record-damaged', where: 'sessions "ses_1" state.title' }]);
    expect(await faultOf(storage.sessions.session('ses_1'))).toMatchObject({ code: 'record-damaged' });
    // Nothing is deleted: the log of the session is still there.
    expect(await storage.sessions.events('ses_1', 0)).toHaveLength(7);
  });

  test('a damaged message is reported, and its log stays readable', async () => {
    const { name, storage } = await filled();
    await damage(name, 'messages', (row) => Object.assign(row['message'] as object, { role: 'ghost' }));
    expect(await faultOf(storage.sessions.messages('ses_1', { limit: 9 }))).toMatchObject({
      code: 'record-damaged',
      where: 'messages ["ses_1",1] message.role',
    });
    expect(await storage.sessions.events('ses_1', 0)).toHaveLength(7);
    expect(await storage.sessions.messages('ses_2', { limit: 9 })).toHaveLength(2);
  });

  test('a damaged event is reported with its batch, position and field', async () => {
    const { name, storage } = await filled();
    await damage(name, 'events', (row) => Object.assign((row['events'] as object[])[1]!, { text: null }));
    expect(await faultOf(storage.sessions.events('ses_1', 0))).toMatchObject({
      code: 'record-damaged',
      where: 'events ["ses_1",0] events[1].text',
    });
    expect(await storage.sessions.events('ses_2', 0)).toHaveLength(7);
  });

  test('an event at the wrong position counts as damaged', async () => {
    const { name, storage } = await filled();
    await damage(name, 'events', (row) => (row['events'] as object[]).splice(1, 1));
    expect(await faultOf(storage.sessions.events('ses_1', 0))).toMatchObject({
      code: 'record-damaged',
      where: 'events ["ses_1",0] events[1]',
    });
  });

  test('damaged files are reported, the others load, and compaction leaves them alone', async () => {
    const name = newName();
    const { storage, problems } = await open(name);
    const put = (path: string) =>
      ({
        op: 'put',
        node: { path, type: 'file', mode: 0o644, modified: 1 },
        bytes: new Uint8Array([1]),
      }) as const;
    const writer = storage.journal('wsp_1');
    await writer.append([put('damaged')]);
    await writer.append([put('whole')]);
    await damage(name, 'files', (row) => Object.assign((row['entries'] as object[])[0]!, { offset: 10 }));
    const journal = storage.journal('wsp_1');
    const paths = async () =>
      (await journal.load()).packs.flatMap(({ entries }) => entries.map(({ path }) => path));
    expect(await paths()).toEqual(['whole']);
    expect(problems).toMatchObject([
      { code: 'record-damaged', where: expect.stringMatching(/^files \d+ entries\[0\]$/) },
    ]);
    for (let i = 0; i < 150; i++) await journal.append([put('whole')]);
    const database = await openDB(name);
    expect(await database.count('files')).toBe(152);
    database.close();
  });

  test('a damaged rule is left out and reported, so that it is asked for again', async () => {
    const name = newName();
    const { storage, problems } = await open(name);
    await storage.rules.save('wsp_1', [{ permission: 'bash', pattern: 'ls', action: 'allow' }], 1);
    await storage.rules.save('wsp_1', [{ permission: 'bash', pattern: 'rm', action: 'deny' }], 1);
    await damage(name, 'rules', (row) => Object.assign(row, { action: 'maybe' }));
    expect(await storage.rules.list('wsp_1')).toHaveLength(1);
    expect(problems).toMatchObject([{ code: 'record-damaged', where: expect.stringContaining('action') }]);
  });
});

/** A connection that keeps an upgrade waiting until it is closed. */
function openRaw(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, DB_VERSION);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await faultOf(promise))?.code ?? 'none';
}

async function faultOf(promise: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return error.fault;
  }
}
