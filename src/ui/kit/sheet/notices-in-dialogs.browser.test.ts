import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';

let app: FakeApp;
beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'csv-totals');
  app.add(new FakeSession('ses_a', 'w', 'First'));
});

test('a notice is in the dialog while one is open, and on the page before and after it, never twice', async () => {
  const { dialogs, toasts } = await openPage(app, 'ses_a');
  const notices = page.getByRole('region', { name: 'Notices' });
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  toasts.show('It is done.', { lasting: true });
  await expect.element(notices.getByText('It is done.')).toBeVisible();
  dialogs.openSettings();
  await expect.element(dialog.getByText('It is done.')).toBeVisible();
  expect(notices.elements()).toHaveLength(1);
  dialogs.closeSettings();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(notices.getByText('It is done.')).toBeVisible();
  expect(notices.elements()).toHaveLength(1);
});
