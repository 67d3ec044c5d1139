import type { Page } from '@playwright/test';
import { calls, send } from './app.ts';
import { expect, test } from './test.ts';

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });
const field = (page: Page) => settings(page).getByRole('textbox', { name: 'Script' });

async function chooseScripted(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await settings(page).getByRole('combobox', { name: 'Provider' }).selectOption({ label: 'Scripted' });
  await expect(field(page)).toHaveValue(/"version": 1/);
}

test('a script from Settings says what is wrong with it, and plays once it is right', async ({ page }) => {
  await page.goto('/');
  await chooseScripted(page);
  const example = await field(page).inputValue();
  await field(page).fill('{ "version": 1, ');
  await settings(page).getByRole('button', { name: 'Save' }).first().click();
  await expect(settings(page)).toContainText('The script is not valid: it is not JSON');
  await field(page).fill('{ "version": 1, "turns": [{ "steps": [{ "said": "x" }] }] }');
  await settings(page).getByRole('button', { name: 'Save' }).first().click();
  await expect(settings(page)).toContainText('turns[0].steps[0]');
  await expect(settings(page)).toContainText('said');

  await field(page).fill(example);
  await settings(page).getByRole('button', { name: 'Save' }).first().click();
  await expect(settings(page)).toHaveCount(0);
  await expect(page.getByRole('treeitem', { name: 'notes.txt' })).toBeVisible();
  await send(page, 'What does the note say?');
  await expect(page.getByRole('article').last()).toContainText('The note says: buy milk.');
  await expect(calls(page, 'read')).toHaveAttribute('data-outcome', 'ok');

  await page.reload();
  await chooseScripted(page);
  await expect(field(page)).toHaveValue(example);
});

test('a script is read from a file, and outlives a reload', async ({ page }) => {
  await page.goto('/');
  await chooseScripted(page);
  const script = { version: 1, turns: [{ steps: [{ text: 'From a file.' }] }] };
  await settings(page)
    .getByLabel('Choose a file')
    .setInputFiles({
      name: 'script.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(script)),
    });
  await expect(settings(page).getByText('Saved.')).toBeVisible();
  await page.reload();
  await send(page, 'Hello');
  await expect(page.getByRole('article').last()).toContainText('From a file.');
});
