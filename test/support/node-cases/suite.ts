import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { server } from 'vitest/browser';
import { assertionsOf, comparable, folderOf, HOME, parseCases } from '../../../scripts/node-cases.mjs';
import type { NodeAnswer, NodeCase } from '../../../scripts/node-cases.mjs';
import { openEmbedded } from '../../../src/workspace/embedded/open.ts';
import { MemoryJournal } from '../../../src/workspace/memory-journal.ts';
import { exec, type Workspace } from '../../../src/workspace/workspace.ts';
import { excused } from '../../fixtures/node/excused.ts';

interface Recorded {
  readonly answers: readonly (NodeAnswer & { readonly name: string })[];
}

const texts = import.meta.glob<string>('../../fixtures/node/*.txt', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const recordings = import.meta.glob<Recorded>('../../fixtures/node/*.json', {
  import: 'default',
  eager: true,
});

const all = Object.entries(texts).map(([path, text]) => ({
  area: path.replace(/^.*\/|\.txt$/g, ''),
  cases: parseCases(text),
  answers: recordings[path.replace(/\.txt$/, '.json')]?.answers ?? [],
}));

interface Compared {
  readonly key: string;
  readonly assertions: number;
  readonly wanted: NodeAnswer;
  readonly got: NodeAnswer;
}

const same = ({ wanted, got }: Compared) =>
  wanted.stdout === got.stdout && wanted.stderr === got.stderr && wanted.exitCode === got.exitCode;

export interface NodeSuite {
  readonly title: string;
  readonly areas: (area: string) => boolean;
  readonly prepare?: (workspace: Workspace) => Promise<void>;
}

/**
 * Runs the cases of test/fixtures/node in one workspace. Each must answer what real Node 22 answered, except those of
 * test/fixtures/node/excused.ts, which must not: the numbers in docs/workspace.md are counted from that list.
 */
export function nodeSuite({ title, areas, prepare }: NodeSuite): void {
  describe(title, () => {
    const compared = new Map<string, Compared>();
    let workspace: Workspace;

    beforeAll(async () => {
      workspace = openEmbedded({ id: 'wsp_node', journal: new MemoryJournal(), container: document.body });
      await prepare?.(workspace);
    }, 120_000);
    afterAll(async () => {
      await workspace.close();
      await report(title, [...compared.values()]);
    });

    describe.for(all.filter(({ area }) => areas(area)))('$area', ({ area, cases, answers }) => {
      test.for(cases)('$name', { timeout: 90_000 }, async (each) => {
        const key = `${area}/${each.name}`;
        const recorded = answers.find(({ name }) => name === each.name);
        if (!recorded) throw new Error(`${key} was never recorded`);
        const { name: _name, ...wanted } = recorded;
        const got = await run(workspace, area, each);
        compared.set(key, { key, assertions: assertionsOf(wanted), wanted, got });
        if (key in excused) expect(got, 'excused, but it agrees').not.toEqual(wanted);
        else expect(got).toEqual(wanted);
      });
    });
  });
}

async function report(title: string, compared: readonly Compared[]): Promise<void> {
  const agreeing = compared.filter(same);
  const differing = compared.filter((each) => !same(each));
  const assertions = (list: readonly Compared[]) => list.reduce((sum, each) => sum + each.assertions, 0);
  console.log(
    `${agreeing.length} of ${compared.length} cases agree with Node 22: ` +
      `${assertions(agreeing)} of ${assertions(compared)} assertions.\n` +
      differing.map(({ key }) => `${key in excused ? 'excused' : 'DIFFERS'} ${key}`).join('\n'),
  );
  // Whole answers are long: they go where test results go.
  const file = `${server.config.root}/test-results/${title.replaceAll(/\W+/g, '-')}.json`;
  await server.commands.writeFile(file, JSON.stringify(differing, null, 1));
}

async function run(
  workspace: Workspace,
  area: string,
  { name, command, files }: NodeCase,
): Promise<NodeAnswer> {
  const folder = `${HOME}/${folderOf(area, name)}`;
  // An earlier try may have left files.
  if (await workspace.files.stat(folder)) await workspace.files.remove(folder, { recursive: true });
  await workspace.files.makeDirectory(folder);
  for (const [path, text] of Object.entries(files))
    await workspace.files.write(`${folder}/${path}`, new TextEncoder().encode(text));
  const errors = `${HOME}/.stderr`;
  const { output, exitCode } = await exec(workspace, `{ ${command}\n} 2> ${errors}`, {
    cwd: folder,
    env: { TZ: 'UTC' },
    timeoutMs: 60_000,
  });
  const stderr = await workspace.files.read(errors).catch(() => new Uint8Array());
  return { stdout: comparable(output), stderr: comparable(new TextDecoder().decode(stderr)), exitCode };
}
