import { axeFindings } from './accessible.ts';
import { answer, dialog, openApp } from './app.ts';
import { expect, test } from './test.ts';

test('a shell command runs where no model is set up, and stays in the session after a reload', async ({
  page,
}) => {
  await openApp(page);
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await box.fill('!echo made > note.txt && ls');
  await box.press('Enter');
  const call = page.locator('[data-tool="bash"]');
  await expect(call).toHaveAttribute('data-outcome', 'ok');
  await expect(call).toContainText('note.txt');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toHaveCount(0);
  await page.reload();
  await expect(call).toHaveAttribute('data-outcome', 'ok');
  await expect(call).toContainText('note.txt');
});

for (const width of [360, 1280])
  test(`a message that needs a model says why the settings open, and stays in the box (${width} px)`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    await openApp(page);
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    await box.fill('Write a greeting');
    await box.press('Enter');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await expect(settings.getByRole('alert')).toContainText('no model is set up yet');
    await expect(settings.getByRole('button', { name: 'Small open models in this tab' })).toBeInViewport();
    expect(await axeFindings(page, { within: '[role=dialog]' })).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(box).toHaveValue('Write a greeting');
  });

test('a demo that nobody can answer again keeps its conversation, and what was edited', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Watch a demo' }).click();
  for (const part of ['node --test', 'padEnd', 'node --test']) {
    await expect(dialog(page)).toContainText(part);
    await answer(page, 'Allow once');
  }
  const conversation = page.getByRole('log', { name: 'Conversation' });
  const retry = conversation.getByRole('button', { name: 'Retry', exact: true });
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const undone = page.getByText('1 message is undone.');
  await retry.click();
  await expect(settings.getByRole('alert')).toContainText('The conversation is unchanged');
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);
  await expect(retry).toBeFocused();
  await expect(undone).toHaveCount(0);

  await conversation.getByRole('article', { name: 'You' }).hover();
  await conversation.getByRole('button', { name: 'Edit', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Edit your message' });
  await editor.fill('Count in cents');
  await conversation.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(settings.getByRole('alert')).toContainText('no model is set up yet');
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);
  await expect(editor).toHaveValue('Count in cents');
  await expect(undone).toHaveCount(0);
});
