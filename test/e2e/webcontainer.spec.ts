import type { Page } from '@playwright/test';
import { answer, calls, configure, dialog, openApp, openSettings, prompt, script } from './app.ts';
import { ableToHurry } from './hurry.ts';
import { fakeRuntime } from './runtime.ts';
import { expect, test } from './test.ts';

const status = (page: Page) => page.getByRole('status', { name: 'Workspace' });
const notice = (page: Page, name: RegExp | string) => page.getByRole('group', { name });

/** What both kinds of shell can do. */
const job = script(
  {
    tools: [
      { tool: 'write', input: { filePath: 'src/add.js', content: 'module.exports = (a, b) => a - b;\n' } },
    ],
  },
  {
    tools: [
      { tool: 'bash', input: { command: 'cat src/add.js && ls src | sort > listed.txt; cat listed.txt' } },
    ],
  },
  { tools: [{ tool: 'edit', input: { filePath: 'src/add.js', oldString: 'a - b', newString: 'a + b' } }] },
  {
    tools: [
      { tool: 'grep', input: { pattern: 'a \\+ b' } },
      { tool: 'glob', input: { pattern: '**/*.js' } },
      { tool: 'list', input: {} },
    ],
  },
  { text: 'Done.' },
);

for (const kind of ['embedded', 'webcontainer']) {
  test(`the same job is done in a workspace of the kind ${kind}`, async ({ page }) => {
    await fakeRuntime(page);
    await openApp(page, `/?automation=1&workspace=${kind}`);
    await configure(page, { provider: 'scripted', model: 'script', script: job, permission: 'allow' });
    expect((await prompt(page, 'Make it add.')).status).toBe('idle');
    await expect(status(page)).toContainText(kind === 'embedded' ? 'Embedded' : 'WebContainer');
    for (const tool of ['write', 'bash', 'edit', 'grep', 'glob', 'list'])
      await expect(calls(page, tool)).toHaveAttribute('data-outcome', 'ok');
    expect(await page.evaluate(() => window.vitrine.workspace.readFile('src/add.js'))).toContain('a + b');
    expect(await page.evaluate(() => window.vitrine.workspace.list())).toEqual(['listed.txt', 'src/add.js']);
    await page.reload();
    await page.evaluate(() => window.vitrine.ready);
    await expect(status(page)).toContainText(kind === 'embedded' ? 'Embedded' : 'WebContainer');
    await configure(page, { provider: 'scripted', model: 'script', script: script({ text: 'x' }) });
    expect(await page.evaluate(() => window.vitrine.workspace.readFile('listed.txt'))).toBe('add.js\n');
  });
}

test('a new workspace is embedded at once and becomes a WebContainer before anything was changed', async ({
  page,
}) => {
  const { asked } = await fakeRuntime(page);
  await page.goto('/');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(status(page)).toContainText('WebContainer');
  expect(asked.some((path) => path.startsWith('/headless?'))).toBe(true);
});

test('without a WebContainer the embedded workspace goes on, says why, and another try may help', async ({
  page,
}) => {
  const { set } = await fakeRuntime(page, { page: 'missing', readable: true });
  await page.goto('/');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(status(page)).toContainText('Embedded');
  await expect(status(page)).toContainText('answered, but with 404');
  // Nothing covers the conversation.
  await expect(notice(page, /WebContainer/)).toHaveCount(0);
  await page.getByRole('button', { name: 'About this workspace' }).click();
  const details = notice(page, 'About this workspace');
  await expect(details).toContainText('answered, but with 404');
  await set({ page: 'works' });
  await details.getByRole('button', { name: 'Try a WebContainer again' }).click();
  await expect(status(page)).toContainText('WebContainer · Node');
  await expect(details).toHaveCount(0);
});

test('a WebContainer that starts and then does not work takes nothing over', async ({ page }) => {
  const hurry = await ableToHurry(page);
  await page.clock.install();
  await fakeRuntime(page, { diesAfter: 2 });
  await page.goto('/');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(status(page)).toContainText('Embedded');
  await hurry();
  // Whether a call has had its time is asked of the page's clock.
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await expect(status(page)).toContainText('its first command', { timeout: 500 });
  }).toPass();
  await expect(status(page)).toContainText('Embedded');
  await page.getByRole('button', { name: 'New file' }).click();
  await expect(status(page)).toContainText('Embedded');
});

test('what was touched meanwhile stays, and a WebContainer is offered beside it', async ({ page }) => {
  await fakeRuntime(page, { initAfterMs: 1_500 });
  await openApp(page, '/?automation=1&workspace=auto');
  await configure(page, {
    provider: 'scripted',
    model: 'script',
    script: script({ text: 'x' }),
    permission: 'allow',
  });
  await page.evaluate(() => window.vitrine.sessions.create());
  await page.evaluate(() => window.vitrine.workspace.writeFile('kept.txt', 'kept'));
  await expect(status(page)).toContainText('Embedded');
  const offer = notice(page, /A WebContainer is ready/);
  await offer.getByRole('button', { name: 'Work with Node' }).click();
  await expect(status(page)).toContainText('WebContainer');
  await expect(
    page.getByRole('navigation', { name: 'Sessions' }).getByRole('heading', { level: 3 }),
  ).toHaveCount(2);
});

