import { expect, test } from 'vitrine/playwright';

test.use({ vitrine: { permission: 'allow' } });

test('the agent writes a file', async ({ agent, model, workspace }) => {
  await model.script([
    { tools: [{ tool: 'write', input: { filePath: 'hello.txt', content: 'Hello\n' } }] },
    { text: 'Done.' },
  ]);
  const { status } = await agent.prompt('Write a greeting to hello.txt');
  expect(status).toBe('idle');
  await expect(agent).toHaveCalled('write', { filePath: 'hello.txt' });
  await expect(agent).toHaveSaid('Done.');
  await expect(workspace).toHaveFile('hello.txt', 'Hello\n');
  await expect(workspace).toHaveChanged(['hello.txt']);
});
