import type { Page } from '@playwright/test';
import { smallTargets, stumblingBlocks } from './accessible.ts';
import { calls, configure, dialog, openApp, readFile, script } from './app.ts';
import { TerminalPage } from './terminal.ts';
import { expect, test } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, serviceWorkers: 'allow' });

const PAGE = '<!doctype html><html lang="en"><title>Prices</title><h1>Tea 3.20</h1></html>\n';
const job = {
  ...script(
    { text: 'I look at the page.', tools: [{ tool: 'read', input: { filePath: 'index.html' } }] },
    {
      tools: [{ tool: 'edit', input: { filePath: 'index.html', oldString: '3.20', newString: '3.40' } }],
    },
    { tools: [{ tool: 'bash', input: { command: 'cat index.html', description: 'Look at the page' } }] },
    { text: 'Tea costs 3.40 now.' },
  ),
  files: { 'index.html': PAGE },
};

/** Everything on the screen is large enough for a finger, and nothing is wider than the screen. */
async function expectTouchable(page: Page, state: string): Promise<void> {
  if (process.env.SHOTS) {
    await page.waitForTimeout(700);
    await page.screenshot({ path: `${process.env.SHOTS}/${state.replaceAll(' ', '-')}.png` });
  }
  expect.soft(await smallTargets(page), state).toEqual([]);
  expect.soft(await stumblingBlocks(page), state).toEqual([]);
}

/** The choices at the message box take one row, however long the model's name is. */
async function expectOneRow(page: Page): Promise<void> {
  const tops = await Promise.all(
    [/^Model: /, /^Agent: /, /^Mode: /, /^Attach/].map(async (name) => {
      const box = await page.getByRole('button', { name }).boundingBox();
      return box && Math.round(box.y + box.height / 2);
    }),
  );
  expect(new Set(tops).size, String(tops)).toBe(1);
  for (const name of [/^Agent: /, /^Mode: /]) {
    const cut = await page
      .getByRole('button', { name })
      .evaluate((button) => [button, ...button.children].some((each) => each.scrollWidth > each.clientWidth));
    expect(cut, String(name)).toBe(false);
  }
}

const pane = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).tap();

test('a whole job by touch on a screen of 360 px', async ({ page }) => {
  await openApp(page, '/?automation=1&offline=off&workspace=embedded');
  await expect(page.getByRole('button', { name: 'Watch a demo' })).toBeInViewport();
  await expectTouchable(page, '1 first page');
  await configure(page, {
    provider: 'scripted',
    model: 'a-script-with-a-name-that-is-longer-than-the-screen-is-wide',
    script: job,
  });

  const box = page.getByRole('textbox', { name: 'Message' });
  await box.tap();
  await page.keyboard.insertText('Raise the price of tea');
  await expectOneRow(page);
  await expectTouchable(page, '2 message typed');
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  const question = dialog(page);
  const allow = question.getByRole('button', { name: 'Allow once' });
  await expect(question).toContainText('3.40');
  await expect(allow).toBeEnabled();
  await expect(allow).toBeInViewport();
  await expectTouchable(page, '3 change asked');
  await allow.tap();
  await expect(question).toContainText('cat index.html');
  await expect(allow).toBeEnabled();
  await expectOneRow(page);
  await expectTouchable(page, '4 command asked');
  await allow.tap();
  await expect(page.getByRole('article').last()).toContainText('Tea costs 3.40 now.');
  await expectTouchable(page, '5 done');
  await calls(page, 'bash').getByRole('button').first().tap();
  await expect(calls(page, 'bash').getByLabel('Output', { exact: true })).toContainText('Tea 3.40');
  await expectTouchable(page, '6 card open');

  await pane(page, 'Changes');
  const changed = page.getByRole('list', { name: 'Changed files' });
  await changed.getByRole('button', { name: /^index\.html / }).tap();
  await expect(changed.getByRole('group', { name: 'Changes to index.html' })).toBeInViewport();
  await expectTouchable(page, '7 changes');

  await pane(page, 'Preview');
  await page.getByRole('button', { name: 'Show the workspace’s index.html' }).tap();
  const shown = page.frameLocator('iframe[title="Page in the preview"]').frameLocator('iframe[title="Page"]');
  await expect(shown.getByRole('heading')).toHaveText('Tea 3.40');
  await expectTouchable(page, '8 preview');

  await pane(page, 'Files');
  await page.getByRole('treeitem', { name: 'index.html' }).tap();
  await expect(page.getByRole('textbox', { name: 'Text of index.html' })).toContainText('3.40');
  await expectTouchable(page, '9 file');

  await pane(page, 'Chat');
  await page.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Restore to here' }).tap();
  await expect(page.getByRole('dialog', { name: 'Restore to here' })).toContainText('index.html');
  await expectTouchable(page, '10 restore');
  await page.getByRole('button', { name: 'Restore', exact: true }).tap();
  await expect(page.getByRole('button', { name: 'Redo' })).toBeInViewport();
  expect(await readFile(page, 'index.html')).toBe(PAGE);
  await expectTouchable(page, '11 restored');

  await page.getByRole('button', { name: 'Settings', exact: true }).tap();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings).toBeVisible();
  await expectTouchable(page, '12 settings');
  await settings.getByRole('combobox', { name: 'Page' }).selectOption({ label: 'Appearance' });
  await settings.getByLabel('Theme').selectOption('Dark');
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
  await expectTouchable(page, '13 appearance');
  await settings.getByRole('button', { name: 'Close' }).tap();
  await expect(settings).toHaveCount(0);

  await pane(page, 'Sessions');
  await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('link')).toBeInViewport();
  await expectTouchable(page, '14 sessions');
});

test('who wants a free model is led to the sign-in, which needs no scrolling', async ({ page }) => {
  await page.goto('/?offline=off');
  await page.getByRole('button', { name: 'Use a free model' }).tap();
  const signIn = page.getByRole('button', { name: 'Sign in with OpenRouter' });
  await expect(signIn).toBeFocused();
  await expect(signIn).toBeInViewport({ ratio: 1 });
  await expectTouchable(page, '15 sign-in');
});

test('what runs in the terminal is ended without a keyboard', async ({ page }) => {
  await openApp(page, '/?automation=1&offline=off&workspace=embedded');
  await page.evaluate(() => window.vitrine.sessions.create({}));
  const terminal = new TerminalPage(page);
  await terminal.open();
  await terminal.run('sleep 1000');
  const keys = page.getByRole('group', { name: 'Keys' });
  await expect(keys.getByRole('button')).toHaveCount(9);
  await expectTouchable(page, 'terminal');
  await keys.getByRole('button', { name: 'Ctrl+C' }).tap();
  await terminal.expectText(/\^C\n130 project \$$/);
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused();
});
