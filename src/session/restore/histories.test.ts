import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, passing } from '../../../test/support/session-harness.ts';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { conversationOf } from '../log/path.ts';
import type { SessionStore } from '../log/store.ts';
import { lateSnapshot } from '../log/late-snapshot.ts';
import { sessionAt } from '../fork/fork.ts';
import type { RestoreTo } from './moments.ts';

const name = fc.constantFrom('a.txt', 'b.txt', 'src/c.txt', 'src/d/e.txt');
const which = fc.nat(20);
/** The agent's work for a prompt: none, a new file, or a command that changes or removes a file if it is there. */
const work = fc.constantFrom('talk', 'write', 'change', 'remove');
const action = fc.oneof(
  fc.record({ kind: fc.constant('prompt' as const), work, name }),
  fc.record({ kind: fc.constant('prompt' as const), work, name }),
  fc.record({ kind: fc.constant('edit' as const), name, removes: fc.boolean() }),
  fc.record({ kind: fc.constant('before' as const), which }),
  fc.record({ kind: fc.constant('branch' as const), which }),
  fc.record({ kind: fc.constant('redo' as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const bytes = (text: string) => new TextEncoder().encode(text);

/** The files as a text, to compare them with those of another moment. */
function tree({ files: { nodes } }: MemoryWorkspace): string {
  const lines = [...nodes].flatMap(([path, node]) =>
    node.type === 'file' ? `${path}: ${new TextDecoder().decode(node.content)}` : [],
  );
  return lines.sort().join('\n');
}

/**
 * A session in which the agent and the person change files, and the person goes back, forth and to other versions.
 * After each move, the files and the head must be as they were at that moment.
 */
async function play(actions: readonly Action[], at: number): Promise<void> {
  let made = 0;
  const workspace = new MemoryWorkspace({
    files: { 'a.txt': 'start' },
    async shell({ command, files }) {
      const [what, path = ''] = command.split(' ');
      if (what === 'change') files.put(path, bytes(`changed by the agent ${++made}`));
      else await files.remove(path).catch(() => undefined);
      return 0;
    },
  });
  const { session, timer, store } = await harness(
    ({ messages }) => {
      const last = messages.at(-1);
      const [, asked = '', path = ''] = /do (\w+) (\S+?)"/.exec(JSON.stringify(last?.content)) ?? [];
      if (last?.role !== 'user' || asked === 'talk') return [...say('Done.'), finish()];
      // A name that no file has, because an existing file would have to be read first.
      if (asked === 'write') {
        const input = { filePath: `made/${++made}.txt`, content: `by the agent ${made}` };
        return [...call(`c${made}`, 'write', input), finish('tool-calls')];
      }
      const input = { command: `${asked} ${path}`, description: 'Change a file' };
      return [...call(`c${++made}`, 'bash', input), finish('tool-calls')];
    },
    { tools: builtinTools, workspace, snapshots: true, answerer: async () => ({ reply: 'once' }) },
  );
  /** The files of each snapshot, and those at the end of each call, by the event. */
  const taken = new Map<string, string>();
  const ended = new Map<number, string>();
  session.onEvents((events) => {
    for (const event of events)
      if (event.type === 'snapshot.taken') taken.set(event.manifest, tree(workspace));
      else if (event.type === 'call.ended') ended.set(event.seq, tree(workspace));
  });
  const { restores, state } = session;
  const go = async (to: RestoreTo) =>
    restores.run(await restores.plan(to), { conversation: true, files: true });
  const promptsOf = (messages: readonly { readonly role: string; readonly id: string }[]) =>
    messages.filter(({ role }) => role === 'user').map(({ id }) => id);
  /** The files right before each prompt, and as each version was left. */
  const before = new Map<string, string>();
  const left = new Map<string | null, string>();
  let undone: { readonly head: string | null; readonly files: string }[] = [];

  for (const [index, each] of actions.entries()) {
    const here = { head: state.head, files: tree(workspace) };
    if (each.kind === 'prompt') {
      await session.prompt(`do ${each.work} ${each.name}`);
      await passing(timer, 16, session.rested());
      before.set(promptsOf(conversationOf(state)).at(-1) ?? '', here.files);
      undone = [];
    } else if (each.kind === 'edit') {
      if (each.removes) await workspace.files.remove(each.name).catch(() => undefined);
      else workspace.files.put(each.name, bytes(`by hand ${index}`));
    } else if (each.kind === 'redo') {
      const to = undone.pop();
      if (!to) continue;
      await go({ kind: 'redo' });
      left.set(here.head, here.files);
      expect({ head: state.head, files: tree(workspace) }).toEqual(to);
    } else {
      const shown = promptsOf(conversationOf(state));
      const elsewhere = promptsOf([...state.messages.values()]).filter((id) => !shown.includes(id));
      const ids = each.kind === 'before' ? shown : elsewhere;
      const messageID = ids[each.which % ids.length];
      if (messageID === undefined) continue;
      await go({ kind: each.kind, messageID });
      left.set(here.head, here.files);
      if (each.kind === 'before') {
        undone.push(here);
        expect(state.head).toBe(state.messages.get(messageID)?.parentID);
        expect(tree(workspace)).toBe(before.get(messageID));
      } else {
        undone = [];
        expect(promptsOf(conversationOf(state))).toContain(messageID);
        if (left.has(state.head)) expect(tree(workspace)).toBe(left.get(state.head));
      }
    }
  }
  expect(state.undone?.length ?? 0).toBe(undone.length);
  await session.close();
  await forkAnywhere(store, session.id, { taken, ended }, at);
}

/**
 * A session that goes on from a moment begins with the files of the newest snapshot until then, or with those that the
 * call before had left, whose snapshot comes a moment later.
 */
async function forkAnywhere(
  store: SessionStore,
  id: string,
  {
    taken,
    ended,
  }: { readonly taken: ReadonlyMap<string, string>; readonly ended: ReadonlyMap<number, string> },
  at: number,
): Promise<void> {
  const content = async (hash: string) => (await store.blobs.get(hash)) ?? Promise.reject(new Error(hash));
  const events = await store.events(id, 0);
  const count = 1 + (at % events.length);
  const { files } = await sessionAt({ log: (of) => store.events(of, 0), content }, id, count);
  const snapshots = events.filter((event) => event.type === 'snapshot.taken');
  const late = lateSnapshot(events, count);
  const newest = late ?? snapshots.findLast(({ seq }) => seq < count) ?? snapshots[0];
  if (!files || !newest) return expect(snapshots).toEqual([]);
  const lines = files.map(async (entry) =>
    entry.type === 'file'
      ? [`/home/project/${entry.path}: ${new TextDecoder().decode(await content(entry.hash))}`]
      : [],
  );
  const found = (await Promise.all(lines)).flat().sort().join('\n');
  expect(found).toBe(taken.get(newest.manifest));
  const leftByCall = ended.get(count - 1);
  if (late && leftByCall !== undefined) expect(found).toBe(leftByCall);
}

/** `VITRINE_HISTORIES=5000 npx vitest run --project node histories` plays more of them. */
const HISTORIES = Number(process.env.VITRINE_HISTORIES ?? 1_000);

test(
  `at every moment of ${HISTORIES} random histories, the files are those of that moment`,
  { timeout: 240 * HISTORIES },
  () =>
    fc.assert(fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 16 }), fc.nat(1_000), play), {
      numRuns: HISTORIES,
    }),
);
