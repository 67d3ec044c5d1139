import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { FrameLocator, Page } from '@playwright/test';
import { toLink } from '../../src/lessons/share.ts';
import { startFiles } from '../support/embedding.ts';
import { startStaticHost } from '../support/static-host.ts';
import { expect, test as base } from './test.ts';

const DEMO = readFileSync(new URL('../../public/examples/demo.vitrine.json', import.meta.url), 'utf8');
const LESS = JSON.stringify({ ...(JSON.parse(DEMO) as object), withheld: { pictures: 2, requests: 3 } });
const OPEN = { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/json' };
/** The strictest page that may embed: isolated, and with a policy that names the app's origin. */
const ISOLATED = {
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

interface Sites {
  /** The app, in a sub-path, with its headers. */
  readonly app: string;
  /** Where the recordings lie: one that every site may read, one that none may, and one that is damaged. */
  readonly files: string;
  /** Opens a page with this body on a third origin; its script keeps what the player says in `heard`. */
  embed(body: string, headers?: Readonly<Record<string, string>>): Promise<void>;
}

const test = base.extend<{ sites: Sites }>({
  async sites({ page }, use) {
    const app = await startStaticHost({ base: '/vitrine/' });
    const files = await startFiles({
      '/demo.json': { body: DEMO, headers: OPEN },
      '/less.json': { body: LESS, headers: OPEN },
      '/closed.json': { body: DEMO, headers: { 'Content-Type': 'application/json' } },
      '/page.json': { body: '{"title": "No recording"}', headers: OPEN },
      '/damaged.json': { body: DEMO.replace('step.started', 'step.begun'), headers: OPEN },
    });
    const open: { close(): Promise<unknown> }[] = [];
    await use({
      app: app.url,
      files: files.url,
      async embed(body, headers = {}) {
        const types = ['ready', 'playing', 'paused', 'position', 'ended', 'error', 'progress', 'completed'];
        const script = `window.heard = [];
          for (const player of document.querySelectorAll('vitrine-player'))
            for (const type of ${JSON.stringify(types)})
              player.addEventListener(type, ({ detail }) => heard.push({ type, ...detail }));`;
        const text = `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${body}</main>
          <script>${script}</script><script src="${app.url}player.js"></script></html>`;
        const site = await startFiles({ '/': { body: text, headers } });
        open.push(site);
        await page.goto(`${site.url}/`);
      },
    });
    for (const each of [app, files, ...open]) await each.close();
  },
});

const player = (src: string, more = '') =>
  `<vitrine-player src="${src}" title="The demo" ${more}></vitrine-player>`;
const frameOf = (page: Page): FrameLocator => page.frameLocator('vitrine-player iframe');
const heard = (page: Page, type: string) =>
  page.evaluate(
    (wanted) =>
      (Reflect.get(window, 'heard') as { type: string }[]).filter((message) => message.type === wanted),
    type,
  );

test('a recording of a third site plays in any page, and tells the page where it is', async ({
  page,
  sites,
}) => {
  await sites.embed(player(`${sites.files}/demo.json`));
  const frame = frameOf(page);
  await expect(frame.getByRole('heading', { level: 1 })).not.toHaveText('');
  await expect.poll(() => heard(page, 'ready')).toMatchObject([{ kind: 'recording' }]);
  expect(await heard(page, 'position')).toEqual([]);
  await frame.getByRole('combobox', { name: 'Speed' }).selectOption('8×');
  await expect(frame.getByRole('button', { name: 'Play' })).toHaveCount(1);
  await frame.getByRole('button', { name: 'Play' }).click();
  await expect(frame.getByRole('log', { name: 'Conversation' }).locator('article').first()).toBeVisible();
  await frame.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => heard(page, 'paused')).toHaveLength(1);
  await page.evaluate(() => {
    const element = document.querySelector('vitrine-player') as HTMLElement & {
      duration: number;
      seek(at: number): void;
      play(): void;
    };
    element.seek(element.duration - 1);
    element.play();
  });
  await expect.poll(() => heard(page, 'ended')).toHaveLength(1);
  const last = (await heard(page, 'position')).at(-1);
  expect(last).toMatchObject({ position: Reflect.get(last ?? {}, 'duration') as number });
  await expect(frame.locator('details.call').first()).toBeAttached();
  // The test of the demo fails before the agent mends it, and passes afterwards.
  const tests = frame.locator('details.call', { has: page.locator('code.tool', { hasText: 'bash' }) });
  await expect(tests.locator('.state')).toHaveText(['failed · exit 1', 'done']);
});

test('the frame has no storage, and reaches neither the page around it nor the app', async ({
  page,
  sites,
}) => {
  await sites.embed(player(`${sites.files}/demo.json`));
  await expect(frameOf(page).getByRole('button', { name: 'Play' }).first()).toBeVisible();
  const frame = page.frames().find(({ parentFrame }) => parentFrame !== null && page.frames().length > 1);
  const inside = page.frames().find((each) => each.url().startsWith(sites.app)) ?? frame;
  const isNone: unknown = expect.stringMatching(/SecurityError|null/);
  const found = await inside?.evaluate(() => {
    const attempt = (run: () => unknown) => {
      try {
        return String(run());
      } catch (error) {
        return error instanceof Error ? error.name : 'failed';
      }
    };
    return {
      origin: self.origin,
      storage: attempt(() => localStorage.length),
      cookies: attempt(() => document.cookie),
      parent: attempt(() => parent.document.title),
      worker: attempt(() => navigator.serviceWorker.controller),
    };
  });
  expect(found).toEqual({
    origin: 'null',
    storage: 'SecurityError',
    cookies: 'SecurityError',
    parent: 'SecurityError',
    worker: isNone,
  });
});

test('a page that is isolated embeds it too, and a frame without the attribute is sandboxed by its answer', async ({
  page,
  sites,
}) => {
  const address = `${sites.app}embed.html?recording=${encodeURIComponent(`${sites.files}/demo.json`)}`;
  await sites.embed(`<iframe title="The demo" src="${address}" width="600" height="400"></iframe>`, ISOLATED);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('button', { name: 'Play' }).first()).toBeVisible();
  const inside = page.frames().find((each) => each.url().startsWith(sites.app));
  expect(await inside?.evaluate(() => self.origin)).toBe('null');
});

