import { devices, type Page } from '@playwright/test';
import { startStaticHost } from '../support/static-host.ts';
import type { Knobs } from '../support/webcontainer/knobs.ts';
import { openApp, openSettings, script, useScript, writeFile } from './app.ts';
import { ableToHurry } from './hurry.ts';
import { fakeRuntime } from './runtime.ts';
import { expect, test } from './test.ts';

const status = (page: Page) => page.getByRole('status', { name: 'Workspace' });

async function newWorkspace(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New workspace' }).click();
}

/** The frame has loaded what it was answered, whatever that was: from then on all that is left is to wait. */
async function frameLoaded(page: Page): Promise<void> {
  await expect.poll(() => runtimeFrame(page)).toBeDefined();
  await runtimeFrame(page)?.waitForLoadState('load');
}

const runtimeFrame = (page: Page) =>
  page.frames().find((frame) => frame.url().startsWith('https://stackblitz.com/headless'));

/** Each is a boot that the client alone would wait for without end. */
const cases: readonly {
  readonly name: string;
  readonly knobs: Partial<Knobs>;
  readonly told: RegExp;
  readonly loads: boolean;
}[] = [
  {
    name: 'a page that is not there, where the answer may be read',
    knobs: { page: 'missing', readable: true },
    told: /answered, but with 404/,
    loads: true,
  },
  {
    name: 'a page that is not there, where it may not',
    knobs: { page: 'missing' },
    told: /not with a WebContainer for this site/,
    loads: true,
  },
  {
    name: 'a page that never says anything',
    knobs: { page: 'mute' },
    told: /not with a WebContainer for this site/,
    loads: true,
  },
  {
    name: 'a server that never answers',
    knobs: { page: 'silent' },
    told: /accepted the connection but does not answer/,
    loads: false,
  },
  {
    name: 'a frame without COEP',
    knobs: { coep: false },
    told: /headers do not fit|not with a WebContainer|cannot be reached/,
    loads: false,
  },
  {
    name: 'a frame without CORP',
    knobs: { corp: false },
    told: /headers do not fit|cannot be reached/,
    loads: false,
  },
  {
    name: 'a runtime that does not start',
    knobs: { buildHangs: true },
    told: /was loaded but has not started/,
    loads: true,
  },
];

for (const { name, knobs, told, loads } of cases) {
  test(`${name} is told, and the embedded workspace goes on`, async ({ page }) => {
    const hurry = await ableToHurry(page);
    await fakeRuntime(page, knobs);
    await page.goto('/');
    await newWorkspace(page);
    await expect(status(page)).toContainText('Embedded');
    if (loads) await frameLoaded(page);
    await hurry();
    // The longest is 45 seconds of the app's, which are under five of these.
    await expect(status(page)).toContainText(told, { timeout: 8_000 });
  });
}

test('no network is told at once, and nobody is asked', async ({ page }) => {
  const { asked } = await fakeRuntime(page);
  await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { get: () => false }));
  await page.goto('/');
  await newWorkspace(page);
  await expect(status(page)).toContainText('The browser is offline');
  expect(asked).toEqual([]);
});

test('a name that nobody knows is told', async ({ page }) => {
  await page.goto('/');
  await newWorkspace(page);
  await expect(status(page)).toContainText('cannot be reached', { timeout: 8_000 });
});

test('a host that takes no connection is told', async ({ page }) => {
  await page.route('https://stackblitz.com/**', (route) => route.abort('connectionrefused'));
  await page.goto('/');
  await newWorkspace(page);
  await expect(status(page)).toContainText('cannot be reached', { timeout: 8_000 });
});

test('a page that may stand in no frame is told', async ({ page, complaints }) => {
  complaints.expect(/Refused to display 'https:\/\/stackblitz\.com\/' in a frame/);
  await fakeRuntime(page);
  await page.route('https://stackblitz.com/headless**', async (route) => {
    const headers = {
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Frame-Options': 'DENY',
    };
    await route.fulfill({ status: 200, contentType: 'text/html', headers, body: '' });
  });
  const hurry = await ableToHurry(page);
  await page.goto('/');
  await newWorkspace(page);
  await expect(status(page)).toContainText('Embedded');
  await hurry();
  await expect(status(page)).toContainText(/not with a WebContainer|headers do not fit|cannot be reached/);
});

