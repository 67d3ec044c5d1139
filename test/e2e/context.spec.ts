import { start } from '../support/model-server/server.ts';
import { configure, openApp, prompt, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const long = 'A long answer. '.repeat(4_000);

test('a conversation that the model refuses as too long is summed up, and goes on', async ({ page }) => {
  await openApp(page);
  await useScript(page, {
    ...script({ text: long }),
    turns: [
      { when: '^Tell', steps: [{ text: long }] },
      { when: '^Sum up the conversation', steps: [{ text: '## Goal\nA story about a fox' }] },
      // The request after the summary has that in place of the first turn: it takes the turn that failed.
      { when: '^Go on|<summary-of-the-conversation', steps: [{ error: { status: 413 } }] },
      { when: '^Go on', steps: [{ text: 'And the fox slept.' }] },
    ],
  });
  await send(page, 'Tell me a story');
  await expect(page.getByRole('button', { name: /^Context: \d+k tokens used/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
  await send(page, 'Go on');
  await expect(page.getByText('And the fox slept.')).toBeVisible();
  const summary = page.getByRole('article', { name: 'Summary' });
  await summary.getByRole('button', { name: /^Summarized: / }).click();
  await expect(summary).toContainText('A story about a fox');
  await expect(page.getByText('A long answer.').first()).toBeAttached();

  await page.reload();
  await expect(page.getByRole('button', { name: /^Summarized: / })).toBeVisible();
});

test('by /compact, and by the button of the meter', async ({ page }) => {
  await openApp(page);
  await useScript(page, {
    ...script({ text: '' }),
    turns: [
      { when: '^Tell', steps: [{ text: 'Once there was a fox.' }] },
      { when: '^Sum up the conversation', steps: [{ text: 'A fox.' }] },
    ],
  });
  await send(page, 'Tell me a story');
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('Once there was a fox.');
  await send(page, '/compact');
  await expect(page.getByRole('button', { name: /^Summarized: / })).toBeVisible();
  await page.getByRole('button', { name: /^Context: / }).click();
  await page
    .getByRole('dialog', { name: 'Context' })
    .getByRole('button', { name: 'Summarize the conversation' })
    .click();
  await expect(page.getByText('There is nothing to summarize yet.')).toBeVisible();
});

test('a real provider’s count, limit and a title that its model makes', async ({ page }) => {
  const server = await start({
    script: {
      version: 1,
      title: 'job',
      chunkDelayMs: 0,
      turns: [
        { when: '^Name the conversation', steps: [{ text: 'A walk in the woods' }] },
        { steps: [{ text: 'We went far.' }] },
      ],
    },
    key: 'key-of-a-test',
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Provider').selectOption('anthropic');
  await page.getByLabel('Base URL').fill(`${server.url}/v1`);
  await page.getByLabel('API key').fill('key-of-a-test');
  await page.getByRole('combobox', { name: 'Model' }).fill('claude-sonnet-4-6');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.keyboard.press('Escape');
  await send(page, 'Where did we walk?');
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('We went far.');
  await expect(page.getByRole('heading', { name: 'A walk in the woods' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Context: .* of 200k tokens used/ })).toBeVisible();
  await server.close();
});

test('nobody who drives the page by a script pays for a title', async ({ page }) => {
  const server = await start({
    script: { version: 1, title: 'job', chunkDelayMs: 0, turns: [{ steps: [{ text: 'Far.' }] }] },
    key: 'key-of-a-test',
  });
  await openApp(page);
  await configure(page, {
    provider: 'openai-compatible',
    baseURL: `${server.url}/v1`,
    apiKey: 'key-of-a-test',
    model: 'm',
  });
  await prompt(page, 'Where?');
  expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  await server.close();
});

test('how much the model thinks is chosen at the message box, sent, and kept with the session', async ({
  page,
}) => {
  const server = await start({
    script: {
      version: 1,
      title: 'job',
      chunkDelayMs: 0,
      turns: [{ steps: [{ text: 'Far.' }] }, { steps: [{ text: 'Farther.' }] }],
    },
    key: 'key-of-a-test',
  });
  await openApp(page);
  await configure(page, {
    provider: 'openai-compatible',
    baseURL: `${server.url}/v1`,
    apiKey: 'key-of-a-test',
    model: 'gpt-oss-120b',
  });
  await prompt(page, 'Where?');
  const model = page.getByRole('button', { name: /^Model: gpt-oss-120b/ });
  await model.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'High' }).focus();
  await page.keyboard.press('Enter');
  await expect(model).toHaveAccessibleName(/Effort: High/);
  await send(page, 'Where then?');
  await expect(page.getByText('Farther.')).toBeVisible();
  const efforts = server.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => (body as { reasoning_effort?: string }).reasoning_effort);
  expect(efforts).toEqual([undefined, 'high']);
  await page.reload();
  await expect(model).toHaveAccessibleName(/Effort: High/);
  await server.close();
});
