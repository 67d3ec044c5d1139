import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootOnHost } from '../../../test/support/webcontainer/boot.ts';
import { openEmbedded } from '../embedded/open.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { ROOT, WorkspaceError, type Files, type Workspace } from '../workspace.ts';
import { openWebContainer } from './open.ts';

let embedded: Workspace;
let container: Workspace;
const journal = new MemoryJournal();

beforeAll(() => {
  embedded = openEmbedded({ id: 'wsp_one', journal: new MemoryJournal(), container: document.body });
  container = openWebContainer({ id: 'wsp_two', journal, boot: () => bootOnHost() });
});
afterAll(async () => {
  await embedded.close();
  await container.close();
});

const path = fc
  .array(fc.constantFrom('a', 'b', 'c.txt', 'ü 🦄', '..', '.', 'd'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'));
const bytes = fc.uint8Array({ maxLength: 20 });

interface Step {
  /** For who reads a counterexample. */
  readonly say: string;
  readonly run: (files: Files) => Promise<unknown>;
}

const at = (say: string, run: (files: Files, path: string) => Promise<unknown>) =>
  path.map((each): Step => ({ say: `${say} ${each}`, run: (files) => run(files, each) }));

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(path, bytes, fc.boolean()).map(([to, content, anew]): Step => ({
    say: `write ${to} ${content.length} ${anew}`,
    run: (files) => files.write(to, content, anew ? { expect: null } : {}),
  })),
  at('read', (files, each) => files.read(each)),
  at('stat', async (files, each) => (await files.stat(each))?.type),
  at('list', async (files, each) =>
    (await files.list(each)).map(({ name, type, size }) => [name, type, size]),
  ),
  // Whether `mkdir -p a/../b` makes `a` as well is nobody's concern.
  at('make', (files, each) => files.makeDirectory(each.replaceAll('..', 'e'))),
  at('remove', (files, each) => files.remove(each)),
  at('remove all', (files, each) => files.remove(each, { recursive: true })),
  at('resolve', (files, each) => files.resolve(each)),
  fc.tuple(path, path).map(([from, to]): Step => ({
    say: `rename ${from} ${to}`,
    run: (files) => files.rename(from, to),
  })),
);

async function outcome(work: Step, workspace: Workspace): Promise<unknown> {
  try {
    return { value: await work.run(workspace.files) };
  } catch (error) {
    if (error instanceof WorkspaceError) return { code: error.code };
    throw error;
  }
}

async function tree(workspace: Workspace): Promise<unknown[]> {
  const contents = new Map<string, Uint8Array>();
  const sink = {
    missing: async (hashes: readonly string[]) => hashes.filter((hash) => !contents.has(hash)),
    put: async (hash: string, content: Uint8Array) => void contents.set(hash, content),
  };
  const entries = await workspace.snapshot(sink);
  // Each kind has a clock of its own.
  return entries.map((entry) => (entry.type === 'file' ? { ...entry, modified: 0 } : entry));
}

test('the same steps leave the same files and fail with the same codes', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      for (const each of [embedded, container])
        for (const { name } of await each.files.list(ROOT))
          await each.files.remove(name, { recursive: true });
      for (const [index, work] of steps.entries())
        expect(await outcome(work, container), `step ${index}`).toEqual(await outcome(work, embedded));
      expect(await tree(container)).toEqual(await tree(embedded));
    }),
    { numRuns: 150 },
  );
});

test('searches find the same', async () => {
  const texts = { 'src/a.ts': 'one\ntwo\r\none', 'src/deep/.hidden': 'one', 'b.md': 'no', '.git/c': 'one' };
  for (const each of [embedded, container])
    for (const [at, text] of Object.entries(texts))
      await each.files.write(at, new TextEncoder().encode(text));
  const query = { limit: 10, timeoutMs: 5_000 };
  for (const pattern of ['one', '^t', '\\bo', 'n(?=e)', ''])
    expect(await container.search.grep({ pattern, ...query })).toEqual(
      await embedded.search.grep({ pattern, ...query }),
    );
  for (const pattern of ['**', '*.{ts,md}', 'src/*', '**/.*']) {
    const [one, two] = await Promise.all(
      [container, embedded].map((each) => each.search.glob({ pattern, ...query })),
    );
    expect(new Set(one?.paths)).toEqual(new Set(two?.paths));
  }
});
