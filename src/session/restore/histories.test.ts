import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, passing } from '../../../test/support/session-harness.ts';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { conversationOf } from '../log/path.ts';
import type { RestoreTo } from './moments.ts';

const name = fc.constantFrom('a.txt', 'b.txt', 'src/c.txt', 'src/d/e.txt');
const which = fc.nat(20);
const action = fc.oneof(
  fc.record({ kind: fc.constant('prompt' as const), writes: fc.boolean() }),
  fc.record({ kind: fc.constant('prompt' as const), writes: fc.boolean() }),
  fc.record({ kind: fc.constant('edit' as const), name, removes: fc.boolean() }),
  fc.record({ kind: fc.constant('before' as const), which }),
  fc.record({ kind: fc.constant('branch' as const), which }),
  fc.record({ kind: fc.constant('redo' as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

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
async function play(actions: readonly Action[]): Promise<void> {
  const workspace = new MemoryWorkspace({ files: { 'a.txt': 'start' } });
  let made = 0;
  const { session, timer } = await harness(
    ({ messages }) => {
      const last = messages.at(-1);
      if (last?.role !== 'user' || !JSON.stringify(last.content).includes('write'))
        return [...say('Done.'), finish()];
      // A name that no file has, because an existing file would have to be read first.
      const input = { filePath: `made/${++made}.txt`, content: `by the agent ${made}` };
      return [...call(`c${made}`, 'write', input), finish('tool-calls')];
    },
    { tools: builtinTools, workspace, snapshots: true, answerer: async () => ({ reply: 'once' }) },
  );
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
    const at = { head: state.head, files: tree(workspace) };
    if (each.kind === 'prompt') {
      await session.prompt(each.writes ? 'write' : 'talk');
      await passing(timer, 16, session.rested());
      before.set(promptsOf(conversationOf(state)).at(-1) ?? '', at.files);
      undone = [];
    } else if (each.kind === 'edit') {
      if (each.removes) await workspace.files.remove(each.name).catch(() => undefined);
      else workspace.files.put(each.name, `by hand ${index}`);
    } else if (each.kind === 'redo') {
      const to = undone.pop();
      if (!to) continue;
      await go({ kind: 'redo' });
      left.set(at.head, at.files);
      expect({ head: state.head, files: tree(workspace) }).toEqual(to);
    } else {
      const here = promptsOf(conversationOf(state));
      const elsewhere = promptsOf([...state.messages.values()]).filter((id) => !here.includes(id));
      const ids = each.kind === 'before' ? here : elsewhere;
      const messageID = ids[each.which % ids.length];
      if (messageID === undefined) continue;
      await go({ kind: each.kind, messageID });
      left.set(at.head, at.files);
      if (each.kind === 'before') {
        undone.push(at);
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
}

test(
  'at every moment of 1,000 random histories, the files are those of that moment',
  { timeout: 120_000 },
  () =>
    fc.assert(fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 16 }), play), { numRuns: 1_000 }),
);
