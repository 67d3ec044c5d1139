import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
import { FaultError } from '../../../base/fault.ts';
import type { RestoreTo } from '../../../session/restore/moments.ts';

let app: FakeApp;
let session: FakeSession;
const box = page.getByRole('textbox', { name: 'Message', exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  session.restores = {
    plan: async (to: RestoreTo) => {
      session.calls.push(['plan', to]);
      return { moment: { kind: 'undo', head: null }, leave: 1, come: 0, files: null };
    },
    run: async (_plan, choice) => void session.calls.push(['run', choice]),
  };
});

function turn(id: string, fault?: { code: string; what: string }): void {
  session.user(`q${id}`, `Question ${id}`);
  session.step(`a${id}`);
  if (!fault) session.text(`a${id}`, `Answer ${id}`);
  const ended = { type: 'step.ended', messageID: `a${id}`, usage: {} } as const;
  session.append(fault ? { ...ended, reason: 'error', fault } : { ...ended, reason: 'stop' });
  session.turnEnd(fault ? 'error' : 'idle');
}

test('the last answer can be had again: its message goes out as it was, from before it', async () => {
  turn('1');
  turn('2');
  await openPage(app, 'ses_a');
  await expect.element(button('Retry')).toBeVisible();
  expect(button('Retry').elements()).toHaveLength(1);
  await button('Retry').click();
  await expect.poll(() => session.calls.at(-1)?.[0]).toBe('prompt');
  expect(session.calls.map(([name, what]) => [name, what])).toEqual([
    ['plan', { kind: 'before', messageID: 'q2' }],
    ['run', { conversation: true, files: true }],
    ['prompt', 'Question 2'],
  ]);
  await expect.element(box).toHaveFocus();
  await expect
    .element(page.getByText('The files stay as they are: no snapshot of that moment'))
    .toBeVisible();
  // A turn runs now, and there is nothing to have again yet.
  await expect.element(button('Retry')).not.toBeInTheDocument();
});

test('an answer that failed can be had again too', async () => {
  turn('1', { code: 'overloaded', what: 'The provider is overloaded.' });
  await openPage(app, 'ses_a');
  await button('Retry').click();
  await expect.poll(() => session.calls.at(-1)?.[1]).toBe('Question 1');
});

test('while another turn works on the files, that is said and nothing is sent', async () => {
  turn('1');
  const fault = { code: 'turn-runs', what: 'Another session of this workspace is still working.' };
  session.restores = { ...session.restores!, plan: () => Promise.reject(new FaultError(fault)) };
  await openPage(app, 'ses_a');
  await button('Retry').click();
  await expect.element(page.getByText(fault.what)).toBeVisible();
  expect(session.calls).toEqual([]);
});

test('a restore of the files alone can be redone, by the button and by /redo', async () => {
  turn('1');
  session.append({ type: 'restore.began', kind: 'undo' });
  session.append({ type: 'restore.ended' });
  await openPage(app, 'ses_a');
  await expect
    .element(page.getByText('Files were put back. Your next message continues from here.'))
    .toBeVisible();
  await button('Redo').click();
  await expect.element(box).toHaveFocus();
  await expect.poll(() => session.calls.map(([name]) => name)).toEqual(['plan', 'run']);
  await box.fill('/redo');
  await button('Send').click();
  await expect.poll(() => session.calls.filter(([name]) => name === 'plan')).toHaveLength(2);
});

