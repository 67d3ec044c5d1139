import type { Page } from '@playwright/test';
import { openApp, script, useScript } from './app.ts';
import { fakeRuntime } from './runtime.ts';
import { expect, test } from './test.ts';

const tab = (page: Page) => page.getByRole('tab', { name: 'Preview' });
const panel = (page: Page) => page.getByRole('tabpanel', { name: 'Preview' });

/** A page that tries what it may not do to the one that shows it. */
const shown = (port: number) => `
  let visits = 0;
  require('http').createServer((request, response) => {
    if (request.url === '/end') return response.end('bye'), process.exit();
    if (request.url !== '/') return response.writeHead(404).end('not here');
    visits++;
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end('<!doctype html><title>shown</title><h1>Visit ' + visits + ' to ${port}</h1><output></output><script>' +
      'document.querySelector("output").textContent = [' +
      '() => parent.document.title, () => (top.location.href = "/taken"), () => open("/"), () => alert("x"),' +
      '].map((tries) => { try { return String(tries()); } catch { return "refused"; } }).join(" ");<' + '/script>');
  }).listen(${port});`;

/** Runs until it is asked for `/end`. */
async function serve(page: Page, port: number): Promise<void> {
  await page.evaluate(
    async ({ port, program }) => {
      await window.vitrine.workspace.writeFile(`server-${port}.js`, program);
      void window.vitrine.workspace.exec(`node server-${port}.js`);
    },
    { port, program: shown(port) },
  );
}

test('what a server of a WebContainer shows is seen in Preview, and can do nothing to the page', async ({
  page,
  complaints,
}) => {
  // The browser says so where it keeps the sandboxed frame from what it tries.
  complaints.expect(
    /Unsafe attempt to initiate navigation/,
    /Blocked opening/,
    /Ignored call to 'alert\(\)'/,
  );
  await fakeRuntime(page);
  await openApp(page, '/?automation=1&workspace=webcontainer');
  await useScript(page, script({ text: 'x' }), 'allow');
  await page.evaluate(() => window.vitrine.sessions.create());
  await tab(page).click();
  await expect(panel(page)).toContainText('No server is running');
  const address = page.url();

  await serve(page, 5173);
  await expect(panel(page)).toContainText('Port 5173');
  const frame = page.frameLocator('iframe[title="What the server on port 5173 shows"]');
  await expect(frame.getByRole('heading')).toHaveText('Visit 1 to 5173');
  await expect(frame.locator('output')).toHaveText(/^refused refused null undefined$/);
  expect(page.url()).toBe(address);

  await serve(page, 3000);
  const choice = panel(page).getByRole('combobox', { name: 'Server' });
  await choice.selectOption('Port 3000');
  const other = page.frameLocator('iframe[title="What the server on port 3000 shows"]');
  await expect(other.getByRole('heading')).toHaveText('Visit 1 to 3000');
  await panel(page).getByRole('button', { name: 'Reload' }).click();
  await expect(other.getByRole('heading')).toHaveText('Visit 2 to 3000');

  // In a tab of its own it is shown as well, and can do as little.
  const opened = page.waitForEvent('popup');
  await panel(page).getByRole('button', { name: 'Open in a tab of its own' }).click();
  const own = (await opened).frameLocator('iframe[title="What the server on port 3000 shows"]');
  await expect(own.getByRole('heading')).toHaveText('Visit 3 to 3000');
  await expect(own.locator('output')).toHaveText(/^refused refused null undefined$/);
  await (await opened).close();

  // A server that ended is not shown any more.
  const end = () => void fetch('/end');
  await other.getByRole('heading').evaluate(end);
  await expect(frame.getByRole('heading')).toContainText('to 5173');
  await frame.getByRole('heading').evaluate(end);
  await expect(panel(page)).toContainText('No server is running');
});
