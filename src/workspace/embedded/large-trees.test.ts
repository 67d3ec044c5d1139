import { expect, onTestFinished, test } from 'vitest';
import { connectLocally } from '../../../test/support/local-kernel.ts';
import { hashText } from '../../base/hash.ts';
import type { JournalChange } from '../../protocol/journal.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { exec, type Workspace } from '../workspace.ts';
import { EmbeddedWorkspace } from './embedded-workspace.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const LIBRARY = 'node_modules/lib/index.js';

/** Counts what is fetched, and can lose a content or be full. */
class CountingJournal extends MemoryJournal {
  readonly fetched: string[] = [];
  isLost = false;
  override isBehind = false;

  override async contents(hashes: readonly string[]) {
    this.fetched.push(...hashes);
    return this.isLost ? hashes.map(() => undefined) : super.contents(hashes);
  }
}

function open(journal: MemoryJournal): Workspace {
  const workspace = new EmbeddedWorkspace({
    id: 'wsp_test',
    journal,
    connect: connectLocally,
    programs: async () => ({ shell: new Blob(), search: new Blob() }),
    pulse: { everyMs: 60_000, misses: 4 },
  });
  onTestFinished(() => workspace.close());
  return workspace;
}

/** A workspace with an installed package, after a reload. */
async function reloaded() {
  const journal = new CountingJournal();
  const first = open(journal);
  await first.files.write(LIBRARY, bytes('module.exports = 1;\n'));
  await first.files.write('main.js', bytes('own\n'));
  await first.durable();
  await first.close();
  return { journal, workspace: open(journal) };
}

const hash = hashText('module.exports = 1;\n');

test('the content of a package is fetched when its file is opened, once', async () => {
  const { journal, workspace } = await reloaded();
  expect(await workspace.files.stat(LIBRARY)).toMatchObject({ type: 'file', size: 20 });
  expect((await exec(workspace, 'ls -l node_modules/lib | grep -c " 20 "; cat main.js')).output).toBe(
    '1\nown\n',
  );
  expect(journal.fetched).toEqual([]);
  const twice = await exec(workspace, `cat ${LIBRARY}; cat ${LIBRARY}`);
  expect(twice.output).toBe('module.exports = 1;\nmodule.exports = 1;\n');
  expect(new TextDecoder().decode(await workspace.files.read(LIBRARY))).toBe('module.exports = 1;\n');
  expect(journal.fetched).toEqual([hash]);
});

test('packages are moved without their contents, and are independent of their copies', async () => {
  const { journal, workspace } = await reloaded();
  const { output } = await exec(workspace, 'mv node_modules/lib node_modules/moved; ls node_modules');
  expect(output).toBe('moved\n');
  expect(journal.fetched).toEqual([]);
  expect(
    (
      await exec(
        workspace,
        'cp -r node_modules/moved copy; cp node_modules/moved/index.js /tmp/x; cat copy/index.js node_modules/moved/index.js /tmp/x | sort -u',
      )
    ).output,
  ).toBe('module.exports = 1;\n');
  await workspace.close();
  const again = open(journal);
  expect(
    (await exec(again, 'echo more >> copy/index.js; cat copy/index.js node_modules/moved/index.js')).output,
  ).toBe('module.exports = 1;\nmore\nmodule.exports = 1;\n');
});

test('scratch copies of packages survive a suspension', async () => {
  const { workspace } = await reloaded();
  await exec(workspace, `cp ${LIBRARY} /tmp/x`);
  expect(await workspace.suspend?.()).toBe(true);
  expect((await exec(workspace, 'cat /tmp/x')).output).toBe('module.exports = 1;\n');
});

test('a search reads packages only where it is told to', async () => {
  const { journal, workspace } = await reloaded();
  const query = { pattern: 'exports', limit: 10, timeoutMs: 5_000 };
  expect(await workspace.search.grep({ ...query, skipIgnored: true })).toMatchObject({
    matches: [],
    ignored: true,
  });
  expect(journal.fetched).toEqual([]);
  const { matches } = await workspace.search.grep({ ...query, path: 'node_modules', skipIgnored: true });
  expect(matches).toMatchObject([{ line: 1, text: 'module.exports = 1;' }]);
  const { paths } = await workspace.search.glob({ pattern: '**/lib/*.js', limit: 10, timeoutMs: 5_000 });
  expect(paths).toHaveLength(1);
});

