import type { Page } from '@playwright/test';
import { answer, calls, dialog, openApp, readFile, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const textOf = (page: Page, path: string) => page.getByRole('textbox', { name: `Text of ${path}` });

async function openFile(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('treeitem', { name, exact: true }).click();
  await textOf(page, name).click();
}

/** Ctrl+End, or what it is on this system. */
async function toEnd(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ArrowRight');
}

test('what the person saves is what the agent reads', async ({ page }) => {
  await openApp(page);
  await useScript(page, {
    ...script({ text: 'Tell me when the notes are ready.' }),
    turns: [
      { steps: [{ text: 'Tell me when the notes are ready.' }] },
      { steps: [{ tools: [{ tool: 'read', input: { filePath: 'notes.md' } }] }, { text: 'Read.' }] },
    ],
    files: { 'notes.md': '# Notes\r\n' },
  });
  await send(page, 'Wait');
  await expect(page.getByRole('article').last()).toContainText('Tell me');

  await openFile(page, 'notes.md');
  await toEnd(page);
  await page.keyboard.type('- milk');
  await expect(page.getByRole('tab', { name: 'notes.md unsaved' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByRole('tab', { name: 'notes.md', exact: true })).toBeVisible();
  expect(await readFile(page, 'notes.md')).toBe('# Notes\r\n- milk');

  await send(page, 'They are ready');
  const read = calls(page, 'read');
  await expect(read).toHaveAttribute('data-outcome', 'ok');
  await read.getByRole('button').first().click();
  await expect(read).toContainText('- milk');
});

test('the agent changes a file that has unsaved edits, and nothing is lost', async ({ page }) => {
  await openApp(page);
  await useScript(page, {
    ...script(
      { tools: [{ tool: 'read', input: { filePath: 'a.txt' } }] },
      { tools: [{ tool: 'edit', input: { filePath: 'a.txt', oldString: 'two', newString: '2' } }] },
      { text: 'Changed.' },
    ),
    files: { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' },
  });
  await send(page, 'Change two');
  await expect(dialog(page)).toContainText('a.txt');

  await openFile(page, 'a.txt');
  await toEnd(page);
  await page.keyboard.type('mine');
  await openFile(page, 'b.txt');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('Changed.');

  await page.getByRole('tab', { name: 'a.txt unsaved' }).click();
  const bar = page.getByRole('alert');
  await expect(bar).toContainText('a.txt was changed by the agent while you had unsaved edits.');
  await bar.getByRole('button', { name: 'Show both' }).click();
  const both = page.getByRole('tabpanel', { name: 'a.txt unsaved' }).getByRole('group');
  await expect(both).toContainText('+mine');
  await expect(both).toContainText('−2');
  await bar.getByRole('button', { name: 'Keep mine' }).click();
  await expect(bar).toHaveCount(0);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('tab', { name: 'a.txt', exact: true })).toBeVisible();
  expect(await readFile(page, 'a.txt')).toBe('one\ntwo\nmine');
});

test('unsaved edits survive a look at another workspace, and leaving the page asks', async ({ page }) => {
  await openApp(page);
  await useScript(page, { ...script({ text: 'Hello.' }), files: { 'a.txt': 'one\n' } });
  await send(page, 'Go');
  await expect(page.getByRole('article').last()).toContainText('Hello.');
  await openFile(page, 'a.txt');
  await toEnd(page);
  await page.keyboard.type('mine');

  const address = page.url();
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(page.getByRole('tab', { name: 'a.txt unsaved' })).toHaveCount(0);
  await expect(page.getByRole('tree')).toBeVisible();
  await page.evaluate((hash) => (location.hash = hash), new URL(address).hash);
  await expect(textOf(page, 'a.txt')).toContainText('mine');

  const asked = page.waitForEvent('dialog');
  const reloading = page.reload().catch(() => undefined);
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.accept();
  await reloading;
});

test('the page’s own keys stay out of the text, and Escape, then Tab, leaves it', async ({ page }) => {
  await openApp(page);
  await useScript(page, { ...script({ text: 'Hello.' }), files: { 'a.txt': 'one\n' } });
  await send(page, 'Go');
  await expect(page.getByRole('article').last()).toContainText('Hello.');
  await openFile(page, 'a.txt');
  await toEnd(page);
  await page.keyboard.type('mine');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(textOf(page, 'a.txt')).not.toContainText('mine');
  await page.keyboard.press('ControlOrMeta+z');
  // Outside of text the same keys would take back the message.
  await expect(page.getByRole('article').last()).toContainText('Hello.');
  await page.keyboard.press('ControlOrMeta+b');
  await expect(page.getByRole('navigation', { name: 'Sessions' })).toBeVisible();
  await expect(textOf(page, 'a.txt')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(textOf(page, 'a.txt')).not.toBeFocused();
});
