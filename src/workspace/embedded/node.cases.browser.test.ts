import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { server } from 'vitest/browser';
import { assertionsOf, comparable, folderOf, HOME, parseCases } from '../../../scripts/node-cases.mjs';
import type { NodeAnswer, NodeCase } from '../../../scripts/node-cases.mjs';
import { excused } from '../../../test/fixtures/node/excused.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { exec, type Workspace } from '../workspace.ts';
import { openEmbedded } from './open.ts';

/** How many cases agree with real Node today: raise it with every mend, never lower it. */
const FLOOR = 0;

interface Recorded {
  readonly answers: readonly (NodeAnswer & { readonly name: string })[];
}

const texts = import.meta.glob<string>('../../../test/fixtures/node/*.txt', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const recordings = import.meta.glob<Recorded>('../../../test/fixtures/node/*.json', {
  import: 'default',
  eager: true,
});
const areas = Object.entries(texts).map(([path, text]) => ({
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

describe('node against real Node 22', () => {
  const compared: Compared[] = [];
  let workspace: Workspace;

  beforeAll(() => {
    workspace = openEmbedded({
      id: 'wsp_node',
      journal: new MemoryJournal(),
      container: document.body,
    });
  });
  afterAll(() => workspace.close());

  async function run(area: string, { name, command, files }: NodeCase): Promise<NodeAnswer> {
    const folder = `${HOME}/${folderOf(area, name)}`;
    await workspace.files.makeDirectory(folder);
    for (const [path, text] of Object.entries(files))
      await workspace.files.write(`${folder}/${path}`, new TextEncoder().encode(text));
    const errors = `${HOME}/.stderr`;
    const { output, exitCode } = await exec(workspace, `{ ${command}\n} 2> ${errors}`, {
      cwd: folder,
      env: { TZ: 'UTC' },
      timeoutMs: 15_000,
    });
    const stderr = await workspace.files.read(errors).catch(() => new Uint8Array());
    return { stdout: comparable(output), stderr: comparable(new TextDecoder().decode(stderr)), exitCode };
  }

  test.for(areas)('$area', { timeout: 600_000 }, async ({ area, cases, answers }) => {
    for (const each of cases) {
      const wanted = answers.find(({ name }) => name === each.name);
      expect(wanted, `${area}/${each.name} was never recorded`).toBeDefined();
      if (!wanted) continue;
      const got = await run(area, each);
      compared.push({ key: `${area}/${each.name}`, assertions: assertionsOf(wanted), wanted, got });
    }
  });

  test(`at least ${FLOOR} cases agree`, async () => {
    const agreeing = compared.filter(same);
    const differing = compared.filter((each) => !same(each));
    const assertions = (list: readonly Compared[]) => list.reduce((sum, each) => sum + each.assertions, 0);
    console.log(
      `${agreeing.length} of ${compared.length} cases agree with Node 22: ` +
        `${assertions(agreeing)} of ${assertions(compared)} assertions.`,
    );
    // Whole answers are long: they go where test results go.
    await server.commands.writeFile(
      `${server.config.root}/test-results/node-cases.json`,
      JSON.stringify(differing, null, 1),
    );
    const names = differing.map(({ key }) => key);
    expect(
      Object.keys(excused).filter((key) => !names.includes(key)),
      'excused, but they agree',
    ).toEqual([]);
    expect(agreeing.length, names.join('\n')).toBeGreaterThanOrEqual(FLOOR);
  });
});