test('only the newest message can be deleted, and the files stay', async () => {
  turn('1');
  turn('2');
  await openPage(app, 'ses_a');
  const newest = page.getByRole('article', { name: 'You' }).last();
  await expect.element(newest.getByRole('button', { name: 'Delete' })).toBeInTheDocument();
  expect(
    page.getByRole('log', { name: 'Conversation' }).getByRole('button', { name: 'Delete' }).elements(),
  ).toHaveLength(1);
  (newest.getByRole('button', { name: 'Delete' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('left the conversation. The files stay as they are.')).toBeVisible();
  expect(session.calls).toEqual([
    ['plan', { kind: 'before', messageID: 'q2' }],
    ['run', { conversation: true, files: false }],
  ]);
  await expect.element(box).toHaveFocus();
});

const settings = page.getByRole('dialog', { name: 'Settings' });
const notice = settings.getByRole('alert');
const editor = page.getByRole('textbox', { name: 'Edit your message' });

async function edit(text: string): Promise<void> {
  await expect.element(button('Edit')).toBeInTheDocument();
  (button('Edit').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await editor.fill(text);
  await userEvent.keyboard('{Enter}');
}

test('the focus goes back to the button when a change is given up, and to the message box when it is sent', async () => {
  turn('1');
  await openPage(app, 'ses_a');
  await edit('Asked better');
  await expect.element(box).toHaveFocus();
  await expect.poll(() => session.calls.at(-1)?.slice(0, 2)).toEqual(['prompt', 'Asked better']);
  await expect.poll(() => app.prompts.get('w')).toEqual(['Asked better']);
  await expect.element(box).toHaveFocus();

  const first = page.getByRole('article', { name: 'You' }).first().getByRole('button', { name: 'Edit' });
  for (const giveUp of ['{Escape}', '{Tab}{Enter}']) {
    (first.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(editor).toHaveFocus();
    await userEvent.keyboard(giveUp);
    await expect.element(first).toHaveFocus();
  }
});

const previous = button('Previous version');
const next = button('Next version');

test('the focus stays at the arrows of a message from version to version', async () => {
  session.restores = {
    plan: async (to: RestoreTo) => {
      const head = to.kind === 'branch' ? to.messageID.replace('q', 'a') : null;
      return { moment: { kind: 'branch', head }, leave: 1, come: 1, files: null };
    },
    run: async ({ moment: { kind, head } }) =>
      session.append({ type: 'restore.began', kind, head }, { type: 'restore.ended' }),
  };
  turn('1');
  for (const id of ['2', '3']) {
    session.append({ type: 'restore.began', kind: 'undo', head: null }, { type: 'restore.ended' });
    turn(id);
  }
  await openPage(app, 'ses_a');
  await expect.element(previous).toBeVisible();
  (previous.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Question 2', { exact: true })).toBeVisible();
  await expect.element(previous).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Question 1', { exact: true })).toBeVisible();
  // There is no version before the first one.
  await expect.element(next).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Question 2', { exact: true })).toBeVisible();
  await expect.element(next).toHaveFocus();
});

test('the focus goes to the message box after a restore, and back to the button without one', async () => {
  session.restores = {
    plan: async () => ({
      moment: { kind: 'undo', head: null },
      leave: 1,
      come: 0,
      prompt: 'Question 1',
      files: null,
    }),
    run: async () =>
      session.append({ type: 'restore.began', kind: 'undo', head: null }, { type: 'restore.ended' }),
  };
  turn('1');
  await openPage(app, 'ses_a');
  const sheet = page.getByRole('dialog', { name: 'Restore to here' });
  await expect.element(button('Restore to here')).toBeInTheDocument();
  (button('Restore to here').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(sheet).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(button('Restore to here')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await sheet.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect.element(box).toHaveValue('Question 1');
  await expect.element(box).toHaveFocus();
});

test('the focus goes on where it was after a notice is used or dismissed', async () => {
  turn('1');
  await openPage(app, 'ses_a');
  const remove = page.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Delete' });
  for (const name of ['Dismiss', 'Undo']) {
    await expect.element(remove).toBeInTheDocument();
    (remove.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(box).toHaveFocus();
    await expect.element(button(name)).toBeVisible();
    (button(name).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button(name)).not.toBeInTheDocument();
    await expect.element(box).toHaveFocus();
  }
  await expect.poll(() => session.calls.at(-2)).toEqual(['plan', { kind: 'redo' }]);
});

test('without a model, the last answer stays, and the settings say why it cannot be had again', async () => {
  app.modelChoice = null;
  turn('1');
  await openPage(app, 'ses_a');
  await button('Retry').click();
  await expect.element(notice).toHaveTextContent('no model is set up yet');
  await expect.element(notice).not.toHaveTextContent('message box');
  expect(session.calls).toEqual([]);
});

test('without a model, a changed message is neither sent nor lost', async () => {
  app.modelChoice = null;
  turn('1');
  await openPage(app, 'ses_a');
  await edit('Asked better');
  await expect.element(notice).toHaveTextContent('no model is set up yet');
  expect(session.calls).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(settings).not.toBeInTheDocument();
  await expect.element(editor).toHaveValue('Asked better');
  await expect.element(editor).toHaveFocus();
});

test('without a model, a message whose turn failed is not sent again', async () => {
  app.modelChoice = null;
  turn('1', { code: 'overloaded', what: 'The provider is overloaded.' });
  await openPage(app, 'ses_a');
  await button('Try again').click();
  await expect.element(notice).toHaveTextContent('no model is set up yet');
  expect(session.calls).toEqual([]);
});

test('a changed message that is refused after the move comes back into the message box', async () => {
  turn('1');
  session.prompt = () => Promise.reject(new FaultError({ code: 'storage-full', what: 'No room is left.' }));
  await openPage(app, 'ses_a');
  await edit('Asked better');
  await expect.element(page.getByText('No room is left.')).toBeVisible();
  await expect.element(box).toHaveValue('Asked better');
});
