import { expect, test } from 'vitrine/playwright';

test.use({ vitrine: { permission: 'allow', files: { 'sum.mjs': 'console.log(1 + 1);\n' } } });

test('an answer that breaks off is asked for again', async ({ agent, model }) => {
  await model.script([{ text: 'This is cut in the middle.', cut: 11 }, { text: 'This is whole.' }]);
  expect((await agent.prompt('Say something')).status).toBe('idle');
  await expect(agent).toHaveSaid('This is whole.');
});

test('arguments that are no JSON come back to the model as an error', async ({ agent, model }) => {
  await model.script([
    { tools: [{ tool: 'bash', raw: '{"command": "node sum.mjs' }] },
    {
      cases: [
        {
          if: { result: 'are not JSON' },
          tools: [{ tool: 'bash', input: { command: 'node sum.mjs', description: 'Add' } }],
        },
        { text: 'I saw no error.' },
      ],
    },
    { cases: [{ if: { result: '^2' }, text: 'It is two.' }] },
  ]);
  expect((await agent.prompt('Add one and one')).status).toBe('idle');
  await expect(agent).toHaveSaid('It is two.');
});

test('an agent copes with a provider that is busy three times out of four', async ({ agent, model }) => {
  await model.script({
    version: 1,
    title: 'busy',
    seed: 3,
    turns: [
      { steps: [{ chance: [{ weight: 3, error: { status: 529, retryAfter: 0 } }, { text: 'At last.' }] }] },
    ],
  });
  expect((await agent.prompt('Are you there?')).status).toBe('idle');
  await expect(agent).toHaveSaid('At last.');
});
