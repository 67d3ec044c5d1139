import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitrine/playwright';

// The first test makes the recording; one from a bug report or from *Share* in the app is used in the same way.
test.describe.configure({ mode: 'serial' });
const recording = path.join(tmpdir(), `vitrine-example-${process.ppid}.json`);

test.describe('a session', () => {
  test.use({ vitrine: { permission: 'allow', files: { 'list.txt': 'milk\n' } } });

  test('is recorded', async ({ agent, model }) => {
    await model.script([
      { tools: [{ tool: 'bash', input: { command: 'echo bread >> list.txt', description: 'Add bread' } }] },
      { text: 'Bread is on the list.' },
    ]);
    await agent.prompt('Put bread on the list');
    await writeFile(recording, JSON.stringify(await agent.recording()));
    expect(await readFile(recording, 'utf8')).toContain('vitrine-recording');
  });
});

test.describe('a session from a recording', () => {
  test.use({ vitrine: { permission: 'allow', recording } });

  test('goes on where it ended, with its files', async ({ agent, model, workspace, page }) => {
    await expect(workspace).toHaveFile('list.txt', 'milk\nbread\n');
    await expect(page.getByText('Bread is on the list.')).toBeVisible();
    await expect(agent).toHaveTrajectory([]);
    await model.script([
      { tools: [{ tool: 'bash', input: { command: 'wc -l < list.txt', description: 'Count' } }] },
      { cases: [{ if: { result: '^2' }, text: 'Two things are on it.' }] },
    ]);
    expect((await agent.prompt('How many things are on it?')).status).toBe('idle');
    await expect(agent).toHaveSaid('Two things are on it.');
    // Matchers judge what the test did, and not what the recording brought.
    await expect(agent).not.toHaveSaid('Bread is on the list.');
    await expect(agent).toHaveTrajectory(['bash']);
  });
});
