import { expect, test } from 'vitrine/playwright';

test('a provider that is busy is asked again', async ({ agent, model }) => {
  await model.script([{ error: { status: 529, retryAfter: 0 } }, { text: 'Here I am.' }]);
  expect((await agent.prompt('Are you there?')).status).toBe('idle');
  await expect(agent).toHaveSaid('Here I am.');
});

test('a key that is refused ends the turn with what the person can do', async ({ agent, model, page }) => {
  await model.script([{ error: { status: 401 } }]);
  expect((await agent.prompt('Hello')).status).toBe('error');
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('key');
});
