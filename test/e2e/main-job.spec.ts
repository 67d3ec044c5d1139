import { answer, calls, dialog, openApp, readFile, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

test('the demo: one click, and an agent finds and fixes a real bug and proves it', async ({ page }) => {
  const bodies = new Map<string, number>();
  // The server says how long each body is. Playwright's own `sizes()` does not always return for what workers load.
  page.on('response', (response) => {
    // A `blob:` address shows what the page has loaded already.
    if (response.url().startsWith('http'))
      bodies.set(response.url(), Number(response.headers()['content-length']));
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'Watch a demo' }).click();

  const runs = calls(page, 'bash');
  await expect(dialog(page)).toContainText('node --test');
  await expect(runs.first()).toHaveAttribute('data-status', 'pending');
  await expect(runs.first()).toHaveAttribute('data-waiting', /./);
  await answer(page, 'Allow once');
  await expect(runs.first()).toHaveAttribute('data-outcome', 'ok');
  await expect(runs.first()).toContainText("'27.95' !== '28.40'");

  await expect(dialog(page)).toContainText("cents.padEnd(2, '0')");
  await answer(page, 'Allow once');
  await expect(calls(page, 'edit')).toHaveAttribute('data-outcome', 'ok');

  await expect(dialog(page)).toContainText('node --test');
  await answer(page, 'Allow once');
  await expect(runs.nth(1)).toHaveAttribute('data-outcome', 'ok');
  await expect(runs.nth(1)).toContainText('fail 0');
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('28.40');
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
  // As the server has packed it.
  const loaded = [...bodies.values()].reduce((sum, size) => sum + size, 0);
  expect(loaded).toBeGreaterThan(500_000);
  expect(loaded).toBeLessThan(900_000);
});

test('a session and its files survive a reload', async ({ page }) => {
  await openApp(page);
  await useScript(
    page,
    script(
      { text: 'Writing.', tools: [{ tool: 'write', input: { filePath: 'notes.md', content: '# Notes\n' } }] },
      { text: 'Written.' },
    ),
  );
  await send(page, 'Write some notes');
  await expect(dialog(page)).toContainText('# Notes');
  await answer(page, 'Allow once');
  await expect(calls(page, 'write')).toHaveAttribute('data-outcome', 'ok');
  await expect(page.getByRole('article').last()).toContainText('Written.');
  const address = page.url();
  expect(address).toMatch(/#\/session\/ses_/);

  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  expect(page.url()).toBe(address);
  await expect(page.getByRole('article').last()).toContainText('Written.');
  await expect(calls(page, 'write')).toHaveAttribute('data-outcome', 'ok');
  expect(await readFile(page, 'notes.md')).toBe('# Notes\n');
  await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('link')).toHaveCount(1);
});

test('stop closes every part with the output so far', async ({ page }) => {
  await openApp(page);
  await useScript(
    page,
    script({
      tools: [{ tool: 'bash', input: { command: 'echo first; sleep 60; echo last', description: 'Wait' } }],
    }),
    { bash: 'allow' },
  );
  await send(page, 'Wait a minute');
  const call = calls(page, 'bash');
  await expect(call).toContainText('first');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(call).toHaveAttribute('data-outcome', 'cancelled');
  await expect(call).toContainText('first');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
});

test('a message sent while the agent is busy steers its next step', async ({ page }) => {
  await openApp(page);
  await useScript(page, {
    version: 1,
    title: 'steered',
    chunkDelayMs: 0,
    turns: [
      { steps: [{ tools: [{ tool: 'bash', input: { command: 'echo one', description: 'First' } }] }] },
      { steps: [{ text: 'I have read your second message.' }] },
    ],
  });
  await send(page, 'Start');
  await expect(dialog(page)).toBeVisible();
  await send(page, 'And mind the tests');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('I have read your second message.');
});
