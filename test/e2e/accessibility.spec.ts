import { axeFindings, smallTargets, stumblingBlocks } from './accessible.ts';
import { answer, calls, dialog, openApp, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const job = script(
  {
    reasoning: 'I look first.',
    text: 'Some code:\n\n```js\nconst a = 1;\n```\n\nand a [link](https://example.com).',
    tools: [
      { tool: 'read', input: { filePath: 'a.txt' } },
      { tool: 'bash', input: { command: 'seq 1 200; exit 3', description: 'Count' } },
      { tool: 'nonsense', input: { wrong: true } },
    ],
  },
  { tools: [{ tool: 'edit', input: { filePath: 'a.txt', oldString: 'two', newString: '2' } }] },
  { text: 'Done.' },
);

for (const { name, options } of [
  { name: 'light', options: { colorScheme: 'light' as const } },
  { name: 'dark', options: { colorScheme: 'dark' as const } },
  {
    name: 'a phone',
    options: {
      colorScheme: 'light' as const,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    },
  },
]) {
  test.describe(name, () => {
    test.use(options);
    const phone = name === 'a phone';

    test('axe finds nothing on the first page, in dialogs and in a conversation', async ({ page }) => {
      const check = async (state: string) => {
        expect.soft(await axeFindings(page), state).toEqual([]);
      };
      await openApp(page);
      await expect(page.getByRole('button', { name: 'Watch a demo' })).toBeVisible();
      await check('first page');
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
      await check('settings');
      await page.keyboard.press('Escape');
      for (const [keys, name] of [
        ['ControlOrMeta+k', 'All commands'],
        ['Shift+?', 'Keys'],
      ] as const) {
        await page.getByRole('main').focus();
        await page.keyboard.press(keys);
        await expect(page.getByRole('dialog', { name })).toBeVisible();
        await check(name);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }
      await useScript(page, { ...job, files: { 'a.txt': 'one\ntwo\nthree\n' } });
      await send(page, 'Change two');
      await expect(dialog(page)).toContainText('seq 1 200');
      await expect(dialog(page).getByRole('button', { name: 'Allow once' })).toBeEnabled();
      await check('a command is asked for');
      await answer(page, 'Allow once');
      await answer(page, 'Allow once');
      await expect(page.getByRole('article').last()).toContainText('Done.');
      await check('conversation');

      await page.getByRole('tab', { name: 'Files' }).click();
      await page.getByRole('treeitem', { name: 'a.txt' }).click();
      const text = page.getByRole('textbox', { name: 'Text of a.txt' });
      await text.click();
      await page.keyboard.type('two ');
      await expect(page.getByRole('tab', { name: 'a.txt unsaved' })).toBeVisible();
      await check('a file is edited');
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await page.getByRole('textbox', { name: 'Find' }).pressSequentially('t');
      await expect(text.locator('.cm-searchMatch').first()).toBeVisible();
      await check('text is searched in it');
      await page.evaluate(() => window.vitrine.workspace.writeFile('a.txt', 'new\n'));
      await expect(page.getByRole('alert')).toContainText('a.txt was changed');
      await page.getByRole('button', { name: 'Show both' }).click();
      await expect(page.getByRole('group', { name: 'Changes to a.txt' }).last()).toBeVisible();
      await check('both versions of a file');
      // A change soon after a turn is taken for the agent's.
      await page.getByRole('button', { name: /^Take the (?:other one|agent’s)/ }).click();
      await page.keyboard.press('ControlOrMeta+p');
      await expect(page.getByRole('option', { name: 'a.txt' })).toBeVisible();
      await check('a file is looked for');
      await page.keyboard.press('Escape');
      await page.keyboard.press('ControlOrMeta+Shift+F');
      const search = page.getByRole('region', { name: 'Search in files' });
      await search.getByRole('searchbox').fill('new');
      await search.getByRole('button', { name: 'Replace', exact: true }).click();
      await search.getByRole('textbox', { name: 'Replace with' }).fill('old');
      await search.getByRole('button', { name: 'Which files' }).click();
      await expect(page.getByRole('button', { name: 'Replace 1 match' })).toBeVisible();
      await check('a text is searched in all files');
    });

    test('every main state can be named, reached and touched', async ({ page }) => {
      const check = async (state: string) => {
        expect.soft(await stumblingBlocks(page), state).toEqual([]);
        if (phone) expect.soft(await smallTargets(page), state).toEqual([]);
      };
      await openApp(page);
      await expect(page.getByRole('button', { name: 'Watch a demo' })).toBeVisible();
      await check('empty');

      await useScript(page, { ...job, files: { 'a.txt': 'one\ntwo\nthree\n' } });
      await send(page, 'Change two');
      await expect(dialog(page)).toContainText('seq 1 200');
      await check('a command is asked for');
      await answer(page, 'Allow once');
      await expect(dialog(page)).toContainText('a.txt');
      await check('a change is asked for');
      await answer(page, 'Allow once');
      await expect(page.getByRole('article').last()).toContainText('Done.');
      for (const tool of ['edit', 'bash', 'nonsense']) {
        const head = calls(page, tool).getByRole('button').first();
        if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
      }
      await check('a finished turn, all of it open');

      const own = page.getByRole('article', { name: 'You' });
      await own.getByRole('button', { name: 'Edit' }).click();
      await expect(page.getByRole('textbox', { name: 'Edit your message' })).toBeFocused();
      await check('a message is edited');
      await page.keyboard.press('Escape');
      await own.getByRole('button', { name: 'Restore to here' }).click();
      await expect(page.getByRole('dialog', { name: 'Restore to here' })).toContainText('a.txt');
      await check('a restore is looked at');
      await page.getByRole('button', { name: 'Restore', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Redo' })).toBeVisible();
      await check('a message is undone');
      await page.getByRole('button', { name: 'Redo' }).click();
      await expect(page.getByRole('article').last()).toContainText('Done.');
      await page.getByRole('textbox', { name: 'Message' }).fill('');

      await page.getByRole('tab', { name: 'Files' }).click();
      await page.getByRole('treeitem', { name: 'a.txt' }).click();
      const text = page.getByRole('textbox', { name: 'Text of a.txt' });
      await expect(text).toContainText('three');
      await check('a file');
      await text.click();
      await page.keyboard.type('edited ');
      await expect(page.getByRole('tab', { name: 'a.txt unsaved' })).toBeVisible();
      await check('a file is edited');
      await page.getByRole('button', { name: 'Close file' }).click();
      await expect(page.getByRole('alertdialog', { name: 'a.txt has unsaved edits.' })).toBeVisible();
      await check('unsaved edits are asked about');
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('treeitem', { name: 'a.txt' }).click();
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Move here' })).toBeVisible();
      await check('a file is moved');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.keyboard.press('ControlOrMeta+p');
      await expect(page.getByRole('option', { name: 'a.txt' })).toBeVisible();
      await check('a file is looked for');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Search in files' }).click();
      await page.getByRole('searchbox', { name: 'Search for' }).fill('e');
      await page.getByRole('button', { name: 'Replace', exact: true }).click();
      await page.getByRole('button', { name: 'Which files' }).click();
      await expect(page.getByRole('button', { name: /^Replace \d+ matches$/ })).toBeVisible();
      await check('a text is searched in all files');
      await page.getByRole('button', { name: 'Search in files' }).click();
      await page.getByRole('tab', { name: 'Changes' }).click();
      const changed = page.getByRole('list', { name: 'Changed files' });
      await changed.getByRole('button', { name: /^a\.txt / }).click();
      await expect(changed.getByRole('group', { name: 'Changes to a.txt' })).toBeVisible();
      await check('the changes');
      await page.getByRole('tab', { name: 'Terminal' }).click();
      await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeAttached();
      await check('the terminal');
      if (phone) await page.getByRole('tab', { name: 'Sessions' }).click();
      await page.getByRole('searchbox').fill('change');
      await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('link')).toHaveCount(1);
      await check('search');
      await page.getByRole('searchbox').fill('');
      await page.getByRole('listitem').getByRole('button', { name: 'Actions' }).click();
      await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
      await check('a menu');
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
      await check('something deleted');
      await page.getByRole('button', { name: 'Undo' }).click();

      await page.getByRole('button', { name: 'Settings' }).click();
      // Whoever runs the tests may have a server of models.
      await page.route('http://localhost:11434/**', (route) => route.abort());
      await page.getByLabel('Provider').selectOption('openai-compatible');
      await expect(page.getByRole('dialog')).toContainText('nothing answers there');
      await check('settings');
    });

    test('lessons can be named, reached and touched', async ({ page }) => {
      const check = async (state: string) => {
        expect.soft(await stumblingBlocks(page), state).toEqual([]);
        if (phone) expect.soft(await smallTargets(page), state).toEqual([]);
      };
      await page.goto('/?lesson=what-a-tool-call-is');
      const lessons = page.getByRole(phone ? 'main' : 'complementary', { name: 'Lessons' });
      await expect(lessons.getByRole('button', { name: 'Use this message' })).toBeVisible();
      await check('a lesson');
      await lessons.getByRole('button', { name: 'Use this message' }).click();
      await page.keyboard.press('Enter');
      if (phone) await page.getByRole('tab', { name: 'Lesson', exact: true }).click();
      await expect(lessons.getByRole('textbox', { name: 'Your answer' })).toBeVisible();
      await lessons.getByRole('button', { name: 'Show a hint' }).click();
      await check('a question of a lesson');
      await lessons.getByRole('button', { name: 'All lessons' }).click();
      await expect(lessons.getByRole('button', { name: /^The loop/ })).toBeVisible();
      await check('the list of lessons');
      await lessons.getByRole('button', { name: 'Write a lesson' }).click();
      await expect(page.getByRole('dialog', { name: 'Write a lesson' })).toContainText('Valid');
      await check('a lesson that is written');
    });

    test('recordings and comparisons can be named, reached and touched', async ({ page }) => {
      const check = async (state: string) => {
        expect.soft(await stumblingBlocks(page), state).toEqual([]);
        if (phone) expect.soft(await smallTargets(page), state).toEqual([]);
      };
      await page.goto('/?automation=1&recording=examples/demo.vitrine.json');
      await expect(page.getByRole('group', { name: 'Recording' })).toBeVisible();
      await check('a recording');
      await page.getByRole('tab', { name: 'Inspector' }).click();
      await expect(page.getByRole('tree')).toBeVisible();
      await check('a recording in the inspector');
      if (phone) await page.getByRole('tab', { name: 'Chat' }).click();
      await page.getByRole('button', { name: 'Run for real' }).click();
      const run = page.getByRole('group', { name: 'Recording run for real' });
      await run.getByRole('button', { name: 'Show differences' }).click();
      const sheet = page.getByRole('dialog', { name: 'Differences from the recording' });
      await expect(sheet.getByRole('listitem').first()).toBeVisible();
      await check('differences');

      await openApp(page);
      const asks = script({ tools: [{ tool: 'bash', input: { command: 'ls', description: 'List' } }] });
      await useScript(page, { ...asks, files: { 'a.txt': 'a\n' } }, 'ask');
      await send(page, '/compare');
      const compare = page.getByRole('dialog', { name: 'Compare' });
      await compare.getByRole('textbox', { name: 'Prompt' }).fill('List');
      await check('the form of a comparison');
      await compare.getByRole('button', { name: 'Run both' }).click();
      await expect(dialog(page)).toHaveCount(2);
      await expect(dialog(page).last().getByRole('button', { name: 'Allow once' })).toBeEnabled();
      await check('a comparison where both sides ask');
    });
  });
}
