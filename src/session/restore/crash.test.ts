import { expect, test } from 'vitest';
import { connectLocally } from '../../../test/support/local-kernel.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, passing, sessionsOver } from '../../../test/support/session-harness.ts';
import type { FileJournal } from '../../protocol/journal.ts';
import { MemorySessionStore } from '../../storage/memory/session-store.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { EmbeddedWorkspace } from '../../workspace/embedded/embedded-workspace.ts';
import { MemoryJournal } from '../../workspace/memory-journal.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import { conversationOf } from '../log/path.ts';
import type { Commit } from '../log/store.ts';

/** The storage, with the tab that writes there: it dies after a given number of writes, as tabs before it did. */
class Disk {
  /** So many commits of the log, or changes of one file, the tab can still write. */
  left = Infinity;
  written = 0;
  #tab = 0;
  readonly #store = new MemorySessionStore();
  readonly #journal = new MemoryJournal();

  /** Another tab takes the place of the one that died. */
  open(left = Infinity) {
    this.#tab++;
    this.left = left;
    this.written = 0;
    const write = this.#writer(this.#tab);
    const store = new Proxy(this.#store, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (key === 'commit') return async (commit: Commit) => (await write(), target.commit(commit));
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const inner = this.#journal;
    const journal: FileJournal = {
      load: () => inner.load(),
      contents: (hashes) => inner.contents(hashes),
      isBehind: false,
      close: () => inner.close(),
      async append(changes) {
        for (const change of changes) {
          await write();
          await inner.append([change]);
        }
      },
    };
    const workspace = new EmbeddedWorkspace({
      id: 'wsp_memory',
      journal,
      connect: connectLocally,
      programs: async () => ({ shell: new Blob(), search: new Blob() }),
      pulse: { everyMs: 60_000, misses: 4 },
    });
    return { store, workspace };
  }

  /** Never resolves in a tab that is dead. */
  #writer(tab: number): () => Promise<void> {
    return async () => {
      if (this.left <= 0 || tab !== this.#tab) await new Promise(() => undefined);
      this.left--;
      this.written++;
    };
  }
}

const run = (command: string) => [
  [...call(`c${command}`, 'bash', { command, description: 'Change files' }), finish('tool-calls')],
  [...say('Done.'), finish()],
];
const STEPS = [
  'mkdir -p src/deep; for n in 1 2 3; do echo $n > src/$n; done; echo x > src/deep/x; echo own > own.txt',
  'rm -r src/deep own.txt; echo file > src/deep; chmod +x src/1; ln -s src/1 link; echo 4 > src/4',
  'rm link; mkdir link; echo in > link/in; mv src/2 src/two; echo more >> src/3',
].flatMap(run);

const all = { missing: async (hashes: readonly string[]) => hashes, put: async () => undefined };
const treeOf = (workspace: EmbeddedWorkspace) => workspace.snapshot(all);

async function threeTurns() {
  const disk = new Disk();
  const { store, workspace } = disk.open();
  const over = await harness(STEPS, {
    ...{ tools: builtinTools, runsIn: workspace, store, snapshots: true },
    settings: { permission: 'allow' },
    answerer: async () => ({ reply: 'once' }),
  });
  const { session, timer } = over;
  const before: (readonly SnapshotEntry[])[] = [];
  for (const text of ['First', 'Second', 'Third']) {
    before.push(await treeOf(workspace));
    await session.prompt(text);
    await passing(timer, 16, session.rested());
  }
  const [, second] = [...session.state.messages.values()].filter(({ role }) => role === 'user');
  const plan = await session.restores.plan({ kind: 'before', messageID: second?.id ?? '' });
  await workspace.durable();
  await session.stored();
  return { disk, session, plan, then: before[1] ?? [], now: await treeOf(workspace) };
}

/** Gives what is under way the time to end, or to stand still for good. */
async function still(disk: Disk): Promise<void> {
  for (let quiet = 0, written = -1; quiet < 3; quiet = disk.written === written ? quiet + 1 : 0) {
    written = disk.written;
    for (let n = 0; n < 30; n++) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Opens the session in another tab, which can write so much. */
function reopened(disk: Disk, id: string, left = Infinity) {
  const { store, workspace } = disk.open(left);
  const { sessions } = sessionsOver([], {
    ...{ store, runsIn: workspace, tools: builtinTools, snapshots: true },
  });
  const opening = sessions.open(id).then(async (session) => (await session.restores.done(), session));
  return { workspace, opening };
}

/** Opens the session in a new tab: the number of its prompts, its files, and whether a restore is under way. */
async function found(disk: Disk, id: string) {
  const { workspace, opening } = reopened(disk, id);
  const session = await opening;
  await workspace.durable();
  const prompts = conversationOf(session.state).filter(({ role }) => role === 'user').length;
  const files = await treeOf(workspace);
  await workspace.close();
  return { prompts, files, restoring: session.state.restoring };
}

test(
  'a tab that dies at any write of a restore, and one that dies while it finishes it, leave one moment or the other',
  { timeout: 120_000 },
  async () => {
    let finished = false;
    let finishedByTheNext = 0;
    for (let writes = 0; !finished; writes++) {
      const { disk, session, plan, then, now } = await threeTurns();
      disk.left = writes;
      void session.restores.run(plan, { conversation: true, files: true }).then(
        () => (finished = true),
        () => undefined,
      );
      await still(disk);
      if (writes % 3 > 0) {
        // The next tab dies too.
        void reopened(disk, session.id, writes % 5).opening;
        await still(disk);
      }
      const { prompts, files, restoring } = await found(disk, session.id);
      expect(restoring, `after ${writes} writes`).toBeUndefined();
      expect([1, 3]).toContain(prompts);
      expect(files, `after ${writes} writes`).toEqual(prompts === 1 ? then : now);
      if (prompts === 1 && !finished) finishedByTheNext++;
    }
    // Each change of a file was a write of its own.
    expect(finishedByTheNext).toBeGreaterThan(8);
  },
);
