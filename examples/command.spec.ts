import { expect, test } from 'vitrine/playwright';

test.use({
  vitrine: {
    files: {
      'sum.js': 'export const sum = (list) => list.reduce((a, b) => a + b);\n',
      'sum.test.js':
        "import assert from 'node:assert';\nimport test from 'node:test';\nimport { sum } from './sum.js';\n" +
        "test('nothing', () => assert.equal(sum([]), 0));\n",
    },
    permission: 'allow',
  },
});

test("the workspace's own tests decide whether the agent did its work", async ({
  agent,
  model,
  workspace,
}) => {
  expect((await workspace.exec('node --test')).exitCode).toBe(1);
  await model.script([
    { tools: [{ tool: 'read', input: { filePath: 'sum.js' } }] },
    {
      tools: [
        {
          tool: 'edit',
          input: { filePath: 'sum.js', oldString: '(a, b) => a + b)', newString: '(a, b) => a + b, 0)' },
        },
      ],
    },
    { text: 'An empty list has the sum 0 now.' },
  ]);
  await agent.prompt('sum([]) fails. Mend it.');
  expect((await workspace.exec('node --test')).exitCode).toBe(0);
});