test('a policy that refuses the frame is told', async ({ page, complaints }) => {
  complaints.expect(/Framing 'https:\/\/stackblitz\.com\/' violates/);
  await fakeRuntime(page);
  await page.route('/', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(' https://stackblitz.com', '');
    await route.fulfill({ response, body });
  });
  await page.goto('/');
  await newWorkspace(page);
  await expect(status(page)).toContainText('policy does not let it');
});

test('an API key that is refused is told as such', async ({ page }) => {
  const { asked } = await fakeRuntime(page, { page: 'missing', readable: true });
  await page.goto('/');
  await openSettings(page, 'Workspace');
  const key = page.getByRole('textbox', { name: 'Site key for WebContainers' });
  await key.fill('wc_1');
  await key.blur();
  await page.getByRole('button', { name: 'Close' }).click();
  await newWorkspace(page);
  await expect(status(page)).toContainText('does not take the API key on this site', { timeout: 6_000 });
  expect(asked.some((path) => path.includes('client_id=wc_1'))).toBe(true);
});

test('on a phone nobody is asked, and nothing stands in the way', async ({ browser }) => {
  const context = await browser.newContext({ userAgent: devices['iPhone 15'].userAgent });
  const page = await context.newPage();
  const { asked } = await fakeRuntime(page);
  await page.goto('/');
  await newWorkspace(page);
  await expect(status(page)).toContainText('do not run on iPhones');
  expect(asked).toEqual([]);
  await context.close();
});

test('in a page that is not isolated nobody is asked', async ({ page }) => {
  const { asked } = await fakeRuntime(page);
  const host = await startStaticHost({ headers: false });
  await page.goto(host.url);
  await newWorkspace(page);
  await expect(status(page)).toContainText('not cross-origin isolated');
  await expect(status(page)).toContainText('node is off');
  await expect(status(page)).toContainText('Cross-Origin-Opener-Policy: same-origin');
  expect(asked).toEqual([]);
  // A part that is still loading would be cut off.
  await page.goto('about:blank');
  await host.close();
});

test('a frame that comes after a while is waited for', async ({ page }) => {
  await fakeRuntime(page, { initAfterMs: 2_000 });
  await page.goto('/');
  await newWorkspace(page);
  await expect(status(page)).toContainText('Embedded');
  await expect(status(page)).toContainText('WebContainer · Node');
});

test('a boot that comes when nobody waits for it any more is offered, and taken', async ({ page }) => {
  const hurry = await ableToHurry(page);
  await fakeRuntime(page, { initAfterMs: 5_000 });
  await page.goto('/');
  await newWorkspace(page);
  await frameLoaded(page);
  await hurry();
  await expect(status(page)).toContainText('not with a WebContainer for this site');
  const offer = page.getByRole('group', { name: /A WebContainer is ready/ });
  await offer.getByRole('button', { name: 'Work with Node' }).click();
  await expect(status(page)).toContainText('WebContainer · Node');
});

test('a runtime whose frame is gone is told in time, and a restart brings the files back', async ({
  page,
}) => {
  const hurry = await ableToHurry(page);
  await page.clock.install();
  await fakeRuntime(page);
  await openApp(page, '/?automation=1&workspace=webcontainer');
  await useScript(page, script({ text: 'x' }), 'allow');
  await page.evaluate(() => window.vitrine.sessions.create());
  await writeFile(page, 'kept.txt', 'kept');
  const ended = page.evaluate(async () => {
    for (const frame of document.querySelectorAll('iframe[src*="/headless"]')) frame.remove();
    return window.vitrine.workspace.exec('echo x').then(
      ({ exitCode }) => exitCode,
      (error: unknown) => String(error),
    );
  });
  await hurry();
  const told = page.getByRole('group', { name: 'The container stopped working.' });
  // Whether a call has had its time is asked of the page's clock.
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await expect(told).toContainText('A restart brings back the files', { timeout: 500 });
  }).toPass();
  expect(await ended).toBe(137);
  await told.getByRole('button', { name: 'Restart the container' }).click();
  await expect(told).toHaveCount(0);
  await expect(status(page)).toContainText('WebContainer · Node');
  expect(await page.evaluate(() => window.vitrine.workspace.exec('cat kept.txt'))).toEqual({
    exitCode: 0,
    output: 'kept',
  });
});
