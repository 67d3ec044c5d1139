import { deleteDB } from 'idb';
import { afterEach, expect, test } from 'vitest';
import { commands } from 'vitest/browser';
import { dump, restore } from '../../test/support/storage/dump.ts';
import { blobOf, TestLog } from '../../test/support/storage/test-log.ts';
import type { Fault } from '../base/fault.ts';
import { readSession } from '../session/log/open.ts';
import { sessionRecord } from '../session/log/records.ts';
import { openStorage } from './open.ts';
import { DB_VERSION } from './schema.ts';
import type { Storage } from './storage.ts';

// A fixture is what a released version left on somebody's disk. Once released it never changes: a change of what
// is stored raises the version, adds a migration and a fixture, and all of them must still open.
const RELEASED = Object.values(
  import.meta.glob<{ version: number }>('./fixtures/v*.json', { eager: true, import: 'default' }),
);

/** The first version that stores the contents of packages apart from their names. */
const FIRST_APART = 3;

const names: string[] = [];
const opened: Storage[] = [];
afterEach(async () => {
  for (const storage of opened.splice(0)) storage.close();
  await Promise.all(names.splice(0).map((name) => deleteDB(name)));
});

for (const fixture of RELEASED)
  test(`what version ${fixture.version} stored is all there`, async () => {
    const name = newName();
    await restore(name, fixture);
    const { storage, problems } = await open(name);
    expect(storage.persistent).toBe(true);
    const log = sampleLog();
    const { state } = log.commit().session;
    const { title, created, updated, head } = state;
    expect(await storage.sessions.session('ses_1')).toMatchObject({
      state: { title, created, updated, head },
      deleted: null,
    });
    expect(sessionRecord((await readSession(storage.sessions, 'ses_1')).state).state).toEqual(state);
    expect(await storage.sessions.events('ses_1', 0)).toEqual(log.events);
    expect(await storage.sessions.messages('ses_1', { limit: 9 })).toEqual(log.records());
    expect(await storage.sessions.search('sample fixture', 9)).toMatchObject([{ sessionID: 'ses_1' }]);
    expect(await storage.sessions.expiredOutputs(Infinity)).toMatchObject([{ callID: 'call_1' }]);
    expect(await storage.blobs.get(blobOf('output').hash)).toEqual(blobOf('output').bytes);
    expect(await storage.workspaces.list()).toEqual([WORKSPACE]);
    expect(await storage.rules.list('wsp_1')).toMatchObject([{ pattern: 'git *', time: 5 }]);
    expect(await storage.settings.get('theme')).toEqual({ name: 'dark' });
    const journal = storage.journal('wsp_1');
    const { packs } = await journal.load();
    expect(packs.flatMap(({ entries }) => entries.map(({ path }) => path)).sort()).toEqual([
      'bin',
      'bin/run',
      ...(fixture.version < FIRST_APART ? [] : ['node_modules/p.js']),
    ]);
    if (fixture.version >= FIRST_APART)
      expect(await journal.contents([blobOf('package').hash])).toEqual([blobOf('package').bytes]);
    // The app can continue from there.
    await storage.sessions.commit(log.prompt('msg_9', 'more').commit(), 'strict');
    expect(await storage.sessions.events('ses_1', 0)).toEqual(log.events);
    expect(problems).toEqual([]);
    storage.close();
  });

test('this version stores exactly what its fixture contains', async () => {
  const name = newName();
  const { storage } = await open(name);
  await fill(storage);
  storage.close();
  const now = await dump(name);
  expect(now.version).toBe(DB_VERSION);
  const fixture = RELEASED.find(({ version }) => version === DB_VERSION);
  if (!fixture) {
    await commands.writeFile(`src/storage/fixtures/v${DB_VERSION}.json`, `${JSON.stringify(now, null, 2)}\n`);
    expect.fail(`Version ${DB_VERSION} had no fixture: it is written now, look at it and commit it.`);
  }
  expect(now).toEqual(fixture);
});

function newName(): string {
  const name = `released-${crypto.randomUUID()}`;
  names.push(name);
  return name;
}

async function open(name: string) {
  const problems: Fault[] = [];
  const storage = await openStorage({ name, marks: undefined, onProblem: (fault) => problems.push(fault) });
  opened.push(storage);
  return { storage, problems };
}

const WORKSPACE = {
  id: 'wsp_1',
  name: 'A project',
  kind: 'embedded',
  created: 1,
  updated: 2,
  deleted: null,
  touched: true,
} as const;

async function fill(storage: Storage): Promise<void> {
  await storage.workspaces.create(WORKSPACE);
  await storage.sessions.commit(sampleLog().commit(['system', 'tools', 'output'].map(blobOf)), 'strict');
  await storage.rules.save('wsp_1', [{ permission: 'bash', pattern: 'git *', action: 'allow' }], 5);
  await storage.settings.set('theme', { name: 'dark' });
  await storage.journal('wsp_1').append([
    {
      op: 'put',
      node: { path: 'bin', type: 'directory', mode: 0o755, modified: 3 },
      bytes: new Uint8Array(),
    },
    {
      op: 'put',
      node: { path: 'bin/run', type: 'file', mode: 0o755, modified: 4 },
      bytes: new TextEncoder().encode('#!/bin/bash\n'),
    },
    {
      op: 'put',
      node: {
        path: 'node_modules/p.js',
        type: 'file',
        mode: 0o644,
        modified: 6,
        stored: { hash: blobOf('package').hash, size: blobOf('package').bytes.length },
      },
      bytes: blobOf('package').bytes,
    },
    { op: 'remove', path: 'old' },
  ]);
}

function sampleLog(): TestLog {
  return new TestLog('ses_1', { title: 'A sample' })
    .prompt('msg_1', 'Make a fixture')
    .startStep('msg_2')
    .callWithOutput('msg_2', 'call_1', blobOf('output').hash)
    .endStep('msg_2')
    .answer('msg_3', 'Made.');
}
