import { openApp, prompt, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

test('every command is found by its name and run by keyboard', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }), 'allow');
  await prompt(page, 'Hi');
  await page.keyboard.press('ControlOrMeta+k');
  const field = page.getByRole('combobox', { name: 'Command' });
  await expect(field).toBeFocused();
  const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
  await expect(options.filter({ hasText: 'Undo the last message' })).toContainText('Ctrl+Z');
  // Commands that do not apply now are not offered.
  await expect(options.filter({ hasText: 'Stop the turn' })).toHaveCount(0);
  await field.fill('show term');
  await expect(options).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(field).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused();

  // In the terminal Ctrl+K is the shell's.
  await page.keyboard.press('Shift+Escape');
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+k');
  await field.fill('nothing like this');
  await expect(page.getByText('No command has this in its name.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
});

test('a command is given other keys, which hold after a reload and can be taken back', async ({ page }) => {
  await openApp(page);
  await page.getByRole('log', { name: 'Conversation' }).or(page.getByRole('main')).first().click();
  await page.keyboard.press('Shift+?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  const row = (name: string) => dialog.getByRole('row').filter({ hasText: name }).first();
  await expect(row('Show or hide sessions')).toContainText('Ctrl+B');
  await dialog.getByRole('button', { name: 'Change the keys of “Show or hide sessions”' }).click();
  await page.keyboard.press('a');
  await expect(dialog.getByText('other keys write text')).toBeVisible();
  await page.keyboard.press('Control+,');
  await expect(dialog.getByRole('alert')).toContainText('Ctrl+, are the keys of “Settings”.');
  await dialog.getByRole('button', { name: 'Take them' }).click();
  await expect(row('Show or hide sessions')).toContainText('Ctrl+,');
  await expect(row('Settings')).toContainText('none');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  const sessions = page.getByRole('navigation', { name: 'Sessions' });
  await expect(sessions).toBeVisible();
  await page.keyboard.press('Control+,');
  await expect(sessions).toHaveCount(0);
  await expect(page.getByRole('dialog', { name: 'Settings' })).toHaveCount(0);

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Command' }).fill('keys');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Give all commands their usual keys' }).click();
  await expect(row('Settings')).toContainText('Ctrl+,');
  await expect(row('Show or hide sessions')).toContainText('Ctrl+B');
});
