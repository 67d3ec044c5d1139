import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { answer, calls, dialog, openApp, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

/** What a person with a keyboard or a screen reader would stumble over, in words; nothing is what there should be. */
function stumblingBlocks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const shown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('[aria-hidden="true"], [inert]');
    const all = (selector: string) => [...document.querySelectorAll(selector)].filter(shown);
    const brief = (element: Element) => element.outerHTML.slice(0, 160);
    const textOf = (ids: string | null) =>
      (ids ?? '')
        .split(/\s+/)
        .map((id) => (id ? (document.getElementById(id)?.textContent ?? '') : ''))
        .join(' ')
        .trim();
    const nameOf = (element: Element) => {
      const labels = 'labels' in element ? [...((element.labels as NodeList | null) ?? [])] : [];
      return (
        textOf(element.getAttribute('aria-labelledby')) ||
        element.getAttribute('aria-label')?.trim() ||
        labels
          .map((label) => label.textContent)
          .join(' ')
          .trim() ||
        (/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) ? '' : element.textContent?.trim()) ||
        ''
      );
    };

    const named =
      'button, a[href], input:not([type="hidden"]), textarea, select, [role="button"], [role="tab"], [role="menuitem"],' +
      '[role="dialog"], [role="alertdialog"], [role="tree"], [role="treeitem"], [role="tablist"], [role="tabpanel"],' +
      '[role="status"][aria-label], [role="log"], [role="progressbar"], nav, aside';
    for (const element of all(named))
      if (nameOf(element) === '') found.push(`has no name: ${brief(element)}`);
    for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-controls'])
      for (const element of all(`[${attribute}]`))
        for (const id of element.getAttribute(attribute)!.split(/\s+/))
          if (id && !document.getElementById(id))
            found.push(`${attribute} points nowhere (${id}): ${brief(element)}`);
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    for (const id of new Set(ids.filter((each, at) => ids.indexOf(each) !== at)))
      found.push(`two elements have the id ${id}`);
    for (const element of all('img:not([alt])')) found.push(`no text for a picture: ${brief(element)}`);
    for (const element of all('[tabindex]'))
      if (Number(element.getAttribute('tabindex')) > 0) found.push(`out of order: ${brief(element)}`);
    for (const element of all('button button, a button, button a, button input'))
      found.push(`a control in a control: ${brief(element)}`);
    // What scrolls must be reachable: itself, or something in it.
    for (const element of all('*')) {
      const style = getComputedStyle(element);
      const scrolls =
        (/auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1) ||
        (/auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1);
      const reachable = '[tabindex="0"], button, a[href], input, textarea, select';
      if (scrolls && !element.matches(reachable) && !element.querySelector(reachable))
        found.push(`scrolls out of the keyboard's reach: ${brief(element)}`);
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the screen');
    if (all('main').length !== 1 && innerWidth > 760) found.push('there is not one main landmark');
    if (!document.documentElement.lang) found.push('the page has no language');
    return [...new Set(found)];
  });
}

/** What is pressed by a finger and is smaller than a finger needs. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, [role="tab"], [role="menuitem"], nav a, input, select, textarea')]
      // The terminal's own field follows its cursor; the whole screen of it is pressed.
      .filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.xterm'),
      )
      .map((element) => {
        // A small box is pressed by its words.
        const target = /^(checkbox|radio)$/.test((element as HTMLInputElement).type)
          ? (element.closest('label') ?? element)
          : element;
        return { target, box: target.getBoundingClientRect() };
      })
      .filter(({ box }) => box.width > 0 && box.height > 0 && (box.height < 39.5 || box.width < 39.5))
      .map(
        ({ target, box }) =>
          `${Math.round(box.width)}×${Math.round(box.height)}: ${target.outerHTML.slice(0, 140)}`,
      ),
  );
}

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
      // axe takes seconds for each of the ten states.
      test.setTimeout(180_000);
      const check = async (state: string) => {
        // In the middle of a transition a text may be too faint.
        await page.evaluate(() =>
          Promise.allSettled(
            document.getAnimations().flatMap((each) => (each instanceof CSSTransition ? each.finished : [])),
          ),
        );
        const { violations } = await new AxeBuilder({ page }).analyze();
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        expect.soft(found, state).toEqual([]);
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
      await page.getByRole('button', { name: 'Take the other one' }).click();
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
      const lessons = page.getByRole('complementary', { name: 'Lessons' });
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
