import type { Page } from '@playwright/test';
import { start } from '../support/model-server/server.ts';
import { answer, calls, configure, dialog, openApp, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const bash = (command: string) => ({ tool: 'bash', input: { command, description: 'Run it' } });
const last = (page: Page) => page.getByRole('article').last();

/** A server whose first answer stops in the middle of `part` and says no more. */
async function hanging(page: Page, part: 'text' | 'arguments', step: object) {
  const server = await start({
    script: { version: 1, title: 'hang', chunkDelayMs: 0, turns: [{ steps: [step] }] },
    faults: [{ request: 0, kind: 'hang', in: part }],
  });
  await configure(page, {
    provider: 'openai-compatible',
    baseURL: `${server.url}/v1`,
    apiKey: 'k',
    model: 'm',
  });
  return server;
}

test('markdown is set and code coloured while it streams', async ({ page }) => {
  await openApp(page);
  const lines = Array.from({ length: 30 }, (_, n) => `const value${n} = ${n};`).join('\n');
  const server = await hanging(page, 'text', { text: `A **bold** word.\n\n\`\`\`js\n${lines}\n\`\`\`\n` });
  await send(page, 'Write code');
  await expect(last(page).locator('strong')).toHaveText('bold');
  await expect(last(page).locator('.hl-keyword').first()).toHaveText('const');
  // It is still coming: the button to copy the code is there once it is whole.
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy code' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(last(page)).toContainText('const value0 = 0;');
  await server.close();
});

test('arguments are shown as they come, before the call is whole', async ({ page }) => {
  await openApp(page);
  const content = Array.from({ length: 60 }, (_, n) => `line ${n}`).join('\n');
  const server = await hanging(page, 'arguments', {
    tools: [{ tool: 'write', input: { filePath: 'long.txt', content } }],
  });
  await send(page, 'Write it');
  const call = calls(page, 'write');
  await expect(call).toHaveAttribute('data-status', 'pending');
  await expect(call).toContainText('writing arguments');
  await expect(call).toContainText('long.txt');
  await expect(call).toContainText('line 3');
  await expect(call).not.toContainText('line 59');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(call).toHaveAttribute('data-status', 'error');
  await server.close();
});

test('what a command prints is on the page while it runs, and so is that it runs', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ tools: [bash('echo one; sleep 1; echo two; sleep 60')] }), 'allow');
  await send(page, 'Go');
  const call = calls(page, 'bash');
  await expect(call).toContainText('one');
  await expect(call).toHaveAttribute('data-status', 'running');
  await expect(call.getByLabel('Output')).toHaveText('one\ntwo\n', { useInnerText: false });
  await expect(call).toHaveAttribute('data-status', 'running');
  await expect(call).toContainText('running');
  await page.getByRole('button', { name: 'Stop' }).click();
});

test('the tab’s title and icon tell a page that rests, works and waits', async ({ page }) => {
  const icon = () => page.locator('link[rel~="icon"]').getAttribute('href');
  await openApp(page);
  await expect(page).toHaveTitle('Vitrine');
  expect(await icon()).toMatch(/vitrine\.svg$/);
  await useScript(page, script({ tools: [bash('touch a; sleep 60')] }));
  await send(page, 'Go on');
  await expect(dialog(page)).toBeVisible();
  await expect(page).toHaveTitle('● Waiting for you · Go on · Vitrine');
  expect(await icon()).toMatch(/vitrine-waiting\.svg$/);
  const list = page.getByRole('navigation', { name: 'Sessions' });
  await expect(list.getByRole('listitem')).toContainText('Waiting for you');
  await answer(page, 'Allow once');
  await expect(page).toHaveTitle('Go on · Vitrine');
  await expect.poll(icon).toMatch(/vitrine-working\.svg$/);
  await expect(list.getByRole('listitem')).toContainText('Working');
  // The icons are there.
  for (const name of ['vitrine', 'vitrine-working', 'vitrine-waiting'])
    expect((await page.request.get(`/icons/${name}.svg`)).headers()['content-type']).toContain('image/svg');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(icon).toMatch(/vitrine\.svg$/);
});

test('another session’s question shows in the list and the title, never as a dialog here', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, script({ tools: [bash('touch a')] }, { text: 'Done.' }));
  await send(page, 'First');
  await expect(dialog(page)).toBeVisible();
  await page.getByRole('button', { name: 'New session' }).click();
  await expect(page.getByRole('article')).toHaveCount(0);
  await expect(dialog(page)).toHaveCount(0);
  await expect(page).toHaveTitle(/Waiting for you/);
  const row = page
    .getByRole('navigation', { name: 'Sessions' })
    .getByRole('listitem')
    .filter({ hasText: 'First' });
  await expect(row).toContainText('Waiting for you');
  await row.getByRole('link').click();
  await answer(page, 'Allow once');
  await expect(last(page)).toContainText('Done.');
});

test('streaming does not move the page under a reader who has scrolled up', async ({ page }) => {
  await openApp(page);
  const paragraphs = (word: string) => Array.from({ length: 80 }, (_, n) => `${word} ${n}.`).join('\n\n');
  await useScript(
    page,
    script({ text: paragraphs('First'), tools: [bash('touch a')] }, { text: paragraphs('Second') }),
  );
  await send(page, 'Go');
  await expect(dialog(page)).toBeVisible();
  await expect(calls(page, 'bash')).toBeInViewport();
  await page.getByRole('log', { name: 'Conversation' }).hover();
  await page.mouse.wheel(0, -2_000);
  await expect(calls(page, 'bash')).not.toBeInViewport();
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
  await answer(page, 'Allow once');
  await expect(last(page)).toContainText('Second 79.');
  await expect(page.getByText('Second 79.')).not.toBeInViewport();
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect(page.getByText('Second 79.')).toBeInViewport();
});

test('reduced motion moves nothing', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openApp(page);
  await useScript(page, script({ tools: [bash('touch a')] }));
  await send(page, 'Go');
  await expect(dialog(page)).toBeVisible();
  const moving = await page.evaluate(
    () =>
      document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
        .length,
  );
  expect(moving).toBe(0);
});
