import { expect, test } from 'vitrine/playwright';

test.use({
  vitrine: {
    files: { 'src/add.js': 'export const add = (a, b) => a - b;\n' },
    permission: 'allow',
    script: [
      { tools: [{ tool: 'grep', input: { pattern: 'add' } }] },
      { tools: [{ tool: 'read', input: { filePath: 'src/add.js' } }] },
      {
        tools: [{ tool: 'edit', input: { filePath: 'src/add.js', oldString: 'a - b', newString: 'a + b' } }],
      },
      { text: 'It adds now.' },
    ],
  },
});

test('the agent looks before it edits, within its budget', async ({ agent, workspace }) => {
  await agent.prompt('add() subtracts. Mend it.');
  await expect(agent).toHaveTrajectory(['grep', 'read', { tool: 'edit', input: { filePath: 'src/add.js' } }]);
  await expect(agent).toHaveTrajectory(['edit', 'read'], { mode: 'superset' });
  await expect(agent).toFinishWithin({ steps: 4, ms: 20_000 });
  await expect(workspace).toHaveFile('src/add.js', /a \+ b/);
});

test('the conversation is the one that was reviewed', async ({ agent }) => {
  await agent.prompt('add() subtracts. Mend it.');
  await expect(agent).toMatchTranscript('mend-add.md');
});
