import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from '@playwright/test';
import { anotherBuild } from '../support/another-build.ts';
import { startStaticHost } from '../support/static-host.ts';
import { checkEverywhere } from './accessible-states.ts';
import { answer, calls, dialog, openApp, openSettings, script, useScript } from './app.ts';
import { expect, test, type Complaints } from './test.ts';

test.use({ serviceWorkers: 'allow' });

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const off = readFileSync(`${dist}/index.html`, 'utf8').replace(
  'name="vitrine-offline" content="allowed"',
  'name="vitrine-offline" content="off"',
);
const WITH_WORKER = '?automation=1&offline=on';

async function exec(page: Page, command: string) {
  await useScript(page, script({ text: 'Hello.' }));
  return page.evaluate((line) => window.vitrine.workspace.exec(line), command);
}
const buildOf = (page: Page) => page.locator('meta[name="vitrine-build"]').getAttribute('content');
const newer = (page: Page) => page.getByRole('group', { name: 'A new version is ready.' });
const keptBuilds = (page: Page) => page.evaluate(() => caches.keys());

/** Opens the settings and waits until they say that all is kept that works without a network. */
async function waitUntilKept(page: Page): Promise<void> {
  await openSettings(page, 'Storage');
  await expect(page.getByText(/^Works offline/)).toBeVisible({ timeout: 45_000 });
  await page.getByRole('button', { name: 'Close' }).click();
}

/** The browser notes that the server did not answer. */
const expectNoServer = (complaints: Complaints) =>
  complaints.expect(/Failed to load resource: net::ERR_(CONNECTION|INTERNET)/, /fetching the script/);

async function runDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Watch a demo' }).click();
  for (const part of ['node --test', 'padEnd', 'node --test']) {
    await expect(dialog(page)).toContainText(part, { timeout: 45_000 });
    await answer(page, 'Allow once');
  }
  await expect(calls(page, 'bash').last().getByText('4 tests passed')).toBeVisible();
}

test('after one visit the demo, node, rare commands and a lesson work without a network', async ({
  page,
  complaints,
}) => {
  expectNoServer(complaints);
  const host = await startStaticHost();
  await openApp(page, `${host.url}${WITH_WORKER}`);
  await waitUntilKept(page);
  await host.close();
  await openApp(page, `${host.url}${WITH_WORKER}`);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await runDemo(page);
  expect(await exec(page, "node -p \"require('zlib').gzipSync('a').length > 9 && 6 * 7\"")).toEqual({
    exitCode: 0,
    output: '42\n',
  });
  expect(await exec(page, 'printf abc | xxd -p')).toEqual({ exitCode: 0, output: '616263\n' });
  await page.goto(`${host.url}?lesson=the-loop`);
  await expect(page.getByRole('region', { name: 'Start a turn' })).toBeVisible();
});

test('a page keeps its own version while a newer one takes over, and reloads only when asked', async ({
  page,
  context,
}) => {
  const host = await startStaticHost();
  const next = anotherBuild(dist);
  await openApp(page, `${host.url}${WITH_WORKER}`);
  await waitUntilKept(page);
  await page.getByRole('textbox', { name: 'Message' }).fill('Half a thought');
  host.publish(next.folder);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect(newer(page)).toContainText('drafts are kept', { timeout: 60_000 });
  await checkEverywhere(page, 'a new version is ready');
  expect(await keptBuilds(page)).toHaveLength(2);

  // Parts of the old version, which the host no longer has: a panel, and the scripts of a workspace.
  const asked = host.statuses.size;
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'All commands' })).toBeVisible();
  await page.keyboard.press('Escape');
  expect((await exec(page, 'node -p 6*7')).output).toBe('42\n');
  expect([...host.statuses.keys()].slice(asked)).toEqual([]);
  expect(await buildOf(page)).toBe(next.old);
  const other = await context.newPage();
  await openApp(other, `${host.url}${WITH_WORKER}`);
  expect(await buildOf(other)).toBe(next.id);

  await newer(page).getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Half a thought');
  await expect.poll(() => buildOf(page)).toBe(next.id);
  await expect(newer(page)).toHaveCount(0);
  // Nothing uses the old version any more.
  await waitUntilKept(page);
  await expect.poll(() => keptBuilds(page)).toEqual([expect.stringContaining(next.id)]);
  next.remove();
  await host.close();
});

/** The pages that the worker answers for: the frame of the workspace is none, so nothing in it can ask the worker. */
async function clientsOf(context: BrowserContext): Promise<readonly string[]> {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('There is no service worker.');
  // Its global scope has no types here.
  const urls = await worker.evaluate(
    "clients.matchAll({ includeUncontrolled: true, type: 'window' }).then((all) => all.map(({ url }) => url))",
  );
  return urls as readonly string[];
}

test('node runs on a host that sends no headers, in a sub-path', async ({ page, context }) => {
  const host = await startStaticHost({ base: '/apps/vitrine/', headers: false });
  let loads = 0;
  page.on('load', () => loads++);
  await page.goto(host.url);
  // The page reloads itself once, since nobody has touched it.
  // Looking at the page would count as using it.
  await expect.poll(() => loads).toBe(2);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await openApp(page, `${host.url}?automation=1`);
  expect(
    await exec(page, 'node -e "console.log(process.version, new SharedArrayBuffer(8).byteLength)"'),
  ).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/^v\d+\.\d+\.\d+ 8\n$/),
  });
  expect(await clientsOf(context)).toEqual([`${host.url}?automation=1`]);
  await page.reload();
  expect(loads).toBe(4);
  await host.close();
});

test('a page that is in use is not reloaded for its headers, but says what a reload does', async ({
  page,
}) => {
  const host = await startStaticHost({ headers: false });
  await page.goto(host.url, { waitUntil: 'commit' });
  await page.getByRole('textbox', { name: 'Message' }).pressSequentially('Half');
  const offer = page.getByRole('group', { name: 'node needs one reload.' });
  await expect(offer).toBeVisible();
  await checkEverywhere(page, 'node needs a reload');
  await offer.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => page.evaluate(() => crossOriginIsolated).catch(() => false)).toBe(true);
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Half');
  await expect(offer).toHaveCount(0);
  await host.close();
});

test('the owner of a site can remove the worker from every browser', async ({ page }) => {
  const host = await startStaticHost({
    answers: (path) => (path === '/?off' ? { status: 200, body: off } : undefined),
  });
  await openApp(page, `${host.url}${WITH_WORKER}`);
  await expect.poll(() => keptBuilds(page)).toHaveLength(1);
  await page.goto(`${host.url}?off`);
  await expect.poll(() => keptBuilds(page)).toEqual([]);
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([]);
  await host.close();
});
