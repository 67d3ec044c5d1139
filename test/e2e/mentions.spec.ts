import { calls, dialog, answer, openApp, prompt, script, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

const composerOf = { name: 'Message' } as const;

test('a file is named with @, chosen by keys, and goes with the message', async ({ page }) => {
  await openApp(page);
  await useScript(page, {
    ...script({ text: 'It adds.' }),
    files: { 'src/add.js': 'export const add = 1;\n', 'src/other.js': '', 'notes/a day.md': 'Sunny.\n' },
  });
  const box = page.getByRole('textbox', composerOf);
  const list = page.getByRole('listbox', { name: 'Files to attach' });
  await box.pressSequentially('What does @');
  await expect(list.getByRole('option')).toHaveCount(3);
  await box.pressSequentially('ad');
  await expect(list.getByRole('option').first()).toContainText('add.js');
  const active = await box.getAttribute('aria-activedescendant');
  await expect(page.locator(`[id="${active}"]`)).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText(/files?: Up and Down choose/)).toBeAttached();
  await box.press('Enter');
  await expect(box).toHaveValue('What does @src/add.js ');
  await expect(list).toHaveCount(0);
  await box.pressSequentially('do on @day');
  await list.getByRole('option').first().click();
  await expect(box).toHaveValue('What does @src/add.js do on @"notes/a day.md" ');
  await box.pressSequentially('@o');
  await expect(list).toBeVisible();
  await box.press('Escape');
  await expect(list).toHaveCount(0);
  await box.press('Backspace');
  await box.press('Backspace');
  await box.press('Enter');
  await expect(page.getByRole('article', { name: 'You' })).toContainText('What does @src/add.js do on');
  await expect(calls(page, 'read')).toHaveCount(2);
  await expect(page.getByRole('article').last()).toContainText('It adds.');
  const read = page.getByRole('article', { name: 'You' }).getByRole('button', { name: /src\/add\.js/ });
  await read.click();
  await expect(page.getByRole('article', { name: 'You' })).toContainText('export const add = 1;');
});

test('a .env asks before it is attached, and a refusal says so', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Fine.' }));
  await writeFile(page, '.env', 'TOKEN=abc\n');
  const done = prompt(page, 'Use @.env');
  await expect(dialog(page)).toContainText('.env');
  await dialog(page).getByRole('textbox', { name: 'Tell the agent why' }).fill('Not this one');
  await answer(page, 'Deny');
  expect(await done).toMatchObject({ status: 'idle' });
  await expect(calls(page, 'read')).toHaveAttribute('data-outcome', 'denied');
  await expect(page.getByRole('article', { name: 'You' })).toContainText('Not this one');
  await expect(page.locator('body')).not.toContainText('TOKEN=abc');
});