test('on a host without headers a frame without the attribute shows nothing', async ({ page, sites }) => {
  const bare = await startStaticHost({ headers: false });
  await sites.embed(
    `<iframe title="x" src="${bare.url}embed.html?recording=examples/demo.vitrine.json"></iframe>`,
  );
  await expect(page.frameLocator('iframe').getByRole('alert')).toContainText('sandbox="allow-scripts');
  await bare.close();
});

test('the app itself cannot be framed by the page', async ({ page, sites, complaints }) => {
  complaints.expect(/frame-ancestors|Framing/);
  await sites.embed(`<iframe title="The app" src="${sites.app}"></iframe>`);
  await expect
    .poll(() => page.frames().map((frame) => frame.url()))
    .toContain('chrome-error://chromewebdata/');
});

test('what was left out of a recording is said before it plays', async ({ page, sites }) => {
  await sites.embed(player(`${sites.files}/less.json`));
  await expect(
    frameOf(page).getByText('Left out of it: pictures and attachments, requests to the model.'),
  ).toBeVisible();
  await sites.embed(player(`${sites.files}/demo.json`));
  await expect(frameOf(page).getByText('A recording: nothing runs here.')).toBeVisible();
  await expect(frameOf(page).getByText('Left out')).toHaveCount(0);
});

