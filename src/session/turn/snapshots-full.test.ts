import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, passing } from '../../../test/support/session-harness.ts';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { FaultError, type Fault } from '../../base/fault.ts';
import { storageFault } from '../../storage/faults.ts';
import { MemorySessionStore } from '../../storage/memory/session-store.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { readSnapshot } from '../../workspace/snapshot.ts';
import type { Blob } from '../log/store.ts';

/** Whether it is the content of a file here, or a list of files. */
function isOfFiles(blob: Blob): boolean {
  return /^(mine|by |now|\[\{"path"|\{"since")/.test(new TextDecoder().decode(blob.bytes));
}

/** A store that has no room for the contents of files as `full` says. Events, which are small, still fit. */
class FullStore extends MemorySessionStore {
  full: () => boolean = () => false;

  constructor() {
    super();
    const put = this.blobs.put.bind(this.blobs);
    this.blobs.put = async (owner, blobs) => {
      if (blobs.some(isOfFiles) && this.full())
        throw new FaultError(storageFault('storage-full', 'There is no room.'));
      await put(owner, blobs);
    };
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);

type Tree = Readonly<Record<string, string>>;

function treeOf({ files: { nodes } }: MemoryWorkspace): Tree {
  const files = [...nodes].flatMap(([path, node]) =>
    node.type === 'file'
      ? [[path.slice('/home/project/'.length), new TextDecoder().decode(node.content)]]
      : [],
  );
  return Object.fromEntries(files.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)));
}

/** A workspace whose snapshots take a while, in which other things happen. */
class SlowWorkspace extends MemoryWorkspace {
  pauses: () => number = () => 0;

  override async snapshot(...given: Parameters<MemoryWorkspace['snapshot']>) {
    const [sink, options] = given;
    const pauses = this.pauses();
    const contents = new Map<string, Uint8Array>();
    const all = { missing: async (hashes: readonly string[]) => hashes, put: async () => undefined };
    const entries = await super.snapshot(
      { ...all, put: async (hash, content) => void contents.set(hash, content) },
      options,
    );
    for (let n = 0; n < pauses; n++) await new Promise((resolve) => setImmediate(resolve));
    for (const hash of await sink.missing([...contents.keys()]))
      await sink.put(hash, contents.get(hash) ?? new Uint8Array());
    return entries;
  }
}

async function opened() {
  const store = new FullStore();
  const workspace = new SlowWorkspace({ files: { 'own.txt': 'mine' } });
  let made = 0;
  const over = await harness(
    ({ messages }) => {
      const last = messages.at(-1);
      if (last?.role !== 'user' || !JSON.stringify(last.content).includes('write'))
        return [...say('Done.'), finish()];
      const input = { filePath: `made${++made}.txt`, content: `by the agent ${made}` };
      return [...call(`c${made}`, 'write', input), finish('tool-calls')];
    },
    { tools: builtinTools, workspace, store, snapshots: true, answerer: async () => ({ reply: 'once' }) },
  );
  const { session, timer } = over;
  const told: Fault[] = [];
  session.onProblem((fault) => told.push(fault));
  /** The files that were there when each prompt began. */
  const found = new Map<string, Tree>();
  session.onEvents((events) => {
    for (const event of events)
      if (event.type === 'prompt.accepted') found.set(event.messageID, treeOf(workspace));
  });
  /** Sends prompts at once, of which the later ones join the turn, and waits for the end of what they began. */
  const turn = async (...texts: readonly string[]) => {
    for (const text of texts) await session.prompt(text);
    await passing(timer, 16, session.rested());
  };
  /** A snapshot may still be under way. */
  const settled = async () => {
    for (let n = 0; n < 40; n++) await new Promise((resolve) => setImmediate(resolve));
    await session.stored();
  };
  const content = async (hash: string) => (await store.blobs.get(hash)) ?? Promise.reject(new Error(hash));
  const stored = async (manifest: string): Promise<Tree> => {
    const entries = await readSnapshot(manifest, content);
    const files = await Promise.all(
      entries.map(async (entry) =>
        entry.type === 'file' ? [[entry.path, new TextDecoder().decode(await content(entry.hash))]] : [],
      ),
    );
    return Object.fromEntries(files.flat());
  };
  /** For each prompt, the files that the session believes it found; those that it does not know are left out. */
  const believed = async () => {
    const known = new Map<string, Tree>();
    for (const { id, files } of session.state.messages.values())
      if (files) known.set(id, await stored(files.before));
    return known;
  };
  return { ...over, store, workspace, told, found, turn, settled, believed };
}

test('a first snapshot for which there is no room is told, and no later one is taken for it', async () => {
  const { store, session, turn, settled, told, found, believed } = await opened();
  let puts = 0;
  // There is room again once the first call has ended.
  store.full = () => puts++ < 1;
  await turn('write');
  await settled();
  expect(told.map(({ code }) => code)).toEqual(['storage-full']);
  await turn('write');
  const [first = '', second = ''] = found.keys();
  const known = await believed();
  expect(known.has(first)).toBe(false);
  expect(known.get(second)).toEqual({ 'own.txt': 'mine', 'made1.txt': 'by the agent 1' });
  expect(session.state.startSnapshot).toBeNull();
  const plan = await session.restores.plan({ kind: 'before', messageID: first });
  expect(plan.files).toBeNull();
});

test('a message that comes right at the end of a turn, or into one, has the files of its own moment', async () => {
  const { turn, settled, session, workspace, found, believed } = await opened();
  workspace.pauses = () => 8;
  let sent: Promise<unknown> = Promise.resolve();
  const stop = session.onEvents((events) => {
    if (!events.some(({ type }) => type === 'turn.ended')) return;
    stop();
    sent = session.prompt('write');
  });
  await turn('write', 'write');
  await sent;
  await turn('talk');
  await settled();
  expect(found.size).toBe(4);
  expect(Object.fromEntries(await believed())).toEqual(Object.fromEntries(found));
});

test('an undo right at the end of a turn takes back all that the turn did', async () => {
  const { turn, session, workspace, found } = await opened();
  workspace.pauses = () => 8;
  await turn('write');
  await turn('write');
  const [, second = ''] = found.keys();
  const plan = await session.restores.plan({ kind: 'before', messageID: second });
  await session.restores.run(plan, { conversation: true, files: true });
  expect(treeOf(workspace)).toEqual(found.get(second));
});

test('what the person changed while there was no room for a snapshot is theirs', async () => {
  const { store, turn, settled, session, workspace, found } = await opened();
  await turn('write');
  await settled();
  store.full = () => true;
  workspace.files.put('own.txt', bytes('by hand'));
  await turn('write');
  await settled();
  store.full = () => false;
  await turn('write');
  await settled();
  const [first = ''] = found.keys();
  const { files } = await session.restores.plan({ kind: 'before', messageID: first });
  const foreign = (files?.changes ?? []).map((change) => [change.path, change.foreign]);
  expect(Object.fromEntries(foreign)).toEqual({
    'own.txt': true,
    'made1.txt': false,
    // The agent made it, but nothing tells that from what the person made.
    'made2.txt': true,
    'made3.txt': false,
  });
});

const action = fc.constantFrom('write', 'write', 'two', 'talk', 'edit');

test(
  'whenever there is no room for a content, no snapshot of another moment is taken for a moment',
  { timeout: 120_000 },
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 3, maxLength: 7 }),
        fc.infiniteStream(fc.boolean()),
        fc.infiniteStream(fc.nat(5)),
        async (actions, noRoom, pauses) => {
          const { store, turn, settled, workspace, found, believed, session, told } = await opened();
          store.full = () => noRoom.next().value === true;
          workspace.pauses = () => pauses.next().value ?? 0;
          for (const [index, each] of actions.entries())
            if (each === 'edit') {
              // Nothing keeps the person from an edit while a snapshot is due, and it then counts as the turn's.
              await settled();
              workspace.files.put('own.txt', bytes(`by hand ${index}`));
            } else await turn(...(each === 'two' ? ['write', 'write'] : [each]));
          await settled();
          const known = await believed();
          for (const [id, tree] of known) expect(tree).toEqual(found.get(id));
          if (known.size < found.size) expect(told.length).toBeGreaterThan(0);
          // A restore asks for a snapshot itself, and changes nothing where there is no room for it.
          workspace.files.put('own.txt', bytes('now'));
          const files = treeOf(workspace);
          store.full = () => true;
          for (const messageID of known.keys())
            await expect(session.restores.plan({ kind: 'before', messageID })).rejects.toMatchObject({
              fault: { code: 'storage-full' },
            });
          expect(treeOf(workspace)).toEqual(files);
        },
      ),
      { numRuns: 100 },
    ),
);
