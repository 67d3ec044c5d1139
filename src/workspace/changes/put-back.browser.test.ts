import { afterAll, expect, test } from 'vitest';
import { MemorySink } from '../contract/fixture.ts';
import { openEmbedded } from '../embedded/open.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { takeSnapshot } from '../snapshot.ts';
import { exec } from '../workspace.ts';
import { putBack } from './put-back.ts';
import { changesSince } from './since.ts';

const workspace = openEmbedded({ id: 'changes', journal: new MemoryJournal(), container: document.body });
afterAll(() => workspace.close());

test('links and the permission to execute are put back by the shell', async () => {
  const run = async (command: string) =>
    expect(await exec(workspace, command)).toMatchObject({ exitCode: 0 });
  await run(
    `echo one >run; chmod +x run; echo two >plain; ln -s plain link; ln -s run 'old link'; echo file >swapped`,
  );
  const sink = new MemorySink();
  const manifest = (await takeSnapshot(workspace, sink)) ?? '';
  const list = 'ls -l --time-style=+ | cut -c1-10,20- | sort; cat run plain swapped';
  const before = (await exec(workspace, list)).output;
  await run(
    `chmod -x run; chmod +x plain; ln -sfn run link; rm 'old link'; ln -s plain "it's new"; rm swapped; ln -s run swapped`,
  );
  const changes = await changesSince(workspace, manifest, sink.get);
  expect(changes.map(({ path }) => path)).toEqual([
    "it's new",
    'link',
    'old link',
    'plain',
    'run',
    'swapped',
  ]);
  for (const change of changes)
    await putBack(workspace, change, async (version) =>
      version.type === 'file' ? sink.get(version.hash) : new TextEncoder().encode(version.target),
    );
  expect(await changesSince(workspace, manifest, sink.get)).toEqual([]);
  expect((await exec(workspace, list)).output).toBe(before);
});