test('a search reads what was moved out of the packages', async () => {
  const { journal, workspace } = await reloaded();
  await exec(workspace, 'mv node_modules/lib vendor');
  expect(journal.fetched).toEqual([]);
  const query = { pattern: 'exports', limit: 10, timeoutMs: 5_000, skipIgnored: true };
  for (const each of [query, query])
    expect((await workspace.search.grep(each)).matches).toMatchObject([
      { path: '/home/project/vendor/index.js', text: 'module.exports = 1;' },
    ]);
  expect(journal.fetched).toEqual([hash]);
});

test('a snapshot of everything has the contents of packages, and a restore brings them back', async () => {
  const { workspace } = await reloaded();
  const kept = new Map<string, Uint8Array>();
  const entries = await workspace.snapshot?.({
    missing: async (hashes) => hashes,
    put: async (each, content) => void kept.set(each, content),
  });
  expect(new TextDecoder().decode(kept.get(hash))).toBe('module.exports = 1;\n');
  await workspace.files.remove('node_modules', { recursive: true });
  await workspace.restore?.(entries ?? [], async (each) => kept.get(each) ?? new Uint8Array());
  expect((await exec(workspace, `cat ${LIBRARY}`)).output).toBe('module.exports = 1;\n');
});

test('a content that the storage has lost is an error of the one file', async () => {
  const { journal, workspace } = await reloaded();
  journal.isLost = true;
  const { output, exitCode } = await exec(workspace, `cat ${LIBRARY}; cat main.js`);
  expect(output).toContain('own\n');
  expect(output).toMatch(/index\.js: .*(missing|Input\/output error)/);
  expect(exitCode).toBe(0);
});

test('what is written over a package is stored in its place', async () => {
  const { journal, workspace } = await reloaded();
  await exec(workspace, `echo new > ${LIBRARY}`);
  await workspace.durable();
  await workspace.close();
  expect((await exec(open(journal), `cat ${LIBRARY}`)).output).toBe('new\n');
});

test('what is installed does not count towards the size of the workspace once it is stored', async () => {
  const journal = new MemoryJournal();
  const workspace = new EmbeddedWorkspace({
    id: 'wsp_test',
    journal,
    connect: connectLocally,
    programs: async () => ({ shell: new Blob(), search: new Blob() }),
    quotaBytes: 1_500_000,
    pulse: { everyMs: 60_000, misses: 4 },
  });
  onTestFinished(() => workspace.close());
  for (let n = 0; n < 5; n++) {
    await workspace.files.write(`node_modules/p${n}`, new Uint8Array(900_000).fill(n + 1));
    await workspace.durable();
  }
  await expect(workspace.files.write('own', new Uint8Array(1_600_000))).rejects.toMatchObject({
    code: 'ENOSPC',
  });
  await workspace.files.write('own', new Uint8Array(1_200_000));
  expect((await workspace.files.read('node_modules/p0'))[0]).toBe(1);
});

test('a full storage ends an install with an error, and own files can still be written', async () => {
  const changes: JournalChange[] = [];
  class FullJournal extends CountingJournal {
    override async append(added: readonly JournalChange[]): Promise<void> {
      changes.push(...added);
      if (!this.isBehind) await super.append(added);
    }
  }
  const journal = new FullJournal();
  journal.isBehind = true;
  const workspace = open(journal);
  const { output } = await exec(
    workspace,
    'mkdir -p node_modules/p; for n in $(seq 400); do echo $n > node_modules/p/$n || break; done; echo ended $?; echo own > own; cat own',
  );
  expect(output).toMatch(/no space left in the storage of the browser|No space left/i);
  expect(output).toMatch(/own\n$/);
});
