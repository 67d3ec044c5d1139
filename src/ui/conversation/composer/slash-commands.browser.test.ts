import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';

const box = page.getByRole('textbox', { name: 'Message', exact: true });
const list = page.getByRole('listbox', { name: 'Commands' });
const chosen = list.getByRole('option', { selected: true });
let session: FakeSession;

beforeEach(async () => {
  const app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  session.user('m0', 'go');
  session.turnEnd('idle');
  await openPage(app, 'ses_a');
});

const prompts = () => session.calls.filter(([what]) => what === 'prompt');

test('the keyboard chooses a command, and the message box names the one that is chosen', async () => {
  await box.fill('/comp');
  await expect.element(chosen).toHaveTextContent('/compact');
  await expect.element(page.getByText('2 commands: Up and Down choose')).toBeInTheDocument();
  expect(box.element().getAttribute('aria-activedescendant')).toBe(chosen.element().id);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(chosen).toHaveTextContent('/compare');
  await userEvent.keyboard('{ArrowUp}{Enter}');
  await expect.element(box).toHaveValue('/compact');
  await expect.element(box).toHaveFocus();
  expect(prompts()).toEqual([]);
});

test('Enter sends a command that is there in full, and Escape closes the list', async () => {
  await box.fill('/comp');
  await expect.element(list).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(box).toHaveValue('/comp');
  await box.fill('');
  await box.fill('/undo');
  await expect.element(chosen).toHaveTextContent('/undo');
  await userEvent.keyboard('{Enter}');
  await expect.element(box).not.toHaveValue('/undo');
  expect(prompts()).toEqual([]);
});

test('a click on a command takes it', async () => {
  await box.fill('/');
  await list.getByRole('option', { name: '/redo' }).click();
  await expect.element(box).toHaveValue('/redo');
});
