import { expect, test, type Page } from '@playwright/test';
import { startStaticHost } from '../support/static-host.ts';
import { openApp, prompt, script, useScript } from './app.ts';

/** The main job in short: a scripted agent runs a command in the workspace and ends. */
async function runJob(page: Page, url: string): Promise<void> {
  await openApp(page, `${url}?automation=1`);
  await useScript(
    page,
    script(
      {
        tools: [
          { tool: 'bash', input: { command: 'echo hi > made.txt; cat made.txt', description: 'Make' } },
        ],
      },
      { text: 'Made.' },
    ),
    { bash: 'allow' },
  );
  expect((await prompt(page, 'Make it')).status).toBe('idle');
  expect(await page.evaluate(() => window.vitrine.workspace.readFile('made.txt'))).toBe('hi\n');
}

test('works in a sub-path', async ({ page }) => {
  const host = await startStaticHost({ base: '/apps/vitrine/' });
  await runJob(page, host.url);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await host.close();
});

test('works on a host that sends no headers', async ({ page }) => {
  const host = await startStaticHost({ headers: false });
  await runJob(page, host.url);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  await host.close();
});

test('stays isolated when everything is answered with 304', async ({ page }) => {
  const host = await startStaticHost();
  await openApp(page, `${host.url}?automation=1`);
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  expect(host.statuses.get('/?automation=1')).toEqual([200, 304]);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await runJob(page, host.url);
  await host.close();
});
