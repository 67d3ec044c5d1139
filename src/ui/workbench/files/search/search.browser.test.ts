import { page, userEvent } from 'vitest/browser';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { MemoryWorkspace } from '../../../../../test/support/memory-workspace.ts';
import FilesTab from '../../FilesTab.svelte';
import '../../../styles/index.css';

const field = page.getByRole('searchbox', { name: 'Search for' });
const matches = page.getByRole('list', { name: 'Matches', exact: true });
const rows = () =>
  [...document.querySelectorAll('[data-at]')].map((row) => row.textContent.replace(/\s+/g, ' ').trim());

/** The name of the text that has the keyboard. It is in a shadow root. */
const focusedText = () => document.activeElement?.shadowRoot?.activeElement?.ariaLabel;

async function open(files: Record<string, string | Uint8Array>) {
  const workspace = new MemoryWorkspace({ files, id: `wsp_${crypto.randomUUID()}` });
  const shown = await render(FilesTab, { workspace, highlight: async () => null });
  shown.container.style.cssText = 'height: 600px; width: 700px';
  await page.getByRole('button', { name: 'Search in files' }).click();
  await expect.element(field).toHaveFocus();
  return workspace;
}

test('matches are listed by file, and a press opens the file with the match selected', async () => {
  await open({ 'a.txt': 'zero\none two one\n', 'src/b.ts': 'const One = 1;\n', 'c.txt': 'none' });
  await field.fill('one');
  await expect.element(page.getByText('4 matches in 3 files')).toBeVisible();
  await page.getByRole('button', { name: 'Match case' }).click();
  await expect.element(page.getByText('3 matches in 2 files')).toBeVisible();
  await page.getByRole('button', { name: 'Whole words' }).click();
  await expect.element(page.getByText('2 matches in 1 file')).toBeVisible();
  await userEvent.click(field);
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await expect.poll(focusedText).toBe('Text of a.txt');
  await userEvent.keyboard('!');
  await expect
    .element(page.getByRole('textbox', { name: 'Text of a.txt' }))
    .toHaveTextContent('zeroone two !');
});

test('expressions, globs and ignored files', async () => {
  await open({ 'a.ts': 'f(1)\n', 'b.js': 'f(2)\n', 'dist/c.js': 'f(3)\n', 'node_modules/d.js': 'f(4)\n' });
  await field.fill('f(');
  await expect.element(page.getByText('3 matches in 3 files')).toBeVisible();
  await expect.element(page.getByText(/Ignored files.*were not searched/)).toBeVisible();
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('This is no regular expression');
  await field.fill('f\\(\\d\\)');
  await expect.element(page.getByText('3 matches in 3 files')).toBeVisible();
  await page.getByRole('button', { name: 'Which files' }).click();
  await page.getByRole('textbox', { name: 'Only in' }).fill('*.js, *.css');
  await expect.element(page.getByText('2 matches in 2 files')).toBeVisible();
  await page.getByRole('textbox', { name: 'Not in' }).fill('dist');
  await expect.element(page.getByText('1 match in 1 file')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Ignored files too' }).click();
  await expect.element(page.getByText('2 matches in 2 files')).toBeVisible();
});

test('what a replacement changes is shown first; one match, a file, all of them, and back', async () => {
  const workspace = await open({ 'a.txt': 'one one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' });
  await field.fill('one');
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await page.getByRole('textbox', { name: 'Replace with' }).fill('$1');
  await expect.poll(rows).toContain('Line 11 one one becomes one $1');
  await page.getByRole('button', { name: 'Replace in line 1 of a.txt' }).first().click();
  await expect.element(page.getByText('Replaced 1 match in 1 file.')).toBeVisible();
  expect(workspace.files.text('a.txt')).toBe('$1 one\n');
  await page.getByRole('button', { name: 'Replace all in b.txt' }).click();
  await expect.element(page.getByText('2 matches in 2 files')).toBeVisible();
  expect(workspace.files.text('b.txt')).toBe('$1\n');
  await page.getByRole('button', { name: 'Replace 2 matches' }).click();
  await expect.element(page.getByText('Replaced 2 matches in 2 files.')).toBeVisible();
  await expect.element(page.getByText('Nothing found.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(page.getByText('The replacements are taken back.')).toBeVisible();
  expect(workspace.files.text('a.txt')).toBe('$1 one\n');
  expect(workspace.files.text('c.txt')).toBe('one\n');
  await expect.element(page.getByText('2 matches in 2 files')).toBeVisible();
});

test('a file with unsaved edits is left, and named', async () => {
  const workspace = await open({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
  await field.fill('one');
  await matches.getByRole('button').first().click();
  await expect.poll(focusedText).toBe('Text of a.txt');
  await userEvent.keyboard('{End}mine');
  await expect.element(page.getByRole('tab', { name: 'a.txt unsaved' })).toBeVisible();
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await page.getByRole('textbox', { name: 'Replace with' }).fill('two');
  await page.getByRole('button', { name: 'Replace 2 matches' }).click();
  await expect.element(page.getByText('Replaced 1 match in 1 file. 1 file left as it is.')).toBeVisible();
  await expect.element(page.getByText('a.txt: has unsaved edits')).toBeVisible();
  expect(workspace.files.text('a.txt')).toBe('one\n');
  expect(workspace.files.text('b.txt')).toBe('two\n');
});

test('more than is shown is said, and Escape goes back to the tree', async () => {
  await open({ 'a.txt': 'x\n'.repeat(2_500) });
  await field.fill('x');
  await expect.element(page.getByText('2,000 matches in 1 file')).toBeVisible();
  await expect.element(page.getByText(/There are more\./)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('tree')).toHaveFocus();
});

test('a search that was closed goes on as it was when it is opened again', async () => {
  const workspace = await open({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
  await field.fill('one');
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await page.getByRole('textbox', { name: 'Replace with' }).fill('two');
  await expect.element(page.getByText('2 matches in 2 files')).toBeVisible();
  await userEvent.click(field);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('tree')).toHaveFocus();
  await workspace.files.write('c.txt', new TextEncoder().encode('one\n'));
  await page.getByRole('button', { name: 'Search in files' }).click();
  await expect.element(page.getByText('3 matches in 3 files')).toBeVisible();
  await page.getByRole('button', { name: 'Replace 3 matches' }).click();
  await expect.element(page.getByText('Replaced 3 matches in 3 files.')).toBeVisible();
});