test('what cannot be read is named, with what to do about it', async ({ page, sites }) => {
  for (const [name, what] of [
    ['closed.json', 'Access-Control-Allow-Origin: *'],
    ['missing.json', 'Access-Control-Allow-Origin: *'],
    ['damaged.json', 'sessions[0].events['],
  ] as const) {
    await sites.embed(player(`${sites.files}/${name}`));
    await expect(frameOf(page).getByRole('alert'), name).toContainText(what);
    // The app, at another origin, may be let in; a damaged file is so everywhere.
    await expect(frameOf(page).getByRole('link', { name: 'Open in Vitrine' })).toHaveCount(
      name === 'damaged.json' ? 0 : 1,
    );
    await expect.poll(() => heard(page, 'error')).toHaveLength(1);
  }
  await sites.embed(player('http://example.org/a.json'));
  await expect(frameOf(page).getByRole('alert')).toContainText('must come from an https address');
});

test('what cannot be shown is said in the reader’s language, to the reader and to whoever made the page', async ({
  page,
  sites,
  complaints,
}) => {
  complaints.expect(/^vitrine-player: src="https:\/\/" is no address/);
  const alert = frameOf(page).getByRole('alert');
  const author = alert.getByText('Für die Person, die diese Seite gemacht hat');
  await sites.embed(player(`${sites.files}/page.json`, 'lang="de"'));
  await expect(alert).toContainText('Was hier gezeigt werden soll, ist keine Aufzeichnung.');
  await expect(alert).toContainText('Sagen Sie es bitte der Person, die diese Seite gemacht hat.');
  await expect(alert).not.toContainText('Choose a file');
  await expect(alert.getByText('This is not a recording')).toBeHidden();
  await author.click();
  await expect(alert.getByText('This is not a recording')).toBeVisible();
  await expect(alert.locator('[lang=en]')).toContainText('put the new file or link in its place');
  await expect
    .poll(() => heard(page, 'error'))
    .toMatchObject([{ next: expect.stringContaining('Save it again') }]);

  // The network may be at fault, about which a reader can do something.
  await sites.embed(player(`${sites.files}/missing.json`, 'lang="de"'));
  await expect(alert).toContainText('Laden Sie die Seite neu.');
  await sites.embed(player('https://', 'lang="de"'));
  await expect(alert).toContainText('Die Seite sagt nicht, was hier gezeigt werden soll.');
  await expect.poll(() => heard(page, 'error')).toMatchObject([{ code: 'embed-nothing' }]);
});

test('a single step and a single call are shown open', async ({ page, sites }) => {
  await sites.embed(player(`${sites.files}/demo.json`, 'call="2"'));
  const call = frameOf(page).locator('article.call');
  await expect(call).toHaveCount(1);
  await expect(call.getByRole('heading', { name: 'Arguments' })).toBeVisible();
  await expect(call.getByRole('heading', { name: 'Result' })).toBeVisible();
  await page.evaluate(() => {
    const element = document.querySelector('vitrine-player');
    element?.removeAttribute('call');
    element?.setAttribute('step', '1');
  });
  await expect(frameOf(page).getByRole('heading', { level: 1 })).toContainText('Step 1');
  await expect.poll(() => heard(page, 'ready')).toMatchObject([{ kind: 'call' }, { kind: 'step' }]);
  await page.evaluate(() => document.querySelector('vitrine-player')?.setAttribute('step', '999'));
  await expect(frameOf(page).getByRole('alert')).toContainText('there is no step 999');
});

test('“Open in Vitrine” opens the app with the same recording', async ({ page, sites, context }) => {
  await sites.embed(player(`${sites.app}?recording=examples/demo.vitrine.json`));
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    frameOf(page).getByRole('link', { name: 'Open in Vitrine' }).click(),
  ]);
  await expect(opened.getByRole('region', { name: 'About this recording' })).toBeVisible();
  expect(await opened.evaluate(() => [opener, crossOriginIsolated])).toEqual([null, true]);
});

