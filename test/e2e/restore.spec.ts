import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { openApp, readFile, script, send, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

const write = (filePath: string, content: string) => ({
  steps: [{ tools: [{ tool: 'write', input: { filePath, content } }] }, { text: `Wrote ${filePath}.` }],
});
const given = {
  ...script(),
  turns: [
    { when: '^First', ...write('one.txt', 'one\n') },
    { when: '^Second$', ...write('two.txt', 'two\n') },
    { when: '^Second, better', ...write('better.txt', 'better\n') },
    { when: '^Third', ...write('three.txt', 'three\n') },
  ],
  files: { 'notes.txt': 'by the person\n' },
};

const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const message = (page: Page, text: string) =>
  conversation(page)
    .getByRole('article', { name: 'You' })
    .filter({ has: page.getByText(text, { exact: true }) });
const files = (page: Page) => page.evaluate(() => window.vitrine.workspace.list());

/** Sends as a person does, and waits for the answer. */
async function say(page: Page, text: string, file: string): Promise<void> {
  await send(page, text);
  await expect(conversation(page)).toContainText(`Wrote ${file}.`);
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
}

async function threeTurns(page: Page): Promise<void> {
  await openApp(page);
  await useScript(page, given, 'allow');
  await say(page, 'First', 'one.txt');
  await say(page, 'Second', 'two.txt');
  await say(page, 'Third', 'three.txt');
}

test('undo takes back a message with its files, redo brings them again, by keys and by words', async ({
  page,
}) => {
  await threeTurns(page);
  // In a text field, the keys belong to the text.
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.press('Control+z');
  await conversation(page).focus();
  await page.keyboard.press('Control+z');
  await expect(message(page, 'Third')).toHaveCount(0);
  await expect(page.getByText('1 message is undone.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Third');
  expect(await files(page)).toEqual(['notes.txt', 'one.txt', 'two.txt']);

  await send(page, '/undo');
  await expect(message(page, 'Second')).toHaveCount(0);
  await expect(page.getByText('2 messages are undone.')).toBeVisible();
  expect(await files(page)).toEqual(['notes.txt', 'one.txt']);

  await conversation(page).focus();
  await page.keyboard.press('Control+Shift+z');
  await expect(message(page, 'Second')).toBeVisible();
  await send(page, '/redo');
  await expect(message(page, 'Third')).toBeVisible();
  await expect(page.getByText('undone. Your next message')).toHaveCount(0);
  expect(await files(page)).toEqual(['notes.txt', 'one.txt', 'three.txt', 'two.txt']);
});

test('a message that is changed and sent again becomes another version, with its own files', async ({
  page,
}) => {
  await threeTurns(page);
  await message(page, 'Second').getByRole('button', { name: 'Edit' }).click();
  const box = page.getByRole('textbox', { name: 'Edit your message' });
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('Second');
  await box.fill('Second, better');
  await page.keyboard.press('Enter');
  await expect(conversation(page)).toContainText('Wrote better.txt.');
  await expect(message(page, 'Third')).toHaveCount(0);
  expect(await files(page)).toEqual(['better.txt', 'notes.txt', 'one.txt']);

  const versions = conversation(page).getByRole('group', { name: 'Versions of this message' });
  await expect(versions).toContainText('Version 2 of 2');
  await versions.getByRole('button', { name: 'Previous version' }).click();
  await expect(message(page, 'Third')).toBeVisible();
  expect(await files(page)).toEqual(['notes.txt', 'one.txt', 'three.txt', 'two.txt']);
  await expect(versions).toContainText('Version 1 of 2');

  // It stays so when the page is opened again.
  await page.reload();
  await expect(message(page, 'Third')).toBeVisible();
  await expect(versions).toContainText('Version 1 of 2');
  await versions.getByRole('button', { name: 'Next version' }).click();
  await expect(conversation(page)).toContainText('Wrote better.txt.');
  await expect(message(page, 'Third')).toHaveCount(0);
});

test('what a restore will change is shown first, and newer work of the person is not overwritten', async ({
  page,
}) => {
  await threeTurns(page);
  await writeFile(page, 'one.txt', 'one, and more by hand\n');
  await message(page, 'First').getByRole('button', { name: 'Restore to here' }).click();
  const sheet = page.getByRole('dialog', { name: 'Restore to here' });
  await expect(sheet).toContainText('3 of your messages and their answers will leave the conversation.');
  const list = sheet.getByRole('list', { name: 'Files that will change' }).getByRole('listitem');
  await expect(list).toHaveCount(3);
  await expect(list.filter({ hasText: 'one.txt' })).toContainText('Not changed last by this conversation.');
  await expect(list.filter({ hasText: 'two.txt' })).not.toContainText('Not changed last');
  await sheet.getByRole('radio', { name: 'Only the files' }).check();
  await expect(sheet).not.toContainText('will leave the conversation');
  await sheet.getByRole('radio', { name: 'Conversation and files' }).check();
  await sheet.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(sheet).toHaveCount(0);
  await expect(conversation(page).getByRole('article')).toHaveCount(0);
  expect(await files(page)).toEqual(['notes.txt', 'one.txt']);
  expect(await readFile(page, 'one.txt')).toBe('one, and more by hand\n');

  const box = page.getByRole('textbox', { name: 'Message' });
  await expect(box).toHaveValue('First');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(message(page, 'Third')).toBeVisible();
  // The message is in the conversation again, and not left to be sent twice.
  await expect(box).toHaveValue('');
  expect(await files(page)).toEqual(['notes.txt', 'one.txt', 'three.txt', 'two.txt']);
});

test('an undo that would overwrite newer work of the person asks first', async ({ page }) => {
  await threeTurns(page);
  await writeFile(page, 'three.txt', 'mine now\n');
  await writeFile(page, 'two.txt', 'mine too\n');
  // Saying it differently goes back as well, and the button says that it then sends.
  await message(page, 'Second').hover();
  await message(page, 'Second').getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit your message' }).press('Enter');
  const resending = page.getByRole('dialog', { name: 'Some of your changes are in the way' });
  await expect(resending.getByRole('button', { name: 'Restore and send' })).toBeVisible();
  const all = resending.getByRole('checkbox', { name: 'Overwrite all 2 files' });
  await all.check();
  await expect(resending.getByRole('checkbox', { name: 'Overwrite it two.txt' })).toBeChecked();
  await resending.getByRole('checkbox', { name: 'Overwrite it two.txt' }).uncheck();
  await expect(all).toBeChecked({ indeterminate: true });
  await resending.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('textbox', { name: 'Edit your message' }).press('Escape');
  await send(page, '/undo');
  const sheet = page.getByRole('dialog', { name: 'Some of your changes are in the way' });
  await sheet.getByRole('checkbox', { name: 'Overwrite it three.txt' }).check();
  await sheet.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(message(page, 'Third')).toHaveCount(0);
  expect(await files(page)).toEqual(['notes.txt', 'one.txt', 'two.txt']);
  // Even that is not lost.
  const box = page.getByRole('textbox', { name: 'Message' });
  await expect(box).toHaveValue('Third');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(message(page, 'Third')).toBeVisible();
  // The text of the message is in the conversation again, and not left to be sent twice.
  await expect(box).toHaveValue('');
  expect(await readFile(page, 'three.txt')).toBe('mine now\n');
});

test('while the agent works nothing is undone, and the way out is offered', async ({ page }) => {
  await openApp(page);
  const steps = [{ tools: [{ tool: 'bash', input: { command: 'sleep 30', description: 'Wait' } }] }];
  await useScript(page, { ...given, turns: [...given.turns, { when: '^Wait', steps }] }, 'allow');
  await say(page, 'First', 'one.txt');
  await send(page, 'Wait');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await conversation(page).focus();
  await page.keyboard.press('Control+z');
  const notice = page.getByText('The agent is still working.');
  await expect(notice).toBeVisible();
  await expect(message(page, 'Wait')).toBeVisible();
  await page
    .getByRole('region', { name: 'Notices' })
    .getByRole('group')
    .filter({ has: notice })
    .getByRole('button', { name: 'Stop' })
    .click();
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
});

test('scripts go back, forth and on from any moment', async ({ page }) => {
  await threeTurns(page);
  await writeFile(page, 'three.txt', 'mine now\n');
  const result = await page.evaluate(async () => {
    const { sessions, workspace } = window.vitrine;
    const [{ id } = { id: '' }] = await sessions.list();
    const events: { type: string; messageID: string }[] = JSON.parse(
      JSON.stringify(await sessions.events(id)),
    );
    const prompts = events.filter(({ type }) => type === 'prompt.accepted');
    const before = await workspace.changes({ since: 'turn' });
    const sinceSecond = await workspace.changes({ since: prompts[1]?.messageID ?? '' });
    const sinceNone = await workspace.changes({ since: 'none' }).catch((error: Error) => error.message);
    const restored = await sessions.restore(id, { to: prompts[1]?.messageID ?? '' });
    const messages = await sessions.messages(id);
    const files = await workspace.list();
    await sessions.restore(id, { to: 'redo' });
    const changes = await workspace.changes();
    const fork = await sessions.fork(id, { at: events.indexOf(prompts[1]!) + 1 });
    return {
      before,
      sinceSecond,
      sinceNone,
      restored,
      messages: Array.isArray(messages) ? messages.length : 0,
      files,
      changes,
      fork: fork.sessionID !== id,
    };
  });
  expect(result).toEqual({
    before: [{ path: 'three.txt', kind: 'added' }],
    sinceSecond: [
      { path: 'three.txt', kind: 'added' },
      { path: 'two.txt', kind: 'added' },
    ],
    sinceNone: expect.stringContaining('no-such-prompt'),
    restored: { changed: ['two.txt'], kept: ['three.txt'] },
    messages: 3,
    files: ['notes.txt', 'one.txt', 'three.txt'],
    changes: [
      { path: 'one.txt', kind: 'added' },
      { path: 'three.txt', kind: 'added' },
      { path: 'two.txt', kind: 'added' },
    ],
    fork: true,
  });
  expect(await files(page)).toEqual(['notes.txt', 'one.txt']);
  await expect(message(page, 'Second')).toBeVisible();
  const wrong = await page.evaluate(() =>
    window.vitrine.sessions.restore('none', { to: 'x' }).catch((error: Error) => error.message),
  );
  expect(wrong).toContain('session-not-found');
});

test('a message is copied, and the conversation saved as Markdown without its other versions', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await threeTurns(page);
  await page
    .getByRole('article', { name: 'Agent' })
    .last()
    .getByRole('button', { name: 'Copy message' })
    .click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Wrote three.txt.');
  await message(page, 'First').getByRole('button', { name: 'Copy message' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('First');

  await send(page, '/undo');
  await expect(message(page, 'Third')).toHaveCount(0);
  await page.getByRole('listitem').getByRole('button', { name: 'Actions' }).first().click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save as Markdown' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('first.md');
  const text = readFileSync(await download.path(), 'utf8');
  expect(text).toMatch(/^# First\n/);
  expect(text).toContain('## You\n\nSecond\n\n## Agent\n\n**write** `two.txt`');
  expect(text).not.toContain('Third');
});

test('another tab that watches sees an undo, and can change nothing', async ({ page, context }) => {
  await threeTurns(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(message(other, 'Third')).toBeVisible();
  await expect(message(other, 'Third').getByRole('button', { name: 'Edit' })).toHaveCount(0);
  await send(page, '/undo');
  await expect(message(page, 'Third')).toHaveCount(0);
  await expect(message(other, 'Third')).toHaveCount(0);
  await expect(other.getByText('1 message is undone.')).toBeVisible();
  await expect(other.getByRole('button', { name: 'Redo' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(message(other, 'Third')).toBeVisible();
});