test('only a workspace that the person asks for contacts StackBlitz', async ({ page }) => {
  const { asked } = await fakeRuntime(page);
  await openApp(page, '/?automation=1&workspace=auto');
  await configure(page, { provider: 'scripted', model: 'script', script: script({ text: 'Done.' }) });
  // A message on the first page makes a workspace as well.
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('article').last()).toContainText('Done.');
  await expect(status(page)).toContainText('Embedded');
  await page.goto('/');
  await page.getByRole('button', { name: 'Watch a demo' }).click();
  await expect(status(page)).toContainText('Embedded');
  await page.goto('/');
  await page.getByRole('button', { name: 'Take a lesson' }).click();
  const lessons = page.getByRole('complementary', { name: 'Lessons' });
  await lessons.getByRole('button', { name: /^What a tool call is/ }).click();
  await expect(status(page)).toContainText('Embedded');
  expect(asked).toEqual([]);
});

test('the owner of the site keeps StackBlitz out for good', async ({ page }) => {
  const { asked } = await fakeRuntime(page);
  await page.route('/', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('content="allowed"', 'content="off"');
    await route.fulfill({ response, body });
  });
  await page.goto('/');
  await openSettings(page, 'Workspace');
  await expect(page.getByRole('checkbox', { name: 'Ask StackBlitz for WebContainers' })).toBeDisabled();
  await expect(page.getByText('The owner of this site has switched WebContainers off')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(status(page)).toContainText('Embedded');
  await page.getByRole('button', { name: 'Workspace options' }).click();
  await expect(page.getByRole('menuitem', { name: 'New embedded workspace' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'New WebContainer' })).toHaveCount(0);
  expect(asked).toEqual([]);
});

test('a switch keeps the page from contacting StackBlitz', async ({ page }) => {
  const { asked } = await fakeRuntime(page);
  await page.goto('/');
  await openSettings(page, 'Workspace');
  await page.getByRole('checkbox', { name: 'Ask StackBlitz for WebContainers' }).uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(status(page)).toContainText('Embedded');
  await page.getByRole('button', { name: 'Workspace options' }).click();
  await expect(page.getByRole('menuitem', { name: 'New WebContainer' })).toHaveCount(0);
  // A link that names the kind gets no further.
  await page.goto('/?workspace=webcontainer');
  await page.getByRole('button', { name: 'New workspace' }).click();
  const failed = notice(page, /could not be started/);
  await expect(failed).toContainText('WebContainers from StackBlitz are turned off');
  await failed.getByRole('button', { name: 'Use the embedded workspace' }).click();
  await expect(status(page)).toContainText('Embedded');
  expect(asked).toEqual([]);
});

test('a process that cannot be stopped is told, and a restart keeps the files', async ({ page }) => {
  await fakeRuntime(page, { killIgnoredMs: Infinity });
  await openApp(page, '/?automation=1&workspace=webcontainer');
  await configure(page, {
    provider: 'scripted',
    model: 'script',
    script: script({ text: 'x' }),
    permission: 'allow',
  });
  await page.evaluate(() => window.vitrine.sessions.create());
  await page.evaluate(() => window.vitrine.workspace.writeFile('kept.txt', 'kept'));
  const ended = await page.evaluate(() =>
    window.vitrine.workspace.exec('node -e "for (;;);"', { timeoutMs: 200 }),
  );
  expect(ended.exitCode).toBe(124);
  const told = notice(page, /cannot be stopped/);
  await told.getByRole('button', { name: 'Restart the container' }).click();
  await expect(told).toHaveCount(0);
  await expect(status(page)).toContainText('WebContainer');
  expect(await page.evaluate(() => window.vitrine.workspace.exec('cat kept.txt'))).toEqual({
    exitCode: 0,
    output: 'kept',
  });
});

test('a command that could read what rules hide asks for those files', async ({ page }) => {
  await fakeRuntime(page);
  await openApp(page, '/?automation=1&workspace=webcontainer');
  const step = { tools: [{ tool: 'bash', input: { command: 'cat notes.txt' } }] };
  const files = { '.env': 'KEY=4711', 'notes.txt': 'hello' };
  const given = { ...script(step, { text: 'Done.' }), files };
  await configure(page, {
    provider: 'scripted',
    model: 'script',
    script: given,
    permission: { bash: 'allow' },
  });
  const done = prompt(page, 'Look.');
  await expect(dialog(page)).toContainText('.env');
  await answer(page, 'Allow once');
  expect((await done).status).toBe('idle');
  await expect(calls(page, 'bash')).toContainText('hello');
});
