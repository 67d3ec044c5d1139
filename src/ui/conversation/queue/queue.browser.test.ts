import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
import { PromptQueue, type QueueStore } from './prompt-queue.svelte.ts';

let app: FakeApp;
let session: FakeSession;
const box = page.getByRole('textbox', { name: 'Message', exact: true });
const list = page.getByRole('region', { name: 'Queued messages' });
const rows = () => [...list.element().querySelectorAll('li .text')].map((row) => row.textContent);
const at = (index: number, name: string) => list.getByRole('button', { name, exact: true }).nth(index);
const sent = () => session.calls.filter(([name]) => name === 'prompt').map(([, text]) => text);

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  session.user('m0', 'go');
});

async function queued(...texts: readonly string[]): Promise<void> {
  await openPage(app, 'ses_a');
  for (const text of texts) {
    await box.fill(text);
    await userEvent.keyboard('{Enter}');
    await expect.element(list).toHaveTextContent(text);
  }
}

test('what is sent while a turn runs waits in a list, and goes out in its order', async () => {
  await queued('one', 'two');
  await expect.element(list).toHaveTextContent('2 messages go out after this step');
  expect(sent()).toEqual([]);
  await session.gap();
  expect(sent()).toEqual(['one', 'two']);
  await expect.element(list).not.toBeInTheDocument();
});

test('by keyboard it is moved, changed and removed, and the focus stays with the person', async () => {
  await queued('one', 'two', 'three');
  (at(2, 'Move up').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}{Enter}{Enter}');
  expect(rows()).toEqual(['three', 'one', 'two']);
  await expect.element(at(0, 'Move up')).toHaveFocus();
  await expect.element(at(0, 'Move up')).toHaveAttribute('aria-disabled', 'true');
  await at(0, 'Move down').click();
  expect(rows()).toEqual(['one', 'three', 'two']);

  await at(1, 'Edit').click();
  const edit = page.getByRole('textbox', { name: 'Edit the queued message' });
  await expect.element(edit).toHaveFocus();
  await edit.fill('3');
  await userEvent.keyboard('{Enter}');
  expect(rows()).toEqual(['one', '3', 'two']);
  await expect.element(at(1, 'Edit')).toHaveFocus();
  await at(1, 'Edit').click();
  await edit.fill('not this');
  await userEvent.keyboard('{Escape}');
  expect(rows()).toEqual(['one', '3', 'two']);

  (at(2, 'Remove').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  expect(rows()).toEqual(['one', '3']);
  await expect.element(at(1, 'Send now')).toHaveFocus();
  await at(1, 'Remove').click();
  await at(0, 'Remove').click();
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(box).toHaveFocus();
});

test('one can be sent at once: the turn is stopped first, the others wait', async () => {
  await queued('one', 'two');
  await at(1, 'Send now').click();
  expect(session.calls).toEqual([['abort']]);
  session.turnEnd('aborted');
  await expect.poll(sent).toEqual(['two']);
  expect(rows()).toEqual(['one']);
});

test('after a turn that was stopped they wait for the person', async () => {
  await queued('one');
  session.turnEnd('aborted');
  await expect.element(list).toHaveTextContent('1 message waits for you to send it');
  expect(sent()).toEqual([]);
  await at(0, 'Send now').click();
  await expect.poll(() => session.calls.map(([name, text]) => [name, text])).toEqual([['prompt', 'one']]);
});

test('what is not accepted stays in its place', async () => {
  let kept = '';
  const store: QueueStore = { load: () => kept, save: (text) => (kept = text) };
  const failures: unknown[] = [];
  const queue = new PromptQueue(session, store, (error) => failures.push(error));
  queue.add({ text: 'one' });
  queue.add({ text: 'two' });
  session.prompt = () => Promise.reject(new Error('Storage is full.'));
  await session.gap();
  expect(queue.all.map(({ text }) => text)).toEqual(['one', 'two']);
  expect(failures).toHaveLength(1);
  expect(new PromptQueue(session, store, () => undefined).all).toHaveLength(2);
  expect(
    new PromptQueue(session, { load: () => '{"no":1}', save: () => undefined }, () => undefined).all,
  ).toEqual([]);
});
