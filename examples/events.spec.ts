import { expect, test, type Call } from 'vitrine/playwright';

test.use({
  vitrine: {
    files: { 'a.txt': 'one\n', 'b.txt': 'two\n' },
    permission: 'allow',
    script: [
      { tools: [{ tool: 'read', input: { filePath: 'a.txt' } }] },
      { tools: [{ tool: 'read', input: { filePath: 'b.txt' } }] },
      { text: 'Both are read.' },
    ],
  },
});

test('events come as they happen', async ({ agent }) => {
  const calls: Call[] = [];
  agent.on('tool', (call) => calls.push(call));
  const types: string[] = [];
  const turn = agent.prompt('Read both');
  for await (const event of turn) types.push(event.type);
  expect((await turn).status).toBe('idle');
  expect(types).toContain('prompt.accepted');
  expect(types.filter((type) => type === 'turn.ended')).toHaveLength(1);
  expect(calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ['read', 'ok'],
    ['read', 'ok'],
  ]);
});

test('a test waits for one event and stops the agent there', async ({ agent, model }) => {
  await model.script([
    { tools: [{ tool: 'bash', input: { command: 'sleep 60', description: 'Wait' } }] },
    { text: 'I waited.' },
  ]);
  const turn = agent.prompt('Wait a minute');
  await agent.waitFor(({ type, tool }) => type === 'call.running' && tool === 'bash');
  await agent.abort();
  expect((await turn).status).toBe('aborted');
});
