import { axeFindings } from './accessible.ts';
import { openApp } from './app.ts';
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
    expect(await axeFindings(page, { within: '[role=dialog]' })).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(box).toHaveValue('Write a greeting');
  });
