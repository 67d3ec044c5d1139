import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, passing, sessionsOver } from '../../../test/support/session-harness.ts';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { MemorySessionStore } from '../../storage/memory/session-store.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { WorkspaceError } from '../../workspace/workspace.ts';
import { conversationOf } from '../log/path.ts';
import type { Commit } from '../log/store.ts';

const steps = [1, 2, 3].flatMap((n) => [
  [...call(`c${n}`, 'write', { filePath: `f${n}.txt`, content: String(n) }), finish('tool-calls')],
  [...say('Done.'), finish()],
]);

/** A store whose tab dies: after so many commits, nothing more is written, and nobody hears of it. */
class DyingStore extends MemorySessionStore {
  left = Infinity;

  override async commit(commit: Commit): Promise<void> {
    if (this.left <= 0) return new Promise(() => undefined);
    this.left--;
    await super.commit(commit);
  }
}

/** A workspace whose tab dies after it restored so many entries. */
class DyingWorkspace extends MemoryWorkspace {
  dies = false;

  override async restore(...given: Parameters<MemoryWorkspace['restore']>): Promise<void> {
    const [entries, contents] = given;
    if (!this.dies) return super.restore(entries, contents);
    await super.restore(entries.slice(0, Math.ceil(entries.length / 2)), contents);
    return new Promise(() => undefined);
  }
}

async function threeTurns(store: DyingStore, workspace: DyingWorkspace) {
  const over = await harness(steps, {
    ...{ tools: builtinTools, workspace, store, snapshots: true },
    answerer: async () => ({ reply: 'once' }),
  });
  for (const text of ['First', 'Second', 'Third']) {
    await over.session.prompt(text);
    await passing(over.timer, 16, over.session.rested());
  }
  const [, second] = [...over.session.state.messages.values()].filter(({ role }) => role === 'user');
  const plan = await over.session.restores.plan({ kind: 'before', messageID: second?.id ?? '' });
  await over.session.stored();
  return { ...over, plan };
}

const names = (workspace: MemoryWorkspace) =>
  [...workspace.files.nodes.keys()]
    .map((path) => path.split('/').at(-1))
    .filter((name) => /^f\d/.test(name ?? ''));

const settle = async () => {
  for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve));
};

/** What the next tab finds, once it has finished what was begun. */
async function reopened(store: DyingStore, workspace: MemoryWorkspace, id: string) {
  store.left = Infinity;
  const { sessions } = sessionsOver([], { store, workspace, tools: builtinTools, snapshots: true });
  const session = await sessions.open(id);
  await session.restores.done();
  const prompts = conversationOf(session.state).filter(({ role }) => role === 'user').length;
  return { prompts, files: names(workspace), restoring: session.state.restoring };
}

test.for([0, 1, 2, 3, 4])(
  'a tab that dies after %i commits of a restore leaves one moment or the other',
  async (commits) => {
    const store = new DyingStore();
    const workspace = new DyingWorkspace();
    const { session, plan } = await threeTurns(store, workspace);
    store.left = commits;
    void session.restores.run(plan, { conversation: true, files: true });
    await settle();
    const { prompts, files, restoring } = await reopened(store, workspace, session.id);
    expect(restoring).toBeUndefined();
    if (prompts === 3) expect(files).toEqual(['f1.txt', 'f2.txt', 'f3.txt']);
    else {
      expect(prompts).toBe(1);
      expect(files).toEqual(['f1.txt']);
    }
  },
);

test('a tab that dies while files are written: the next one finishes the restore', async () => {
  const store = new DyingStore();
  const workspace = new DyingWorkspace();
  const { session, plan } = await threeTurns(store, workspace);
  workspace.dies = true;
  void session.restores.run(plan, { conversation: true, files: true });
  await settle();
  workspace.dies = false;
  expect(await reopened(store, workspace, session.id)).toEqual({
    prompts: 1,
    files: ['f1.txt'],
    restoring: undefined,
  });
});

test('files that cannot be restored leave the conversation as it was, and say why', async () => {
  const store = new DyingStore();
  const workspace = new DyingWorkspace();
  const { session, plan } = await threeTurns(store, workspace);
  workspace.restore = () => Promise.reject(new WorkspaceError('EGONE', '', 'The workspace stopped.'));
  await expect(session.restores.run(plan, { conversation: true, files: true })).rejects.toThrow(
    'Nothing was restored, because the workspace stopped.',
  );
  expect(conversationOf(session.state)).toHaveLength(9);
  expect(session.state.restoring).toBeUndefined();
  expect(session.state.undone).toBeUndefined();
});

test('files that are restored and cannot be stored are as they were again', async () => {
  const store = new DyingStore();
  const workspace = new DyingWorkspace();
  const { session, plan } = await threeTurns(store, workspace);
  workspace.durable = () => Promise.reject(new WorkspaceError('ENOSPC', '', 'The disk is full.'));
  await expect(session.restores.run(plan, { conversation: true, files: true })).rejects.toThrow('full');
  expect(names(workspace)).toEqual(['f1.txt', 'f2.txt', 'f3.txt']);
  expect(conversationOf(session.state)).toHaveLength(9);
  workspace.durable = async () => undefined;
  const again = await session.restores.plan(
    plan.moment.prompt ? { kind: 'before', messageID: plan.moment.prompt } : { kind: 'redo' },
  );
  expect(again.files?.changes.map(({ path, foreign }) => [path, foreign])).toEqual(
    plan.files?.changes.map(({ path }) => [path, false]),
  );
});

test('a store that is full stops a restore before any file changes', async () => {
  const store = new DyingStore();
  const workspace = new DyingWorkspace();
  const { session, plan } = await threeTurns(store, workspace);
  store.commit = () => Promise.reject(new Error('The disk is full.'));
  await expect(session.restores.run(plan, { conversation: true, files: true })).rejects.toThrow(
    'Nothing was restored, because this session cannot be saved: The disk is full.',
  );
  expect(session.state.restoring).toBeUndefined();
  expect(names(workspace)).toEqual(['f1.txt', 'f2.txt', 'f3.txt']);
});
