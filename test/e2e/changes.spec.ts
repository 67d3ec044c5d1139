import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp, prompt, readFile, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

test('what a turn and the whole session changed is seen, put back and taken out as a patch', async ({
  page,
}) => {
  await openApp(page);
  const given = {
    ...script(),
    turns: [
      {
        steps: [
          { tools: [{ tool: 'read', input: { filePath: 'notes.txt' } }] },
          {
            tools: [
              { tool: 'edit', input: { filePath: 'notes.txt', oldString: 'two', newString: 'second' } },
              { tool: 'write', input: { filePath: 'made.txt', content: 'made\n' } },
            ],
          },
          { text: 'Done.' },
        ],
      },
      {
        steps: [
          {
            tools: [
              { tool: 'bash', input: { command: 'rm made.txt; echo later > later.txt', description: 'x' } },
            ],
          },
          { text: 'Done again.' },
        ],
      },
    ],
    files: { 'notes.txt': 'one\ntwo\nthree\n' },
  };
  await useScript(page, given, 'allow');
  await prompt(page, 'Change something');
  await page.getByRole('tab', { name: 'Changes' }).click();
  const changes = page.getByRole('group', { name: 'Changes', exact: true });
  await expect(changes.getByRole('status')).toContainText('2 files changed +2 −1');
  await changes.getByRole('button', { name: /^notes\.txt changed/ }).click();
  await expect(changes.getByRole('group', { name: 'Changes to notes.txt' })).toContainText('second');

  // By the person's own hand, between two turns: it belongs to the session, and not to the next turn.
  await page.evaluate(() => window.vitrine.workspace.writeFile('mine.txt', 'mine\n'));
  await expect(changes.getByRole('button', { name: /^mine\.txt added/ })).toBeVisible();
  await prompt(page, 'Go on');
  await expect(changes.getByRole('button', { name: /^later\.txt added/ })).toBeVisible();
  await expect(changes.getByRole('button', { name: /^made\.txt deleted/ })).toBeVisible();
  await expect(changes.getByRole('button', { name: /^mine\.txt/ })).toHaveCount(0);
  await changes.getByRole('combobox', { name: 'Changed since' }).selectOption('the first message');
  await expect(changes.getByRole('button', { name: /^mine\.txt added/ })).toBeVisible();
  await expect(changes.getByRole('button', { name: /^made\.txt/ })).toHaveCount(0);

  await changes.getByRole('combobox', { name: 'Changed since' }).selectOption('before “Go on”');
  await expect(changes.getByRole('button', { name: /^later\.txt added/ })).toBeVisible();
  await expect(changes.getByRole('button', { name: /^mine\.txt/ })).toHaveCount(0);
  await changes.getByRole('button', { name: /^later\.txt added/ }).click();
  await changes.getByRole('button', { name: 'Comment on line 1' }).click();
  await changes.getByRole('textbox', { name: 'Comment on later.txt, line 1' }).fill('Why later?');
  await page.keyboard.press('Enter');
  const box = page.getByRole('textbox', { name: 'Message' });
  await expect(box).toHaveValue('later.txt, line 1 (`later`): Why later?');
  await box.fill('');
  await changes.getByRole('combobox', { name: 'Changed since' }).selectOption('the first message');
  await expect(changes.getByRole('button', { name: /^mine\.txt added/ })).toBeVisible();

  const downloading = page.waitForEvent('download');
  await changes.getByRole('button', { name: 'Download all changes as a patch' }).click();
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-changes-'));
  try {
    const patch = join(folder, 'changes.patch');
    await (await downloading).saveAs(patch);
    writeFileSync(join(folder, 'notes.txt'), 'one\ntwo\nthree\n');
    execFileSync('git', ['apply', patch], { cwd: folder });
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('one\nsecond\nthree\n');
    expect(readFileSync(join(folder, 'later.txt'), 'utf8')).toBe('later\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }

  await changes.getByRole('button', { name: 'Put back notes.txt' }).click();
  await expect(changes.getByRole('button', { name: /^notes\.txt/ })).toHaveCount(0);
  expect(await readFile(page, 'notes.txt')).toBe('one\ntwo\nthree\n');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(changes.getByRole('button', { name: /^notes\.txt changed/ })).toBeVisible();
  expect(await readFile(page, 'notes.txt')).toBe('one\nsecond\nthree\n');

  // The moments are stored with the session.
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await expect(changes.getByRole('button', { name: /^later\.txt added/ })).toBeVisible();
});
