import { expect, test } from '@playwright/test';
import { answer, calls, dialog, openApp, prompt, readFile, script, send, useScript } from './app.ts';

const bash = (command: string) => ({ tool: 'bash', input: { command, description: 'Run it' } });

test('deny ends the turn; deny with words fails only the call and the model reads them', async ({ page }) => {
  await openApp(page);
  await useScript(page, {
    version: 1,
    title: 'denied',
    chunkDelayMs: 0,
    turns: [
      { steps: [{ tools: [bash('echo one'), bash('echo two')] }] },
      { steps: [{ tools: [bash('echo three')] }, { text: 'As you wish.' }] },
    ],
  });
  await send(page, 'First');
  await expect(dialog(page)).toContainText('1 of 2');
  await answer(page, 'Deny');
  await expect(calls(page, 'bash').nth(0)).toHaveAttribute('data-outcome', 'denied');
  await expect(calls(page, 'bash').nth(1)).toHaveAttribute('data-outcome', 'cancelled');
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);

  await send(page, 'Second');
  await expect(dialog(page)).toContainText('echo three');
  await dialog(page).getByRole('textbox', { name: 'Tell the agent why' }).fill('Use printf');
  await answer(page, 'Deny');
  await expect(calls(page, 'bash').nth(2)).toHaveAttribute('data-outcome', 'denied');
  await expect(page.getByRole('article').last()).toContainText('As you wish.');
});

test('a held key approves nothing, Escape denies only inside the dialog', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ tools: [bash('echo hello')] }));
  await send(page, 'Go');
  const allow = dialog(page).getByRole('button', { name: 'Allow once' });
  await expect(allow).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(calls(page, 'bash')).toHaveAttribute('data-status', 'pending');
  await expect(allow).toBeEnabled();
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeVisible();
  await allow.focus();
  await page.keyboard.press('Escape');
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'denied');
});

test('always is saved for the workspace as the person left it, listed, and can be revoked', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, {
    version: 1,
    title: 'always',
    chunkDelayMs: 0,
    turns: [0, 1, 2].map(() => ({ steps: [{ tools: [bash('ls -la')] }, { text: 'Done.' }] })),
  });
  await send(page, 'One');
  await expect(dialog(page)).toContainText('ls -la');
  await answer(page, 'Always allow');
  await expect(page.getByRole('article').last()).toContainText('Done.');

  expect((await prompt(page, 'Two')).status).toBe('idle');
  await expect(calls(page, 'bash').nth(1)).toHaveAttribute('data-outcome', 'ok');

  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: /Revoke/ }).click();
  await page.keyboard.press('Escape');
  await send(page, 'Three');
  await expect(dialog(page)).toContainText('ls -la');
});

test('a configured deny is never asked about, and a .env file asks', async ({ page }) => {
  await openApp(page);
  await page.evaluate(() => window.vitrine.workspace.writeFile('.env', 'TOKEN=secret\n'));
  await useScript(
    page,
    script(
      { tools: [bash('rm -rf build'), { tool: 'read', input: { filePath: '.env' } }] },
      { tools: [{ tool: 'grep', input: { pattern: 'TOKEN' } }] },
      { text: 'Finished.' },
    ),
    { bash: { '*': 'allow', 'rm *': 'deny' } },
  );
  await send(page, 'Go');
  await expect(dialog(page)).toContainText('.env');
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'denied');
  await answer(page, 'Allow once');
  await expect(calls(page, 'read')).toHaveAttribute('data-outcome', 'ok');
  await expect(page.getByRole('article').last()).toContainText('Finished.');
  const events = JSON.stringify(
    await page.evaluate(() =>
      window.vitrine.sessions.list().then(([s]) => window.vitrine.sessions.messages(s!.id)),
    ),
  );
  expect(events.match(/TOKEN=secret/g)?.length).toBe(1);
});

test('an edit shows the real difference, and asks again if the file changes while the question stands', async ({
  page,
}) => {
  await openApp(page);
  await page.evaluate(() => window.vitrine.workspace.writeFile('a.txt', 'one\ntwo\nthree\n'));
  await useScript(
    page,
    script(
      { tools: [{ tool: 'read', input: { filePath: 'a.txt' } }] },
      { tools: [{ tool: 'edit', input: { filePath: 'a.txt', oldString: 'two', newString: '2' } }] },
      { text: 'Edited.' },
    ),
  );
  await send(page, 'Edit');
  await expect(dialog(page)).toContainText('two');
  await page.evaluate(() => window.vitrine.workspace.writeFile('a.txt', 'zero\none\ntwo\nthree\n'));
  await answer(page, 'Allow once');
  await expect(dialog(page)).toContainText('zero');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('Edited.');
  expect(await readFile(page, 'a.txt')).toBe('zero\none\n2\nthree\n');
});
