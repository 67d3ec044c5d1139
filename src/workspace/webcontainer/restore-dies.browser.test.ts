import { forgetRuntime } from '@webcontainer/api';
import { expect, test } from 'vitest';
import { bootOnHost } from '../../../test/support/webcontainer/boot.ts';
import { bytes, closedAtTheEnd, frames, sinkOf } from '../../../test/support/webcontainer/workspaces.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { exec, type SnapshotEntry, type Workspace } from '../workspace.ts';
import type { Client } from './container.ts';
import { openWebContainer } from './open.ts';

const contents = new Map<string, Uint8Array>();
const content = async (hash: string) => contents.get(hash) ?? Promise.reject(new Error(hash));
const treeOf = (workspace: Workspace) => workspace.snapshot(sinkOf(contents));

/** Calls that a restore makes. */
const WORK: ReadonlySet<string | symbol> = new Set(['mount', 'spawn', 'rm']);

/** Runtimes of which each call can be made to fail. */
class Runtimes {
  /** Called before each call. */
  before: () => Promise<void> = async () => undefined;

  async boot(): Promise<Client> {
    const client = await bootOnHost();
    const fs = this.#watched(client.fs);
    return new Proxy(this.#watched(client), {
      get: (target, key) => (key === 'fs' ? fs : (Reflect.get(target, key) as unknown)),
    });
  }

  #watched<T extends object>(object: T): T {
    return new Proxy(object, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        if (!WORK.has(key)) return value.bind(target) as unknown;
        return async (...args: unknown[]) => {
          await this.before();
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
  }
}

/** A workspace with files, and the files that it had earlier. */
async function changed(runtimes: Runtimes) {
  const workspace = openWebContainer({
    ...{ id: 'wsp_dies', journal: new MemoryJournal(), callMs: 250 },
    boot: () => runtimes.boot(),
    lost: forgetRuntime,
  });
  closedAtTheEnd(workspace);
  for (const path of ['src/a.txt', 'src/b.txt', 'deep/er/x.txt', 'gone.txt'])
    await workspace.files.write(path, bytes(`${path}, as it was\n`));
  await exec(workspace, 'ln -s src/a.txt link; chmod 755 src/b.txt');
  const earlier = await treeOf(workspace);
  await exec(
    workspace,
    'rm -r deep gone.txt link; echo file > deep; echo new > new.txt; chmod 644 src/b.txt',
  );
  await workspace.files.write('src/a.txt', bytes('new\n'));
  await workspace.durable();
  return { workspace, earlier, now: await treeOf(workspace) };
}

/** Restores while the nth call fails, and returns the reason; `undefined` once there are fewer calls. */
async function restoreFailing(
  runtimes: Runtimes,
  workspace: Workspace,
  earlier: readonly SnapshotEntry[],
  { at, fail }: { readonly at: number; readonly fail: () => Promise<void> },
): Promise<unknown> {
  let calls = 0;
  runtimes.before = async () => {
    if (++calls === at) await fail();
  };
  const failed = await workspace.restore(earlier, content).then(
    () => undefined,
    (error: unknown) => error,
  );
  runtimes.before = async () => undefined;
  return failed;
}

test('a runtime that dies at any call of a restore has the files of before after a restart, and restores them then', async () => {
  const runtimes = new Runtimes();
  const { workspace, earlier, now } = await changed(runtimes);
  const dies = () => {
    for (const frame of frames()) frame.remove();
    return new Promise<never>(() => undefined);
  };
  for (let at = 1; ; at++) {
    const failed = await restoreFailing(runtimes, workspace, earlier, { at, fail: dies });
    if (failed === undefined) {
      expect(at).toBeGreaterThan(4);
      break;
    }
    expect(failed).toMatchObject({ name: 'WorkspaceError', code: 'EGONE' });
    expect(workspace.status).toMatchObject({ state: 'failed', restart: true });
    await workspace.restart();
    expect(await treeOf(workspace)).toEqual(now);
    await workspace.restore(earlier, content);
    expect(await treeOf(workspace)).toEqual(earlier);
    await workspace.restore(now, content);
    await workspace.durable();
  }
  expect(await treeOf(workspace)).toEqual(earlier);
});

test('a restore that fails at any call of a runtime that lives on can be taken back', async () => {
  const runtimes = new Runtimes();
  const { workspace, earlier, now } = await changed(runtimes);
  const fails = () => Promise.reject(new Error('EIO: no luck'));
  for (let at = 1; ; at++) {
    const failed = await restoreFailing(runtimes, workspace, earlier, { at, fail: fails });
    if (failed === undefined) {
      expect(at).toBeGreaterThan(4);
      break;
    }
    await workspace.restore(now, content);
    expect(await treeOf(workspace)).toEqual(now);
    await workspace.durable();
    // The journal has the same.
    await workspace.restart();
    expect(await treeOf(workspace)).toEqual(now);
  }
});
