import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootOnHost } from '../../../test/support/webcontainer/boot.ts';
import { openEmbedded } from '../embedded/open.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { ROOT, WorkspaceError, exec, type Files, type Workspace } from '../workspace.ts';
import { openWebContainer } from './open.ts';
import { TerminalText } from './terminal-text.ts';

let embedded: Workspace;
let container: Workspace;
const journal = new MemoryJournal();

beforeAll(() => {
  embedded = openEmbedded({ id: 'wsp_one', journal: new MemoryJournal(), container: document.body });
  container = openWebContainer({ id: 'wsp_two', journal, boot: () => bootOnHost({ cutAnywhere: true }) });
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
  /** Describes the step in a counterexample. */
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
  // Whether `mkdir -p a/../b` also creates `a` does not matter.
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
  // Each kind has its own clock.
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

async function printed(workspace: Workspace, command: string): Promise<string> {
  const process = workspace.spawn(command);
  process.closeInput();
  let output = '';
  for await (const piece of process.output) output += piece;
  return output;
}

test('what is printed does not hang on where it was cut', { timeout: 120_000 }, async () => {
  const pieces = ['a', 'é', '🦄', '\n', '\r', '\r\n', '\x1b[1;31m', '\x1b]0;title\x07', '\x1b', '[', 'm'];
  const texts = fc
    .array(fc.constantFrom(...pieces), { maxLength: 30 })
    .map((all) => new TextEncoder().encode(all.join('')));
  await fc.assert(
    fc.asyncProperty(fc.oneof(texts, fc.uint8Array({ maxLength: 200 })), async (content) => {
      // A terminal’s last character is known to be whole.
      const whole = Uint8Array.of(...content, 0x2e);
      for (const each of [embedded, container]) await each.files.write('printed', whole);
      const terminal = new TerminalText();
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole);
      const shown = terminal.add(text.replaceAll('\n', '\r\n')) + terminal.end();
      expect((await exec(container, 'cat printed')).output).toBe(shown);
      expect(await printed(container, 'cat printed')).toBe(await printed(embedded, 'cat printed'));
    }),
    { numRuns: 40 },
  );
});

test('a snapshot of either kind is restored by the other to the same', async () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  const contents = new Map<string, Uint8Array>();
  const sink = {
    missing: async (hashes: readonly string[]) => hashes.filter((hash) => !contents.has(hash)),
    put: async (hash: string, content: Uint8Array) => void contents.set(hash, content),
  };
  const contentOf = async (hash: string) => contents.get(hash) ?? new Uint8Array();
  for (const [from, to] of [
    [embedded, container],
    [container, embedded],
  ] as const) {
    await from.files.write('deep/ü 🦄.bin', Uint8Array.of(0, 255, 10, 13));
    await from.files.write(`of ${from.kind}.sh`, encode('#!'));
    await exec(
      from,
      `mkdir empty-${from.kind}; ln -s deep link-${from.kind}; chmod 755 "of ${from.kind}.sh"`,
    );
    const taken = await from.snapshot(sink);
    await to.restore(taken, contentOf);
    expect(await to.snapshot(sink)).toEqual(taken);
  }
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
