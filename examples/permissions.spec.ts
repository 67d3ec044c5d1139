import { expect, test } from 'vitrine/playwright';

const steps = [
  { tools: [{ tool: 'bash', input: { command: 'rm notes.txt', description: 'Remove the notes' } }] },
  { text: 'I could not remove them.' },
];

test.use({
  vitrine: {
    files: { 'notes.txt': 'Keep me.\n' },
    permission: { '*': 'allow', bash: { '*': 'ask', 'ls *': 'allow' } },
    script: steps,
  },
});

test('what the handler refuses is not done, and the agent reads why', async ({ agent, workspace }) => {
  agent.onPermission(({ patterns }) =>
    patterns.some((pattern) => pattern.startsWith('rm ')) ? { reject: 'Nothing is removed here.' } : 'once',
  );
  await agent.prompt('Tidy up');
  await expect(agent).toHaveAsked('bash', /^rm /);
  await expect(agent).toHaveDenied('bash');
  await expect(workspace).toHaveFile('notes.txt', 'Keep me.\n');
  await expect(workspace).toHaveChanged([]);
});

test('a person who clicks in the page can answer too', async ({ agent, page, workspace }) => {
  agent.onPermission(null);
  const turn = agent.prompt('Tidy up');
  const dialog = page.getByRole('alertdialog', { name: 'Permission required' });
  await dialog.getByRole('button', { name: 'Allow once' }).click();
  await turn;
  await expect(workspace).toHaveChanged(['notes.txt']);
});
