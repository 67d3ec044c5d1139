import type { Page } from '@playwright/test';
import { openApp, readFile, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const textOf = (page: Page, path: string) => page.getByRole('textbox', { name: `Text of ${path}` });
const quick = (page: Page) => page.getByRole('dialog', { name: 'Go to file' });
const options = (page: Page) => quick(page).getByRole('option');

const numbered = Array.from({ length: 200 }, (_, at) => `line ${at + 1}\n`).join('');

async function start(page: Page, files: Record<string, string>): Promise<void> {
  await openApp(page);
  await useScript(page, { ...script({ text: 'Hello.' }), files });
  await send(page, 'Go');
  await expect(page.getByRole('article').last()).toContainText('Hello.');
}

test('a file is opened by a part of its name, at a line, from the message box and from the editor', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.print = () => document.body.append('printed');
  });
  await start(page, {
    'src/add.ts': numbered,
    'src/other.ts': 'other\n',
    'node_modules/left/pad.js': 'pad\n',
    '.gitignore': 'secret.txt\n',
    'secret.txt': 'hidden\n',
  });
  await page.getByRole('button', { name: 'Show or hide the workbench' }).click();
  await expect(page.getByRole('tree')).toHaveCount(0);

  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.press('ControlOrMeta+p');
  const field = quick(page).getByRole('combobox', { name: 'Name of the file' });
  await expect(field).toBeFocused();
  await expect(options(page)).toHaveCount(3);
  await field.pressSequentially('ad.ts:120');
  await expect(options(page)).toHaveText([/add\.ts.*line 120/]);
  await expect(options(page)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(quick(page)).toHaveCount(0);
  await expect(textOf(page, 'src/add.ts')).toBeFocused();
  await expect(page.locator('.cm-activeLineGutter').last()).toHaveText('120');

  await page.keyboard.press('ControlOrMeta+p');
  await field.pressSequentially('other');
  await page.keyboard.press('Enter');
  await expect(textOf(page, 'src/other.ts')).toBeFocused();

  // Files that were opened before come first, and a line alone is one of the shown file.
  await page.keyboard.press('ControlOrMeta+p');
  await expect(options(page).first()).toContainText('add.ts');
  await field.fill(':1');
  await expect(options(page)).toHaveText([/other\.ts/]);
  await field.fill('pad');
  await expect(quick(page).getByText('No such file').first()).toBeVisible();
  await field.fill('secret.txt');
  await expect(options(page)).toHaveText([/secret\.txt/]);
  await page.keyboard.press('Escape');
  await expect(quick(page)).toHaveCount(0);
  await expect(textOf(page, 'src/other.ts')).toBeFocused();
  await expect(page.locator('body')).not.toContainText('printed');
});

test('a text is searched, replaced in all files, and the replacement taken back', async ({ page }) => {
  await start(page, {
    'src/a.ts': 'const color = 1;\nuse(color);\n',
    'src/b.ts': 'color\r\n',
    'node_modules/left/pad.js': 'color\n',
  });
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.press('ControlOrMeta+Shift+F');
  const field = page.getByRole('searchbox', { name: 'Search for' });
  await expect(field).toBeFocused();
  await page.keyboard.type('color');
  await expect(page.getByText('3 matches in 2 files')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: /^Text of src/ })).toBeFocused();

  await page.keyboard.press('ControlOrMeta+Shift+F');
  await expect(field).toBeFocused();
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await page.getByRole('textbox', { name: 'Replace with' }).fill('colour');
  await expect(page.getByRole('list', { name: 'Matches', exact: true })).toContainText('const colour = 1;');
  await page.getByRole('button', { name: 'Replace 3 matches' }).click();
  await expect(page.getByText('Replaced 3 matches in 2 files.')).toBeVisible();
  expect(await readFile(page, 'src/a.ts')).toBe('const colour = 1;\nuse(colour);\n');
  expect(await readFile(page, 'src/b.ts')).toBe('colour\r\n');
  expect(await readFile(page, 'node_modules/left/pad.js')).toBe('color\n');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('The replacements are taken back.')).toBeVisible();
  expect(await readFile(page, 'src/b.ts')).toBe('color\r\n');
});

test('a file is dragged into a folder and brought back; what the turn changed has a letter', async ({
  page,
}) => {
  await openApp(page);
  await useScript(
    page,
    {
      ...script(
        { tools: [{ tool: 'write', input: { filePath: 'new.txt', content: 'new\n' } }] },
        { text: 'Written.' },
      ),
      files: { 'a.txt': 'one\n', 'src/b.ts': 'two\n' },
    },
    'allow',
  );
  await send(page, 'Go');
  await expect(page.getByRole('article').last()).toContainText('Written.');
  await page.getByRole('tab', { name: 'Files' }).click();
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true });
  await expect(item('new.txt')).toHaveAccessibleDescription(/New since the last turn began/);
  await expect(item('new.txt')).toContainText('A');
  await expect(item('a.txt')).toHaveAccessibleDescription('');

  await item('a.txt').dragTo(item('src'));
  await expect(page.getByText('Moved a.txt to src.')).toBeVisible();
  expect(await readFile(page, 'src/a.txt')).toBe('one\n');
  await expect(item('a.txt')).toHaveAccessibleDescription('Renamed since the last turn began');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('a.txt is back.')).toBeVisible();
  expect(await readFile(page, 'a.txt')).toBe('one\n');
});

test('twenty thousand files are found by their letters', async ({ page }) => {
  test.slow();
  await start(page, { 'a.txt': 'one\n' });
  const made = await page.evaluate(() =>
    window.vitrine.workspace.exec(
      'for d in $(seq 1 100); do mkdir -p src/d$d; for f in $(seq 1 200); do : > src/d$d/module-$f.ts; done; done; find src -type f | wc -l',
    ),
  );
  expect(made.output.trim()).toBe('20000');
  await page.keyboard.press('ControlOrMeta+p');
  const field = quick(page).getByRole('combobox', { name: 'Name of the file' });
  await expect(options(page)).toHaveCount(50);
  await expect(field).toBeFocused();
  for (const text of ['m', 'mo', 'mod', 'modu', 'd77', 'd77m', 'd77m1']) {
    await field.fill(text);
    await expect(options(page).first()).toContainText('module-');
  }
  await expect(options(page).first()).toContainText('d77');
  await field.fill('sd99-150');
  await expect(options(page).first()).toContainText('module-150.ts');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('a file that is chosen is shown in the tab Files', async ({ page }) => {
    await start(page, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
    await page.keyboard.press('ControlOrMeta+p');
    await options(page).filter({ hasText: 'b.txt' }).tap();
    await expect(textOf(page, 'b.txt')).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Files' })).toHaveAttribute('aria-selected', 'true');
  });
});