for (const theme of ['light', 'dark'] as const)
  // The last one is a window of 1280 by 720 at 200 %.
  for (const [width, height] of [
    [360, 700],
    [1000, 700],
    [640, 360],
  ] as const)
    test(`nothing is in the way of anybody, ${theme}, ${width} by ${height}`, async ({
      page,
      sites,
      complaints,
    }) => {
      // The checker reads the style sheet by itself, which a frame without an origin may not.
      complaints.expect(/^Access to XMLHttpRequest at .*\.css/);
      await page.setViewportSize({ width, height });
      // The attribute counts for more than what the system prefers.
      await page.emulateMedia({ colorScheme: theme === 'dark' ? 'light' : 'dark' });
      await sites.embed(player(`${sites.files}/demo.json`, `theme="${theme}"`));
      const frame = frameOf(page);
      await expect(frame.getByRole('button', { name: 'Play' }).first()).toBeVisible();
      const isDark = () =>
        frame.locator('body').evaluate((body) => {
          const [lightness] = /[\d.]+/.exec(getComputedStyle(body).backgroundColor) ?? [];
          return Number(lightness) < 50;
        });
      expect(await isDark()).toBe(theme === 'dark');
      const check = async () =>
        expect((await new AxeBuilder({ page }).include('vitrine-player').analyze()).violations).toEqual([]);
      await check();
      await frame.getByRole('slider', { name: 'Position' }).press('ArrowRight');
      await page.evaluate(() => {
        const element = document.querySelector('vitrine-player') as HTMLElement & {
          duration: number;
          seek(at: number): void;
        };
        element.seek(element.duration);
      });
      await frame.locator('details.call summary').first().click();
      await expect(frame.getByRole('heading', { name: 'Arguments' })).toBeVisible();
      await check();
      expect(await frame.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
      await page.evaluate(() => document.querySelector('vitrine-player')?.removeAttribute('theme'));
      await expect.poll(isDark).toBe(theme !== 'dark');
    });

test('the keyboard is enough, and the language is that of the reader', async ({ page, sites }) => {
  await sites.embed(player(`${sites.files}/demo.json`, 'lang="de"'));
  const frame = frameOf(page);
  await frame.getByRole('link', { name: /^In Vitrine öffnen/ }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const pause = frame.getByRole('button', { name: 'Pause' });
  await expect(pause).toBeFocused();
  const slider = frame.getByRole('slider', { name: 'Position' });
  // Paused at its very beginning, it shows its first page again.
  await expect(slider).not.toHaveValue('0');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(slider).toBeFocused();
  await page.keyboard.press('Space');
  await expect(pause).toBeVisible();
  await page.keyboard.press('Space');
  await expect(pause).toHaveCount(0);
});

test('an English lesson is read from left to right where the page goes from right to left', async ({
  page,
  sites,
}) => {
  const markdown = `---\ntitle: Mine\nsummary: One.\n---\n\n## First\n\n${'Read this to its end. '.repeat(40)}\n`;
  await sites.embed(player(`#lesson=${await toLink({ markdown, script: '{}' })}`, 'lang="ar"'));
  const paragraphs = frameOf(page).locator('.reading > p:not(.note)');
  await expect(paragraphs.first()).toBeVisible();
  const indents = await paragraphs.evaluateAll((all) =>
    all.map((paragraph) => {
      const range = document.createRange();
      range.selectNodeContents(paragraph);
      const pieces = [...range.getClientRects()];
      const bottom = Math.max(...pieces.map((piece) => piece.bottom));
      const lastLine = pieces.filter((piece) => bottom - piece.bottom < 5);
      return Math.round(
        Math.min(...lastLine.map(({ left }) => left)) - paragraph.getBoundingClientRect().left,
      );
    }),
  );
  expect(new Set(indents)).toEqual(new Set([0]));
});

test('a lesson is there to read, and tells the page how far the reader is', async ({
  page,
  sites,
  complaints,
}) => {
  complaints.expect(/^Access to XMLHttpRequest at .*\.css/);
  await sites.embed(player('?lesson=what-a-tool-call-is'));
  const frame = frameOf(page);
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('What a tool call is');
  await expect.poll(() => heard(page, 'progress')).toMatchObject([{ step: 1, done: 0 }]);
  const [ready] = await heard(page, 'ready');
  expect(ready).toMatchObject({ kind: 'lesson', title: 'What a tool call is' });
  const [first] = await heard(page, 'progress');
  const steps = Number(Reflect.get(first ?? {}, 'steps'));
  expect(steps).toBeGreaterThan(1);
  expect((await new AxeBuilder({ page }).include('vitrine-player').analyze()).violations).toEqual([]);
  for (let step = 1; step < steps; step++) await frame.getByRole('button', { name: 'Next step' }).click();
  await expect.poll(() => heard(page, 'progress')).toHaveLength(steps);
  expect(await heard(page, 'completed')).toEqual([]);
  await frame.getByRole('button', { name: 'Finish' }).click();
  await expect(frame.getByRole('heading', { name: 'You have read the lesson to its end.' })).toBeFocused();
  await expect.poll(() => heard(page, 'completed')).toEqual([{ type: 'completed', steps }]);
  await expect(frame.getByText(/^Step \d+ of/)).toHaveCount(0);
  await expect(frame.getByText('End of the lesson')).toBeVisible();
  const back = frame.getByRole('button', { name: 'Previous step' });
  await back.click();
  await expect(frame.getByText(`Step ${steps} of ${steps}`)).toBeVisible();
  for (let step = steps - 1; step > 0; step--) {
    await back.click();
    await expect(frame.getByText(`Step ${step} of ${steps}`)).toBeVisible();
  }
  await expect(back).toBeDisabled();
  // It looks so, too.
  const colours = await frame
    .getByRole('button')
    .evaluateAll((all) => all.map((button) => getComputedStyle(button).color));
  expect(new Set(colours).size).toBe(2);
  // The focus is where the step begins, not lost with the button.
  await expect(frame.locator('h2:focus')).toHaveCount(1);
  await expect(frame.getByRole('link', { name: 'Open in Vitrine' })).toHaveAttribute(
    'href',
    `${sites.app}?lesson=what-a-tool-call-is`,
  );
});

test('a lesson is there in the reader’s language, begins where the page says, and leads to its recording', async ({
  page,
  sites,
  context,
}) => {
  await sites.embed(player('?lesson=what-a-tool-call-is', 'lang="de-CH" step="2"'));
  const frame = frameOf(page);
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Was ein Tool-Aufruf ist');
  await expect(frame.getByText(/^Schritt 2 von/)).toBeVisible();
  await expect(frame.getByRole('region', { name: /^Schritt 2/ })).toHaveAttribute('lang', 'de');
  await expect.poll(() => heard(page, 'progress')).toMatchObject([{ step: 2, done: 1 }]);
  await expect(frame.getByRole('link', { name: /^In Vitrine öffnen/ })).toHaveAttribute(
    'href',
    `${sites.app}?lang=de-CH&lesson=what-a-tool-call-is`,
  );
  await sites.embed(player('?lesson=small-models', 'step="40"'));
  await expect(frame.getByText('Step 5 of 5')).toBeVisible();
  await expect(frame.getByRole('link', { name: /^Watch a recording in Vitrine/ })).toHaveAttribute(
    'href',
    `${sites.app}?recording=${encodeURIComponent(`${sites.app}examples/small-model.vitrine.json`)}&play=1`,
  );
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    frame.getByRole('link', { name: /^Watch a recording in Vitrine/ }).click(),
  ]);
  // Whoever has said “watch” need not say “play”.
  await expect(opened.getByRole('log', { name: 'Conversation' }).getByRole('article').first()).toBeVisible();
  await expect(opened.getByRole('button', { name: 'Pause' })).toBeVisible();
});
