import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';

let app: FakeApp;
let session: FakeSession;
const dialog = page.getByRole('dialog', { name: 'Permission decisions' });
const items = dialog.getByRole('listitem');

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'Fix it')) as FakeSession;
  session.user('m0', 'go');
  session.step('m1');
  for (const id of ['c1', 'c2', 'c3']) session.call('m1', id, 'bash', { command: 'npm test' });
  session.append({
    type: 'permission.decided',
    messageID: 'm1',
    callID: 'c2',
    permission: 'read',
    action: 'deny',
    decisions: [
      {
        pattern: 'keys/id',
        action: 'deny',
        rule: { permission: 'read', pattern: 'keys/*', action: 'deny' },
        source: 'settings',
      },
    ],
  });
  session.ask('m1', 'c1', 'r1', { subject: { kind: 'command', command: 'login --token hush4711' } });
  session.answer('r1', { reply: 'always', patterns: ['login *'] }, 'person');
  session.append({ type: 'agent.chosen', agent: 'build' });
  session.append({ type: 'mode.set', mode: 'auto-edit' });
});

async function open() {
  const stores = await openPage(app, 'ses_a');
  stores.dialogs.openAudit('ses_a');
  await expect.element(dialog).toBeVisible();
  await expect.element(dialog.getByRole('status')).toHaveTextContent('4');
}

test('every decision is listed with its reason, newest first and without secrets', async () => {
  await open();
  await expect.element(dialog).toHaveAccessibleDescription(/“Fix it”/);
  const text = dialog.element().textContent;
  expect(text).toMatch(
    /mode was set to auto-edit.*Always allowed in this workspace by you: login \*.*keys\/id: denied by the rule read keys\/\* of the settings/s,
  );
  expect(text).toContain('login --token [secret]');
  expect(text).not.toContain('4711');
});

test('the list is narrowed by text, permission and outcome, and copied as it is shown', async () => {
  await open();
  const shown = () => dialog.getByRole('status').element().textContent;
  await dialog.getByRole('searchbox', { name: 'Filter' }).fill('SETTINGS');
  await expect.poll(shown).toBe('Decisions: 1 of 4');
  await dialog.getByRole('searchbox', { name: 'Filter' }).fill('');
  await dialog.getByRole('combobox', { name: 'Outcome' }).selectOptions('allowed');
  await expect.poll(shown).toBe('Decisions: 1 of 4');
  await dialog.getByRole('combobox', { name: 'Permission' }).selectOptions('read');
  await expect.poll(shown).toBe('Decisions: 0 of 4');
  await expect.element(dialog.getByText('No decision matches.')).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Copy as JSON' })).toBeDisabled();
});

test('what is decided meanwhile appears by itself', async () => {
  await open();
  session.ask('m1', 'c3', 'r2', { subject: { kind: 'command', command: 'npm run later' } });
  await expect.element(dialog.getByText('npm run later')).toBeVisible();
  await expect.element(items.first()).toHaveTextContent(/waiting/);
  session.answer('r2', { reply: 'reject', message: 'Not now' }, 'person');
  await expect.element(items.first()).toHaveTextContent(/denied.*saying: Not now/s);
});

test('it is reached from the session and from the settings, and closes with Escape', async () => {
  const stores = await openPage(app, 'ses_a');
  stores.dialogs.openSettings('permissions');
  await page.getByRole('button', { name: 'Permission decisions' }).click();
  await expect.element(dialog).toBeVisible();
  await expect.element(page.getByRole('dialog', { name: 'Settings' })).not.toBeInTheDocument();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await page
    .getByRole('navigation', { name: 'Sessions' })
    .getByRole('button', { name: 'Actions' })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Permission decisions' }).click();
  await expect.element(dialog).toBeVisible();
});
