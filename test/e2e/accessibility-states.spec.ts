import type { Page } from '@playwright/test';
import type { Script } from '../../src/models/types.ts';
import { begin, check, command, WINDOWS } from './accessible-states.ts';
import { configure, prompt, send } from './app.ts';
import { expect, test } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

const asks = {
  tool: 'question',
  input: { questions: [{ question: 'Which runtime?', options: ['Node', 'Deno'] }] },
};
const todos = {
  tool: 'todowrite',
  input: {
    todos: [
      { content: 'Look', status: 'completed', priority: 'high' },
      { content: 'Mend', status: 'in_progress', priority: 'medium' },
    ],
  },
};
const files = {
  'a.txt': 'one\ntwo\nthree\n',
  'index.html': '<!doctype html><html lang="en"><title>Home</title><h1>Home</h1></html>\n',
};
const change: Script['turns'][number] = {
  steps: [
    { tools: [{ tool: 'read', input: { filePath: 'a.txt' } }] },
    { tools: [{ tool: 'edit', input: { filePath: 'a.txt', oldString: 'two', newString: '2' } }] },
    { text: 'Done.' },
  ],
};

const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

for (const [name, options] of WINDOWS)
  test.describe(name, () => {
    test.use(options);
    const narrow = 'viewport' in options;

    test('axe finds nothing in what opens at the message box', async ({ page }) => {
      await begin(page, files, [
        { steps: [{ text: 'Hello.' }] },
        { steps: [{ tools: [todos, asks] }, { text: 'So be it.' }] },
      ]);
      await prompt(page, 'Hi');
      for (const [opener, state] of [
        [/^Mode: /, 'modes'],
        [/^Agent: /, 'agents'],
        ['Attach', 'ways to attach'],
      ] as const) {
        await button(page, opener).click();
        await expect(page.getByRole('menu')).toBeVisible();
        await check(page, state);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('menu')).toHaveCount(0);
      }
      await button(page, /^Context: /).click();
      await expect(page.getByRole('dialog', { name: 'Context' })).toBeVisible();
      await check(page, 'the context');
      await page.keyboard.press('Escape');

      await box(page).fill('Look at @a');
      await expect(page.getByRole('option', { name: 'a.txt' })).toBeVisible();
      await check(page, 'files to mention');
      await box(page).fill('/');
      await expect(page.getByRole('listbox', { name: 'Commands' })).toContainText('/undo');
      await check(page, 'commands at the message box');
      await box(page).fill('');

      await send(page, 'Set it up');
      const question = page.getByRole('dialog', { name: 'Question' });
      await expect(question.getByRole('button', { name: 'Dismiss' })).toBeEnabled();
      await check(page, 'a question and a list of tasks');
      await send(page, 'And then this');
      await expect(page.getByText('And then this')).toBeVisible();
      await check(page, 'a message waits');
    });

    test('axe finds nothing in dialogs and in the workbench', async ({ page }) => {
      await begin(page, files, [change]);
      await prompt(page, 'Change two');
      await command(page, 'Share');
      await expect(page.getByRole('dialog', { name: 'Share' })).toContainText('characters');
      await check(page, 'what is shared');
      await page.keyboard.press('Escape');
      await command(page, 'Open a repository');
      await expect(page.getByRole('dialog', { name: 'Open a repository' })).toBeVisible();
      await check(page, 'a repository to open');
      await page.keyboard.press('Escape');
      await page.getByRole('main').focus();
      await page.keyboard.press('Shift+?');
      const keys = page.getByRole('dialog', { name: 'Keys' });
      await keys
        .getByRole('button', { name: /^Change/ })
        .first()
        .click();
      await check(page, 'a key to change');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      if (!narrow) {
        await button(page, 'Layouts').click();
        await expect(page.getByRole('menu')).toBeVisible();
        await check(page, 'layouts');
        await page.keyboard.press('Escape');
      }

      await page.getByRole('tab', { name: 'Changes' }).click();
      const changed = page.getByRole('list', { name: 'Changed files' });
      await changed.getByRole('button', { name: /^a\.txt / }).click();
      await expect(changed.getByRole('group', { name: 'Changes to a.txt' })).toBeVisible();
      await check(page, 'what changed');
      const beside = page.getByRole('button', { name: 'Side by side' });
      if (await beside.isVisible()) {
        await beside.click();
        await check(page, 'what changed, side by side');
      }

      await page.getByRole('tab', { name: 'Preview' }).click();
      await check(page, 'no preview yet');
      await button(page, 'Show the workspace’s index.html').click();
      const frame = page
        .frameLocator('iframe[title="Page in the preview"]')
        .frameLocator('iframe[title="Page"]');
      await expect(frame.getByRole('heading')).toHaveText('Home');
      await page
        .getByRole('tabpanel', { name: 'Preview' })
        .getByRole('button', { name: /^Console/ })
        .click();
      await check(page, 'a preview and its console');
      for (const tab of ['Inspector', 'Log', 'Terminal']) {
        await page.getByRole('tab', { name: tab }).click();
        await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible();
        if (tab === 'Inspector') await page.getByRole('treeitem', { name: /^Edit/ }).first().click();
        if (tab === 'Terminal')
          await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeAttached();
        await check(page, tab);
      }
    });

    test('axe finds nothing behind the glass', async ({ page }) => {
      await page.goto('/?automation=1&offline=off&recording=examples/demo.vitrine.json');
      await expect(page.getByRole('group', { name: 'Recording' })).toBeVisible();
      await check(page, 'a recording');

      await begin(page, files, [change]);
      await button(page, 'Step through').click();
      await send(page, 'Change two');
      await expect(page.getByRole('region', { name: 'Stepping' })).toContainText('Paused');
      await check(page, 'a pause before a request');
      await button(page, 'Stop stepping').click();
      await expect(page.getByRole('article').last()).toContainText('Done.');

      await configure(page, { provider: 'you', model: 'you', permission: 'ask' });
      await send(page, 'What would you do?');
      const you = page.getByRole('dialog', { name: 'You are the model' });
      await expect(you).toBeVisible();
      await check(page, 'the person is the model');
    });
  });
