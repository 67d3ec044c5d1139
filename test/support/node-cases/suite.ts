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
  /** How many cases agree with real Node today: raise it with every mend, never lower it. */
  readonly floor: number;
  readonly prepare?: (workspace: Workspace) => Promise<void>;
}

/** Runs the cases of test/fixtures/node in one workspace and compares with what real Node 22 answered. */
export function nodeSuite({ title, areas, floor, prepare }: NodeSuite): void {
  describe(title, () => {
    const compared: Compared[] = [];
    let workspace: Workspace;

    beforeAll(async () => {
      workspace = openEmbedded({ id: 'wsp_node', journal: new MemoryJournal(), container: document.body });
      await prepare?.(workspace);
    }, 120_000);
    afterAll(() => workspace.close());

    test.for(all.filter(({ area }) => areas(area)))(
      '$area',
      { timeout: 600_000 },
      async ({ area, cases, answers }) => {
        for (const each of cases) {
          const wanted = answers.find(({ name }) => name === each.name);
          expect(wanted, `${area}/${each.name} was never recorded`).toBeDefined();
          if (!wanted) continue;
          const got = await run(workspace, area, each);
          compared.push({ key: `${area}/${each.name}`, assertions: assertionsOf(wanted), wanted, got });
        }
      },
    );

    test(`at least ${floor} cases agree`, async () => {
      const agreeing = compared.filter(same);
      const differing = compared.filter((each) => !same(each));
      const assertions = (list: readonly Compared[]) => list.reduce((sum, each) => sum + each.assertions, 0);
      console.log(
        `${agreeing.length} of ${compared.length} cases agree with Node 22: ` +
          `${assertions(agreeing)} of ${assertions(compared)} assertions.\n` +
          differing.map(({ key }) => key).join('\n'),
      );
      // Whole answers are long: they go where test results go.
      const file = `${server.config.root}/test-results/${title.replaceAll(/\W+/g, '-')}.json`;
      await server.commands.writeFile(file, JSON.stringify(differing, null, 1));
      const names = differing.map(({ key }) => key);
      const ran = new Set(compared.map(({ key }) => key));
      const needless = Object.keys(excused).filter((key) => ran.has(key) && !names.includes(key));
      expect(needless, 'excused, but they agree').toEqual([]);
      expect(agreeing.length, names.join('\n')).toBeGreaterThanOrEqual(floor);
    });
  });
}

async function run(
  workspace: Workspace,
  area: string,
  { name, command, files }: NodeCase,
): Promise<NodeAnswer> {
  // Among them is one that never ends.
  const isExcused = `${area}/${name}` in excused;
  const folder = `${HOME}/${folderOf(area, name)}`;
  await workspace.files.makeDirectory(folder);
  for (const [path, text] of Object.entries(files))
    await workspace.files.write(`${folder}/${path}`, new TextEncoder().encode(text));
  const errors = `${HOME}/.stderr`;
  const { output, exitCode } = await exec(workspace, `{ ${command}\n} 2> ${errors}`, {
    cwd: folder,
    env: { TZ: 'UTC' },
    timeoutMs: area.startsWith('packages') ? 60_000 : isExcused ? 3_000 : 15_000,
  });
  const stderr = await workspace.files.read(errors).catch(() => new Uint8Array());
  return { stdout: comparable(output), stderr: comparable(new TextDecoder().decode(stderr)), exitCode };
}
