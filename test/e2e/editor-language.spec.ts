import type { Page } from '@playwright/test';
import { openApp, readFile, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

const FILES = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "lib": ["es2022"] } }',
  'shapes.ts': '/** Adds <b>one</b>. */\nexport function next(n: number): number {\n  return n + 1;\n}\n',
  'main.ts': "import { next } from './shapes';\n\nexport const two: string = next(1);\n",
};

const textOf = (page: Page, path: string) => page.getByRole('textbox', { name: `Text of ${path}` });

async function open(page: Page, files: Record<string, string>, name: string): Promise<void> {
  await openApp(page);
  await useScript(page, { ...script({ text: 'Hello' }), files });
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('treeitem', { name, exact: true }).click();
  await textOf(page, name).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ArrowRight');
}

/** The start of the line above the end, and then so many characters to the right. */
async function toLastLine(page: Page, right: number): Promise<void> {
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  for (let at = 0; at < right; at++) await page.keyboard.press('ArrowRight');
}

test('a type error is shown, and goes when it is mended', async ({ page }) => {
  await open(page, FILES, 'main.ts');
  await expect(page.getByRole('button', { name: '1 problem' })).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: '1 problem' }).click();
  await expect(page.getByRole('listbox', { name: 'Problems' })).toContainText('not assignable');
  await textOf(page, 'main.ts').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ArrowRight');
  await toLastLine(page, 24);
  for (let at = 0; at < 6; at++) await page.keyboard.press('Backspace');
  await page.keyboard.type('number');
  await expect(page.getByRole('button', { name: '0 problems' })).toBeVisible({ timeout: 30_000 });
});

test('members are completed, and described as text', async ({ page }) => {
  await open(page, { ...FILES, 'main.ts': "import * as s from './shapes';\n" }, 'main.ts');
  await page.keyboard.type('s.');
  await expect(page.getByRole('option', { name: 'next' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Adds <b>one</b>.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(textOf(page, 'main.ts')).toContainText('s.next');
});

test('a definition is gone to, and a name renamed across two files', async ({ page }) => {
  await open(page, FILES, 'main.ts');
  // The keys of code are fetched with what counts its problems.
  await expect(page.getByRole('button', { name: '1 problem' })).toBeVisible({ timeout: 30_000 });
  await toLastLine(page, 28);
  await page.keyboard.press('F12');
  await expect(textOf(page, 'shapes.ts')).toBeFocused({ timeout: 30_000 });
  await expect(page.getByRole('button', { name: '0 problems' })).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'New name for next' }).fill('successor');
  await page.keyboard.press('Enter');
  await expect(page.getByText('3 places in 2 files:')).toBeVisible();
  await page.getByRole('button', { name: 'Rename all' }).click();
  await expect(page.getByText('Renamed to successor in 3 places.')).toBeVisible();
  expect(await readFile(page, 'shapes.ts')).toContain('function successor(');
  expect(await readFile(page, 'main.ts')).toContain('string = successor(1)');
});

test('a text is formatted as its .prettierrc says', async ({ page }) => {
  await open(page, { '.prettierrc': 'semi: false\nsingleQuote: true\n', 'a.ts': 'const  a = "b";' }, 'a.ts');
  await page.keyboard.press('Shift+Alt+f');
  await expect(page.getByText('Formatted.')).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByRole('tab', { name: 'a.ts', exact: true })).toBeVisible();
  expect(await readFile(page, 'a.ts')).toBe("const a = 'b'\n");
});
