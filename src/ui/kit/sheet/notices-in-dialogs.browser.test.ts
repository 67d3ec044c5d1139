import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage, phone, wide } from '../../../../test/support/stories/open-page.ts';

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

for (const [where, size] of Object.entries({ wide, phone })) {
  test(`a notice leaves the field of a list of commands free (${where})`, async () => {
    const { dialogs, toasts } = await openPage(app, 'ses_a', { size });
    toasts.show('It is done. '.repeat(10), { lasting: true });
    dialogs.list('palette');
    const dialog = page.getByRole('dialog', { name: 'All commands' });
    await expect.element(dialog.getByText(/It is done/)).toBeInViewport({ ratio: 1 });
    const field = dialog.getByRole('combobox', { name: 'Command' });
    await expect.element(field).toHaveFocus();
    const top = field.element().getBoundingClientRect().top;
    await field.click();
    expect(coveredBy(field.element())).toEqual([]);
    // Options are not covered either, and the field stays where it is when the notice goes.
    expect(coveredBy(dialog.getByRole('option').first().element())).toEqual([]);
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    expect(field.element().getBoundingClientRect().top).toBe(top);
  });
}

/** Returns the elements that cover another one at five places from its left to its right. */
function coveredBy(element: Element): Element[] {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [0.05, 0.25, 0.5, 0.75, 0.95].flatMap((at) => {
    const there = document.elementFromPoint(left + width * at, top + height / 2);
    return there && !element.contains(there) ? [there] : [];
  });
}
