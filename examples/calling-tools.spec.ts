import { expect, test } from 'vitrine/playwright';

test.use({
  vitrine: {
    files: { 'notes.txt': 'Keep me.\n', 'secret.txt': 'hush\n' },
    permission: { '*': 'allow', read: { '*': 'allow', 'secret.txt': 'deny' }, bash: 'ask' },
  },
});

test('a rule is tried without a model', async ({ agent }) => {
  const read = await agent.callTool('read', { filePath: 'notes.txt' });
  expect(read.outcome).toBe('ok');
  expect(read.output).toContain('Keep me.');
  expect(await agent.callTool('read', { filePath: 'secret.txt' })).toMatchObject({ outcome: 'denied' });
});

test('what asks is answered by the test', async ({ agent, workspace }) => {
  agent.onPermission(({ patterns }) => (patterns.includes('rm notes.txt') ? 'reject' : 'once'));
  const remove = { command: 'rm notes.txt', description: 'Remove the notes' };
  expect(await agent.callTool('bash', remove)).toMatchObject({ outcome: 'denied' });
  const list = await agent.callTool('bash', { command: 'ls', description: 'List the files' });
  expect(list.output).toContain('secret.txt');
  await expect(agent).toHaveAsked('bash', 'rm notes.txt');
  await expect(workspace).toHaveChanged([]);
});

test('the model is told of the call with its next request', async ({ agent, model, page }) => {
  await agent.callTool('read', { filePath: 'notes.txt' });
  await expect(page.getByText('A test called a tool')).toBeVisible();
  await model.script([{ text: 'I know them now.' }]);
  await agent.prompt('Do you know the notes?');
  await expect(agent).toHaveTrajectory([]);
  expect(await agent.transcript()).toContain('## Test\n\n**read** → ok');
});
