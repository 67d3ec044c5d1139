import { expect, test } from '@playwright/test';

test('the agent writes a file', async ({ page }) => {
  await page.goto('/?automation=1');
  const result = await page.evaluate(async () => {
    const { vitrine } = window;
    await vitrine.ready;
    await vitrine.configure({
      provider: 'scripted', // or 'openai', 'anthropic', … with an apiKey
      model: 'script',
      script: {
        version: 1,
        title: 'hello',
        turns: [
          {
            steps: [
              { tools: [{ tool: 'write', input: { filePath: 'hello.txt', content: 'Hello\n' } }] },
              { text: 'Done.' },
            ],
          },
        ],
      },
    });
    vitrine.onPermission((request) => (request.permission === 'edit' ? 'once' : 'reject'));
    const { status } = await vitrine.prompt('Write a greeting to hello.txt');
    return { status, text: await vitrine.workspace.readFile('hello.txt') };
  });
  expect(result).toEqual({ status: 'idle', text: 'Hello\n' });
  await expect(page.locator('[data-tool="write"]')).toHaveAttribute('data-outcome', 'ok');
});
