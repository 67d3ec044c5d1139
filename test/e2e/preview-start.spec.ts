import type { FrameLocator, Page } from '@playwright/test';
import { openApp, script, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

const panel = (page: Page) => page.getByRole('tabpanel', { name: 'Preview' });
const shell = (page: Page): FrameLocator => page.frameLocator('iframe[title="Page in the preview"]');
const shown = (page: Page): FrameLocator => shell(page).frameLocator('iframe[title="Page"]');

async function showPage(page: Page): Promise<void> {
  await openApp(page, '/?automation=1&offline=off&workspace=embedded');
  await useScript(page, script({ text: 'x' }), 'allow');
  await page.evaluate(() => window.vitrine.sessions.create());
  await writeFile(page, 'index.html', '<!doctype html><h1>Hello</h1>');
  await page.getByRole('tab', { name: 'Preview' }).click();
  await panel(page).getByRole('button', { name: 'Show the workspace’s index.html' }).click();
}

test('a service worker that comes late is waited for, and the tab says so', async ({ page }) => {
  await page.addInitScript(() => {
    if (!location.pathname.endsWith('/shell.html')) return;
    const workers = navigator.serviceWorker;
    const register = workers.register.bind(workers);
    workers.register = async (...given) => {
      await new Promise((resolve) => addEventListener('go-on', resolve, { once: true }));
      return register(...given);
    };
  });
  await showPage(page);
  const starting = panel(page).getByRole('status').filter({ hasText: 'Starting the preview' });
  await expect(starting).toContainText('the browser takes long to start');
  for (const frame of page.frames())
    if (frame.url().endsWith('/shell.html'))
      await frame.evaluate(() => void dispatchEvent(new Event('go-on')));
  await expect(shown(page).getByRole('heading')).toHaveText('Hello');
  await expect(panel(page).getByRole('note')).toHaveCount(0);
});

test('a refused service worker leads to rewriting at once, and Try again to the page’s own origin', async ({
  page,
}) => {
  await page.addInitScript(() => {
    if (!location.pathname.endsWith('/shell.html') || localStorage.getItem('refused')) return;
    localStorage.setItem('refused', 'once');
    navigator.serviceWorker.register = () => Promise.reject(new Error('Refused.'));
  });
  await showPage(page);
  const note = panel(page).getByRole('note');
  await expect(note).toContainText('did not let the preview start');
  await expect(
    page.frameLocator('[title="Page in the preview"] iframe:visible').getByRole('heading'),
  ).toHaveText('Hello');
  await note.getByRole('button', { name: 'Try again' }).click();
  await expect(shown(page).getByRole('heading')).toHaveText('Hello');
  await expect(note).toHaveCount(0);
});
