import { expect, test, type Page } from '@playwright/test';
import { openApp, script, useScript } from './app.ts';
import { fakeRuntime } from './runtime.ts';

const tab = (page: Page) => page.getByRole('tab', { name: 'Preview' });
const panel = (page: Page) => page.getByRole('tabpanel', { name: 'Preview' });

/** The test host's servers only listen: what they would show is answered here, with what it may do to the page. */
async function serveShown(page: Page): Promise<void> {
  const body = `<!doctype html><title>shown</title><h1></h1><output></output><script>
    document.querySelector('h1').textContent = 'Hello from ' + location.host.split('--')[1];
    document.querySelector('output').textContent = [
      () => parent.document.title, () => (top.location.href = '/taken'), () => open('/'), () => alert('x'),
    ].map((tries) => { try { return String(tries()); } catch { return 'refused'; } }).join(' ');
  </script>`;
  await page.context().route('https://*.webcontainer-api.io/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: {
        'Cross-Origin-Embedder-Policy': 'require-corp',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
      body,
    }),
  );
}

async function listen(page: Page, port: number): Promise<void> {
  // It goes on until the container ends.
  await page.evaluate((at) => {
    void window.vitrine.workspace.exec(`node -e "require('http').createServer().listen(${at})"`);
  }, port);
}

test('what a server of a WebContainer shows is seen in Preview, and can do nothing to the page', async ({
  page,
}) => {
  await serveShown(page);
  await fakeRuntime(page);
  await openApp(page, '/?automation=1&workspace=webcontainer');
  await useScript(page, script({ text: 'x' }), 'allow');
  await page.evaluate(() => window.vitrine.sessions.create());
  await tab(page).click();
  await expect(panel(page)).toContainText('No server is running');
  const address = page.url();

  await listen(page, 5173);
  await expect(panel(page)).toContainText('Port 5173');
  const shown = page.frameLocator('iframe[title="What the server on port 5173 shows"]');
  await expect(shown.getByRole('heading')).toHaveText('Hello from 5173');
  await expect(shown.locator('output')).toHaveText(/^refused refused null undefined$/);
  expect(page.url()).toBe(address);

  await listen(page, 3000);
  const choice = panel(page).getByRole('combobox', { name: 'Server' });
  await choice.selectOption('Port 3000');
  const other = page.frameLocator('iframe[title="What the server on port 3000 shows"]');
  await expect(other.getByRole('heading')).toHaveText('Hello from 3000');
  const again = page.waitForRequest(/--3000--/);
  await panel(page).getByRole('button', { name: 'Reload' }).click();
  await again;
  await expect(other.getByRole('heading')).toHaveText('Hello from 3000');
});

test('a workspace without servers has no Preview, also where it was looked at last', async ({ page }) => {
  await fakeRuntime(page);
  await openApp(page, '/?automation=1&workspace=webcontainer');
  await useScript(page, script({ text: 'x' }), 'allow');
  await page.evaluate(() => window.vitrine.sessions.create());
  await tab(page).click();
  await page.goto('/?automation=1&workspace=embedded');
  await page.evaluate(() => window.vitrine.ready);
  await useScript(page, script({ text: 'x' }), 'allow');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(page.getByRole('status', { name: 'Workspace' })).toContainText('Embedded');
  await expect(tab(page)).toHaveCount(0);
  await expect(page.getByRole('tabpanel', { name: 'Files' })).toBeVisible();
});
