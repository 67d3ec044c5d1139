import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
import type { PlannedChange } from '../../../session/restore/plan.ts';
import type { RestoreChoice } from '../../../session/restore/restorer.ts';

const hash = 'a'.repeat(64);
const file = (path: string) => ({ path, type: 'file', hash, size: 1, mode: 0o644, modified: 0 }) as const;
const made = (path: string, foreign: boolean): PlannedChange => ({
  path,
  before: file(path),
  after: null,
  foreign,
});
const moved: PlannedChange = {
  path: 'old.txt',
  from: 'moved.txt',
  before: file('moved.txt'),
  after: file('old.txt'),
  foreign: true,
};
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function undoing(changes: readonly PlannedChange[]) {
  const app = new FakeApp();
  app.space('w', 'space');
  const session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  const choices: RestoreChoice[] = [];
  session.restores = {
    plan: async () => ({
      moment: { kind: 'undo', head: null },
      leave: 1,
      come: 0,
      prompt: 'Question',
      files: { now: hash, changes },
    }),
    run: async (_plan, choice) => {
      choices.push(choice);
      session.append({ type: 'restore.began', kind: 'undo', head: null }, { type: 'restore.ended' });
    },
  };
  session.user('q', 'Question');
  session.turnEnd('idle');
  await openPage(app, 'ses_a');
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('/undo');
  await button('Send').click();
  return { session, choices };
}

test('the dialog and the notice count only the files that are really put back', async () => {
  const { choices } = await undoing([made('mine.txt', true), made('agents.txt', false), moved]);
  const sheet = page.getByRole('dialog', { name: 'Some of your changes are in the way' });
  await expect.element(sheet.getByText('1 file will change:')).toBeVisible();
  const list = sheet.getByRole('list', { name: 'Files that will change, and files that stay as they are' });
  await expect.element(list.getByText('moved.txt → old.txt')).toBeVisible();
  expect(list.getByText('It stays as it is.').elements()).toHaveLength(2);
  await sheet.getByRole('checkbox', { name: 'Overwrite it mine.txt' }).click();
  await expect.element(sheet.getByText('2 files will change:')).toBeVisible();
  expect(list.getByText('It stays as it is.').elements()).toHaveLength(1);
  await sheet.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect.element(page.getByText('Message undone, and 2 files put back.')).toBeVisible();
  expect(choices).toEqual([{ conversation: true, files: true, keep: new Set(['old.txt', 'moved.txt']) }]);
});

test('where all files are left alone, it is not said that any was put back', async () => {
  const { session } = await undoing([made('mine.txt', true)]);
  await expect.element(page.getByText('No file will change.')).toBeVisible();
  const list = page.getByRole('list', { name: 'Files that stay as they are' });
  await expect.element(list.getByRole('listitem')).toHaveTextContent('would be removed');
  expect(list.element().textContent).not.toContain('will be');
  await button('Restore').click();
  const notice = page.getByText('Message undone.', { exact: true });
  await expect.element(notice).toBeVisible();
  // The notice goes as soon as it is no longer so.
  session.append({ type: 'restore.began', kind: 'redo', head: 'q' }, { type: 'restore.ended' });
  await expect.element(notice).not.toBeInTheDocument();
});
