import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashBytes } from '../base/hash.ts';
import type { JournalChange } from '../protocol/journal.ts';
import { Database } from './database.ts';
import type { WorkspaceRecord } from '../workspace/registry.ts';
import { IdbFileJournal } from './journal.ts';
import { IdbWorkspaceRegistry } from './workspace-registry.ts';

let name: string;
let database: Database;

beforeEach(async () => {
  name = `journal-${crypto.randomUUID()}`;
  database = await Database.open(name, { onProblem: failOn, onCreated() {}, onRecovered() {} });
});

afterEach(async () => {
  database.close();
  await deleteDB(name);
});

test('many small appends end up in few records, in the background', async () => {
  const journal = await opened();
  const expected = new Map<string, number>();
  for (let i = 0; i < 450; i++) {
    const path = `f${i % 30}`;
    expected.set(path, i % 256);
    await journal.append([put(path, 10, i)]);
  }
  await journal.compacted();
  expect(await stored()).toMatchObject({ records: expect.toSatisfy((n: number) => n <= 102) });
  expect(await contents()).toEqual(expected);
});

test('writing one big file over and over does not fill the disk', async () => {
  const journal = await opened();
  for (let i = 0; i < 60; i++) await journal.append([put('big', 700_000, i)]);
  await journal.compacted();
  expect((await stored()).bytes).toBeLessThan(20_000_000);
  expect(await contents()).toEqual(new Map([['big', 59]]));
});

test('a workspace that only grows is not rewritten', async () => {
  const journal = await opened();
  for (let i = 0; i < 12; i++) await journal.append([put(`f${i}`, 900_000, i)]);
  await journal.compacted();
  expect(await keys()).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
});

test('an append during a merge stays on top of the merged layers', async () => {
  const journal = await opened();
  const appends: Promise<void>[] = [];
  for (let i = 0; i < 1_000; i++) appends.push(journal.append([put(`f${i % 7}`, 20, i)]));
  await Promise.all(appends);
  await journal.compacted();
  const last = new Map(Array.from({ length: 7 }, (_, i) => [`f${(993 + i) % 7}`, (993 + i) % 256]));
  expect(await contents()).toEqual(last);
});

test('a merge keeps removals that affect older layers below', async () => {
  const journal = await opened();
  await journal.append([put('d/old', 600_000, 1), put('keep', 600_000, 2)]);
  await journal.append([{ op: 'remove', path: 'd' }]);
  for (let i = 0; i < 110; i++) await journal.append([put('x', 1, i)]);
  await journal.compacted();
  expect((await stored()).records).toBeLessThan(20);
  expect(await contents()).toEqual(
    new Map([
      ['keep', 2],
      ['x', 109],
    ]),
  );
});

test('each workspace is compacted separately', async () => {
  const other = await opened('wsp_2');
  await other.append([put('theirs', 10, 1)]);
  const journal = await opened();
  for (let i = 0; i < 150; i++) {
    await journal.append([put('mine', 10, i)]);
    await other.append([put('theirs', 10, i + 1)]);
  }
  await Promise.all([journal.compacted(), other.compacted()]);
  expect(await contents()).toEqual(new Map([['mine', 149]]));
  expect(await contents('wsp_2')).toEqual(new Map([['theirs', 150]]));
});

test('workspaces share the contents that are stored apart, and only what nothing names is removed', async () => {
  const [first, second] = [await opened(), await opened('wsp_2')];
  await first.append([apart('node_modules/a', 1), apart('node_modules/b', 2)]);
  await second.append([apart('node_modules/a', 1)]);
  expect(await blobs()).toHaveLength(2);
  await first.append([{ op: 'remove', path: 'node_modules' }]);
  const again = await opened();
  await again.collected();
  expect(await blobs()).toEqual([1]);
  expect(await second.contents([apart('', 1).node.stored.hash])).toEqual([new Uint8Array(100).fill(1)]);
});

test('what is stored while others are removed stays', async () => {
  const journal = await opened();
  await journal.append(Array.from({ length: 40 }, (_, n) => apart(`node_modules/${n}`, n)));
  await journal.append([{ op: 'remove', path: 'node_modules' }]);
  const again = await opened();
  await again.append([apart('node_modules/new', 3), apart('node_modules/other', 50)]);
  await again.collected();
  expect(await blobs()).toEqual([3, 50]);
  expect(await again.contents([apart('', 3).node.stored.hash])).toEqual([new Uint8Array(100).fill(3)]);
});

test('a workspace reads no content that it has not stored itself', async () => {
  const { hash } = apart('', 1).node.stored;
  await (await opened()).append([apart('node_modules/a', 1)]);
  const other = await opened('wsp_2');
  await other.append([{ ...apart('node_modules/a', 1), bytes: new Uint8Array(0) }]);
  expect(await other.contents([hash])).toEqual([undefined]);
});

test('a copy of a workspace keeps its contents when the original is removed for good', async () => {
  const registry = new IdbWorkspaceRegistry(database, async () => {}, failOn);
  const record: WorkspaceRecord = {
    id: 'wsp_1',
    name: '',
    kind: 'embedded',
    created: 0,
    updated: 0,
    deleted: null,
    touched: true,
  };
  await registry.create(record);
  await (await opened()).append([apart('node_modules/a', 1), apart('node_modules/b', 2)]);
  await registry.copy('wsp_1', { ...record, id: 'wsp_2' });
  await registry.markDeleted('wsp_1', 1);
  await registry.purge(2);
  expect(await blobs()).toEqual([1, 2]);
  await registry.markDeleted('wsp_2', 1);
  await registry.purge(2);
  expect(await blobs()).toEqual([]);
});

async function opened(workspaceID = 'wsp_1'): Promise<IdbFileJournal> {
  const journal = new IdbFileJournal(database, workspaceID, failOn);
  await journal.load();
  return journal;
}

/** The first byte of each file, which identifies the write that it came from. */
async function contents(workspaceID = 'wsp_1'): Promise<Map<string, number | undefined>> {
  const { packs } = await new IdbFileJournal(database, workspaceID, failOn).load();
  return new Map(
    packs.flatMap(({ entries, bytes }) => entries.map(({ path, offset }) => [path, bytes[offset]] as const)),
  );
}

async function keys(): Promise<IDBValidKey[]> {
  const raw = await openDB(name);
  const found = await raw.getAllKeys('files');
  raw.close();
  return found;
}

async function stored(): Promise<{ records: number; bytes: number }> {
  const raw = await openDB(name);
  const rows = await raw.getAll('files');
  raw.close();
  return { records: rows.length, bytes: rows.reduce((sum, row) => sum + row.bytes.length, 0) };
}

/** The first byte of each content that is stored apart. */
async function blobs(): Promise<(number | undefined)[]> {
  const raw = await openDB(name);
  const rows = await raw.getAll('blobs');
  raw.close();
  return rows.map(({ bytes }) => bytes[0]).sort((a, b) => a - b);
}

function apart(path: string, n: number) {
  const bytes = new Uint8Array(100).fill(n);
  const stored = { hash: hashBytes(bytes), size: 100 };
  return {
    op: 'put',
    node: { path, type: 'file', mode: 0o644, modified: n, stored },
    bytes,
  } satisfies JournalChange;
}

function put(path: string, size: number, n: number): JournalChange {
  return {
    op: 'put',
    node: { path, type: 'file', mode: 0o644, modified: n },
    bytes: new Uint8Array(size).fill(n % 256),
  };
}

function failOn(fault: unknown): never {
  throw new Error(JSON.stringify(fault));
}
