import type { Page } from '@playwright/test';
import { writeFile } from './app.ts';
import { begin, panel, showIndex, shown, tab } from './preview-pages.ts';
import { expect, test } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

/** The page in the tab: those of other workspaces wait elsewhere in the document. */
const inPanel = (page: Page) =>
  panel(page).frameLocator('iframe[title="Page in the preview"]').frameLocator('iframe[title="Page"]');

test('each workspace shows its own page, also after another one was looked at', async ({ page }) => {
  await begin(page, { 'index.html': '<!doctype html><title>First</title><h1>First</h1>' });
  await showIndex(page);
  await expect(inPanel(page).getByRole('heading')).toHaveText('First');
  const [first] = await page.evaluate(() => window.vitrine.sessions.list());

  await page.getByRole('button', { name: 'New workspace' }).click();
  await tab(page).click();
  await expect(panel(page)).toContainText('Nothing to show yet');
  await expect(page.locator('[title="Page in the preview"]:visible')).toHaveCount(0);
  await page.evaluate(() => window.vitrine.sessions.create());
  await writeFile(page, 'index.html', '<!doctype html><title>Second</title><h1>Second</h1>');
  await showIndex(page);
  await expect(inPanel(page).getByRole('heading')).toHaveText('Second');

  await page.evaluate((id) => (location.hash = `#/session/${id}`), first?.id ?? '');
  await expect(inPanel(page).getByRole('heading')).toHaveText('First');
});

test('a whole address leads to the server that it names, and to no other host', async ({ page }) => {
  const server = `require('http').createServer((request, response) => response.end(request.url)).listen(3000)`;
  await begin(page, { 'index.html': '<!doctype html><h1>Folder</h1>', 'server.js': server });
  await showIndex(page);
  await page.evaluate(() => void window.vitrine.workspace.exec('node server.js'));
  const choice = panel(page).getByRole('combobox', { name: 'What to show' });
  await expect(choice.locator('option', { hasText: 'Port 3000' })).toBeAttached();
  const address = panel(page).getByRole('textbox', { name: 'Address' });
  await address.fill('https://example.com/');
  await address.press('Enter');
  await expect(page.getByText('example.com is none of them')).toBeVisible();
  await expect(shown(page).getByRole('heading')).toHaveText('Folder');
  await address.fill('http://localhost:3000/some?path');
  await address.press('Enter');
  await expect(choice).toHaveValue('port 3000');
  // It is plain text, and shown as soon as it is there.
  await expect(shown(page).getByText('/some?path')).toBeVisible();
  await expect(address).toHaveValue('/some?path');
});
