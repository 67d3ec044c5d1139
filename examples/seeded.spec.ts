import { expect, test } from 'vitrine/playwright';

test.use({ vitrine: { permission: 'allow', seed: 7, time: '2026-02-28T23:59:00Z' } });

test('times and ids follow from the seed', async ({ agent, model, workspace }) => {
  await model.script([
    { tools: [{ tool: 'bash', input: { command: 'echo hello > hello.txt; sleep 0.1; cat hello.txt' } }] },
    { tools: [{ tool: 'list', input: { path: '.' } }] },
    { chance: [{ text: 'Heads.' }, { text: 'Tails.' }] },
  ]);
  await agent.prompt('Write a greeting, then toss a coin');

  // They are the same in every run, and so is everything else in the recording.
  expect(agent.sessionID).toBe('ses_fdeb7e4dd0000001');
  const [first] = await agent.log();
  expect(new Date(first?.time ?? 0).toISOString()).toBe('2026-02-28T23:59:00.010Z');
  await expect(agent).toHaveSaid('Heads.');
  const [, list] = (await agent.facts()).calls;
  expect(list?.output).toContain('2026-02-28T23:59:00Z  hello.txt');
  await expect(workspace).toHaveFile('hello.txt', 'hello\n');
});
