import { chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../scripts/chromium.mjs';
import { buildFramePage } from '../support/frame/server.ts';
import { expect, test } from './test.ts';

let built: Awaited<ReturnType<typeof buildFramePage>>;
test.beforeAll(async () => {
  built = await buildFramePage();
});
test.afterAll(() => built.remove());

for (const how of [{}, { base: '/some/where/' }, { headers: false }]) {
  test(`the workspace runs on a host with ${JSON.stringify(how)}`, async ({ page }) => {
    const host = await built.serve(how);
    await page.goto(`${host.page}#job`);
    expect(await host.report).toEqual({
      isolated: how.headers !== false,
      outputs: ['hi\n', 'before\n', 'hi\n'],
      runaway: 'timeout',
    });
    await host.close();
  });
}

test('a program that takes all memory costs its frame, not the page', async ({ complaints }) => {
  const host = await built.serve();
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    // Less memory a process, so that the machine is not at its end before the process is.
    args: [...chromiumArgs, '--js-flags=--max-old-space-size=128'],
  });
  const page = await browser.newPage();
  complaints.watch(page.context());
  await page.goto(`${host.page}#bomb`);
  expect(await host.report).toEqual({
    states: ['ready', 'restarting', 'ready'],
    reason: 'lost',
    output: expect.stringContaining('vitrine: The workspace stopped answering'),
    kept: 'kept',
  });
  await browser.close();
  await host.close();
});

test('sandbox.html on its own refuses to run', async ({ page, complaints }) => {
  const host = await built.serve();
  complaints.expect(/sandbox\.html runs only in a sandboxed frame of the app/);
  const refusal = page.waitForEvent('pageerror');
  await page.goto(`${host.url}sandbox.html`);
  await expect(page.getByText('It only runs inside the app')).toBeVisible();
  expect((await refusal).message).toBe('sandbox.html runs only in a sandboxed frame of the app');
  await page.evaluate(() => {
    const { port2 } = new MessageChannel();
    window.postMessage({ kernel: new Blob(['document.title = "taken"']) }, '*', [port2]);
  });
  expect(page.workers()).toEqual([]);
  await host.close();
});
