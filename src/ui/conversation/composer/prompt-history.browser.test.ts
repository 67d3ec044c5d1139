import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';

let app: FakeApp;
let session: FakeSession;
const box = page.getByRole('textbox', { name: 'Message', exact: true });
const caret = () => (box.element() as HTMLTextAreaElement).selectionStart;

beforeEach(async () => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  app.prompts.set('w', ['first', 'second\nwith two lines', '/undo']);
  await openPage(app, 'ses_a');
  await box.click();
  await expect.poll(() => document.querySelector('[data-history]')).not.toBeNull();
});

test('Up shows earlier messages from an empty box, Down leads back to it', async () => {
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(box).toHaveValue('/undo');
  expect(caret()).toBe(0);
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
  await expect.element(box).toHaveValue('first');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(box).toHaveValue('second\nwith two lines');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.element(box).toHaveValue('');
});

test('what was being typed comes back, and a changed message is typed text', async () => {
  await userEvent.keyboard('typed{Home}{ArrowUp}');
  await expect.element(box).toHaveValue('/undo');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(box).toHaveValue('typed');
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  await expect.element(box).toHaveValue('second\nwith two lines');
  await userEvent.keyboard('my {Home}{ArrowUp}');
  await expect.element(box).toHaveValue('/undo');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(box).toHaveValue('my second\nwith two lines');
});

test('what is attached stays while earlier messages are shown', async () => {
  await box.fill('See @attachments/a.png ');
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowUp}{ArrowUp}{ArrowUp}');
  await expect.element(box).toHaveValue('first @attachments/a.png ');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  await expect.element(box).toHaveValue('See @attachments/a.png ');
});

test('within a text the arrows move the caret', async () => {
  await box.fill('one\ntwo');
  await userEvent.keyboard('{End}{ArrowUp}');
  await expect.element(box).toHaveValue('one\ntwo');
  expect(caret()).toBeLessThan(4);
});

test('what is sent is the newest one, and a list of files has the arrows first', async () => {
  await box.fill('third');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => session.calls.length).toBe(1);
  session.turnEnd();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(box).toHaveValue('third');
  expect(app.prompts.get('w')?.at(-1)).toBe('third');

  await app.workspace('w').files.write('a.txt', new Uint8Array());
  await app.workspace('w').files.write('b.txt', new Uint8Array());
  await box.fill('@');
  await expect.element(page.getByRole('option')).toHaveLength(2);
  await userEvent.keyboard('{ArrowUp}{Enter}');
  await expect.element(box).toHaveValue('@b.txt ');
});

test('what was not sent is not among the earlier messages', async () => {
  session.user('m0', 'go');
  session.step('m1');
  session.command = () => Promise.reject(new Error('Something else runs.'));
  await box.fill('!ls');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Something else runs.')).toBeVisible();
  await box.fill('queued');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('region', { name: 'Queued messages' })).toHaveTextContent('queued');
  expect(app.prompts.get('w')?.at(-1)).toBe('/undo');
  await session.gap();
  await expect.poll(() => app.prompts.get('w')?.at(-1)).toBe('queued');
});
