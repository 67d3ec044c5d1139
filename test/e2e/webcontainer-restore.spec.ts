import { configure, openApp, prompt, readFile, script } from './app.ts';
import { ableToHurry } from './hurry.ts';
import { fakeRuntime } from './runtime.ts';
import { expect, test } from './test.ts';

test('a WebContainer that dies while files are restored is told, and after its restart they are', async ({
  page,
}) => {
  const hurry = await ableToHurry(page);
  await page.clock.install();
  await fakeRuntime(page);
  await openApp(page, '/?automation=1&workspace=webcontainer');
  const command = 'for n in 1 2 3; do echo $n > made$n.txt; done; echo changed > notes.txt';
  const steps = script({ tools: [{ tool: 'bash', input: { command } }] }, { text: 'Done.' });
  await configure(page, {
    ...{ provider: 'scripted', model: 'script', permission: 'allow' },
    script: { ...steps, files: { 'notes.txt': 'as it was\n' } },
  });
  expect((await prompt(page, 'Make files.')).status).toBe('idle');
  const files = () => page.evaluate(() => window.vitrine.workspace.list());
  const made = ['made1.txt', 'made2.txt', 'made3.txt', 'notes.txt'];
  expect(await files()).toEqual(made);

  const message = page.getByRole('article', { name: 'You' });
  await message.hover();
  await message.getByRole('button', { name: 'Restore to here' }).click();
  const sheet = page.getByRole('dialog', { name: 'Restore to here' });
  await expect(sheet.getByRole('listitem')).toHaveCount(4);
  // The runtime goes away with its frame, and answers nothing more.
  await page.evaluate(() => document.querySelector('iframe[src*="/headless"]')?.remove());
  await sheet.getByRole('button', { name: 'Restore', exact: true }).click();
  await hurry();
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await expect(sheet.getByRole('alert')).toContainText('Nothing was restored', { timeout: 500 });
  }).toPass();
  await expect(sheet.getByRole('alert')).toContainText('you can restore again');
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await expect(message).toBeVisible();
  await page.getByRole('button', { name: 'Restart the container' }).click();
  await expect(page.getByRole('status', { name: 'Workspace' })).toContainText('WebContainer');
  expect(await files()).toEqual(made);
  expect(await readFile(page, 'notes.txt')).toBe('changed\n');

  await message.hover();
  await message.getByRole('button', { name: 'Restore to here' }).click();
  await expect(sheet.getByRole('listitem')).toHaveCount(4);
  await expect(sheet).not.toContainText('Not changed last by this conversation.');
  await sheet.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(message).toHaveCount(0);
  expect(await files()).toEqual(['notes.txt']);
  expect(await readFile(page, 'notes.txt')).toBe('as it was\n');
});
