import type { Page } from '@playwright/test';
import { parseEvent, type EventOf } from '../../src/session/log/events.ts';
import { prompt, script, useScript } from './app.ts';
import { begin, panel, showIndex, shown, WAYS } from './preview-pages.ts';
import { expect, test } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

const PAGE = `<!doctype html><title>Loud</title><h1>Loud</h1><button>Go</button><button>Shout</button>
<script src="app.js"></script>`;
const SCRIPT = `console.log('<b>begun</b>');
fetch('/missing');
const [go, shout] = document.querySelectorAll('button');
go.onclick = () => { throw new Error('cannot go'); };
shout.onclick = () => { for (let n = 0; n < 10000; n++) console.log('line ' + n); };
`;

async function sessionID(page: Page): Promise<string> {
  const [session] = await page.evaluate(() => window.vitrine.sessions.list());
  return session?.id ?? '';
}

async function notedIn(page: Page, id: string): Promise<readonly EventOf<'preview.noted'>[]> {
  const events = (await page.evaluate((of) => window.vitrine.sessions.events(of), id)) as readonly unknown[];
  return events.map(parseEvent).filter((event) => event.type === 'preview.noted');
}

const log = (page: Page) => page.getByRole('tabpanel', { name: 'Log' });

for (const way of WAYS)
  test(`what happens in a page ${way} is in the log of the session, in the inspector and in recordings`, async ({
    page,
    complaints,
  }) => {
    complaints.expect(/cannot go/, /404/);
    await begin(page, { 'index.html': PAGE, 'app.js': SCRIPT }, way);
    await useScript(page, script({ text: 'Hello.' }), 'allow');
    await prompt(page, 'Hello');
    await showIndex(page);
    await shown(page, way).getByRole('button', { name: 'Go' }).click();

    await page.getByRole('tab', { name: 'Log' }).click();
    await log(page)
      .getByText(/^In the preview: 3 messages, 2 problems$/)
      .click();
    const list = log(page).getByRole('list', { name: 'In the preview' });
    const entries = list.getByRole('listitem');
    await expect(entries.first()).toContainText(/Error: cannot go \(\/app\.js:4:\d+\)/);
    for (const text of [/\[log\] <b>begun<\/b> \(\/app\.js:1:\d+\)/, /GET \/missing → 404/, /^Page: \//])
      await expect(entries.filter({ hasText: text })).toHaveCount(1);

    await page.getByRole('tab', { name: 'Inspector' }).click();
    const inspector = page.getByRole('tabpanel', { name: 'Inspector' });
    await inspector.getByRole('treeitem', { name: /^Turn 1/ }).click();
    await expect(inspector.getByRole('list', { name: 'In the preview' })).toContainText('cannot go');
    await inspector.getByRole('searchbox', { name: 'Search in steps and calls' }).fill('CANNOT GO');
    await expect(inspector.getByRole('status')).toHaveText('1 match');

    // The session that a recording becomes has it, too.
    const copy = await page.evaluate(
      async (id) => {
        const { sessions } = window.vitrine;
        return (await sessions.import(await sessions.export(id))).sessionID;
      },
      await sessionID(page),
    );
    expect(JSON.stringify(await notedIn(page, copy))).toContain('cannot go');
  });

test('a page that logs ten thousand lines does not fill the log, and its next error is in it', async ({
  page,
  complaints,
}) => {
  complaints.expect(/cannot go/, /404/);
  await begin(page, { 'index.html': PAGE, 'app.js': SCRIPT });
  await showIndex(page);
  await shown(page).getByRole('button', { name: 'Shout' }).click();
  await shown(page).getByRole('button', { name: 'Go' }).click();
  const id = await sessionID(page);
  await expect
    .poll(async () => (await notedIn(page, id)).flatMap(({ entries }) => entries.map(({ kind }) => kind)))
    .toContain('error');
  const noted = await notedIn(page, id);
  const entries = noted.flatMap((event) => event.entries);
  expect(entries.filter(({ kind }) => kind === 'console')).toHaveLength(99);
  expect(JSON.stringify(noted).length).toBeLessThan(20_000);
  const leftOut = noted.reduce((sum, event) => sum + (event.leftOut ?? 0), 0);
  expect(leftOut).toBeGreaterThan(0);
  await page.getByRole('tab', { name: 'Log' }).click();
  await log(page)
    .getByText(/^In the preview: /)
    .click();
  await expect(
    log(page)
      .getByText(/ more were left out of the log\.$/)
      .first(),
  ).toBeVisible();
  await expect(panel(page)).toBeHidden();
});

for (const way of WAYS)
  test(`the console says what a page ${way} wanted to open in a new tab`, async ({ page, complaints }) => {
    complaints.expect(/Blocked opening/);
    const links = `<!doctype html><title>Links</title>
      <a href="https://vite.dev/" target="_blank">Vite</a> <a href="#here" target="_self">Here</a>
      <button onclick="window.open('https://svelte.dev/')">Svelte</button>`;
    await begin(page, { 'index.html': links }, way);
    await showIndex(page);
    const frame = shown(page, way);
    await frame.getByRole('link', { name: 'Here' }).click();
    await frame.getByRole('link', { name: 'Vite' }).click();
    await frame.getByRole('button', { name: 'Svelte' }).click();
    await panel(page)
      .getByRole('button', { name: /^Console/ })
      .click();
    const drawer = panel(page).getByRole('region', { name: 'Console' });
    await drawer.getByRole('combobox', { name: 'Shown messages' }).selectOption('Everything');
    const said = drawer.getByRole('listitem').filter({ hasText: 'would open in a new tab' });
    await expect(said).toHaveText([/https:\/\/vite\.dev\//, /https:\/\/svelte\.dev\//]);
  });

test('a problem that goes to the agent is named by the page on which it happened', async ({
  page,
  complaints,
}) => {
  complaints.expect(/broken/);
  const about = `<!doctype html><title>About</title><button onclick="throw new Error('broken ' + ++window.times)">Break</button>
    <script>window.times = 0;</script>`;
  await begin(page, { 'index.html': '<!doctype html><a href="about.html">About</a>', 'about.html': about });
  await showIndex(page);
  await shown(page).getByRole('link', { name: 'About' }).click();
  const breaks = shown(page).getByRole('button', { name: 'Break' });
  await breaks.click();
  await panel(page).getByRole('button', { name: 'Back' }).click();
  await expect(shown(page).getByRole('link', { name: 'About' })).toBeVisible();
  await panel(page).getByRole('button', { name: 'Console' }).click();
  const send = panel(page).getByRole('listitem').filter({ hasText: 'broken' }).getByRole('button');
  await send.click();
  const message = page.getByRole('textbox', { name: 'Message' });
  await expect(message).toHaveValue(/about\.html says:[^]*broken 1/);

  // With the entries of the pages cleared, it is the one that is shown.
  await message.fill('');
  await shown(page).getByRole('link', { name: 'About' }).click();
  await expect(breaks).toBeVisible();
  await panel(page).getByRole('button', { name: 'Clear' }).click();
  await breaks.click();
  await send.click();
  await expect(message).toHaveValue(/about\.html says:[^]*broken 1/);
});
