import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';

let app: FakeApp;
let parent: FakeSession;
let child: FakeSession;
const dialog = page.getByRole('alertdialog', { name: 'Permission required' });
const once = page.getByRole('button', { name: 'Allow once' });
const sessions = page.getByRole('navigation', { name: 'Sessions' });

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  app.add(new FakeSession('ses_other', 'w', 'Other'));
  parent = app.add(new FakeSession('ses_a', 'w', 'Parent'));
  parent.user('m0', 'go');
  parent.step('m1');
  const link = { sessionID: 'ses_a', messageID: 'm1', callID: 'c1' };
  child = app.add(new FakeSession('ses_b', 'w', 'Look around (@explore)', Date.now(), link));
  child.append({ type: 'agent.chosen', agent: 'explore' });
  child.user('k0', 'Look');
  child.step('k1');
  child.call('k1', 'k2', 'bash', { command: 'npm test' });
});

function give(
  tool: 'task' | 'background_task',
  background = tool === 'background_task',
  callID = 'c1',
): void {
  parent.running('m1', callID, tool, { description: 'Look around', prompt: 'Look' });
  parent.append({
    type: 'task.started',
    messageID: 'm1',
    callID,
    childID: 'ses_b',
    agent: 'explore',
    title: 'Look around',
    background,
  });
}

test('what a sub-agent asks is asked on the page of its parent, and the answer goes to it', async () => {
  give('task');
  await openPage(app, 'ses_a');
  child.ask('k1', 'k2', 'r1');
  await expect.element(dialog).toHaveTextContent('for sub-agent explore: Look around');
  await expect.element(sessions.getByRole('link', { name: /Parent.*Waiting/ })).toBeVisible();
  await expect.element(dialog).toHaveAttribute('data-armed', 'true');
  await once.click();
  expect(child.calls).toEqual([['answer', 'r1', { reply: 'once' }, 'person']]);
  expect(parent.calls).toEqual([]);
  await expect.poll(() => dialog.elements()).toEqual([]);
});

test('what waits is counted over all of them, and the first stays in front', async () => {
  give('task');
  parent.call('m1', 'c2', 'bash', { command: 'npm run lint' });
  child.ask('k1', 'k2', 'r1');
  await openPage(app, 'ses_a');
  await expect.element(dialog).toHaveTextContent('for sub-agent');
  parent.ask('m1', 'c2', 'r2');
  await expect.element(dialog).toHaveTextContent('1 of 2');
  await expect.element(dialog).toHaveTextContent('for sub-agent');
  await expect.element(dialog).toHaveAttribute('data-armed', 'true');
  await once.click();
  await expect.element(dialog).not.toHaveTextContent('for sub-agent');
  await expect.element(dialog).not.toHaveTextContent('of 2');
});

test('elsewhere nothing is asked, but the row of the parent waits', async () => {
  give('task');
  child.ask('k1', 'k2', 'r1');
  await openPage(app, 'ses_other');
  await expect.element(sessions.getByRole('link', { name: /Parent.*Waiting/ })).toBeVisible();
  expect(dialog.elements()).toEqual([]);
});

test('sessions of sub-agents stand below their parent, while one of them is open', async () => {
  give('task');
  await openPage(app, 'ses_other');
  await expect.element(sessions.getByRole('link', { name: /^Parent/ })).toBeVisible();
  expect(sessions.getByRole('link', { name: /^Look around/ }).elements()).toEqual([]);
  await sessions.getByRole('link', { name: /^Parent/ }).click();
  await sessions.getByRole('link', { name: /^Look around/ }).click();
  await expect.element(page.getByText('A sub-agent works here')).toBeVisible();
  expect(page.getByRole('textbox', { name: 'Message' }).elements()).toEqual([]);
  await page.getByRole('button', { name: 'Stop' }).click();
  expect(child.calls).toEqual([['abort']]);
  await page.getByRole('link', { name: 'Back to Parent' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
});

test('in the session of a sub-agent nothing can be had again, and it says whether one still works there', async () => {
  give('task');
  child.restores = { plan: () => Promise.reject(new Error('No.')), run: async () => undefined };
  child.text('k1', 'Found.');
  child.append({ type: 'step.ended', messageID: 'k1', reason: 'stop', usage: {} });
  await openPage(app, 'ses_b');
  await expect.element(page.getByText('A sub-agent works here')).toBeVisible();
  child.turnEnd('idle');
  await expect.element(page.getByText('A sub-agent worked here', { exact: true })).toBeVisible();
  expect(page.getByRole('button', { name: 'Retry' }).elements()).toEqual([]);
  child.turnEnd('interrupted');
  await expect.element(page.getByText('A sub-agent worked here and was interrupted')).toBeVisible();
  child.turnEnd('error');
  expect(page.getByRole('button', { name: 'Try again' }).elements()).toEqual([]);
});

test('where only an agent was sent something, as in a copy of its session, there is nothing to send again', async () => {
  const copy = app.add(new FakeSession('ses_c', 'w', 'Copy'));
  copy.restores = { plan: () => Promise.reject(new Error('No.')), run: async () => undefined };
  copy.append(
    {
      ...{ type: 'prompt.accepted', messageID: 'q', parentID: null, text: 'Look', agent: 'explore' },
      ...{ model: { provider: 'test', model: 'parts' }, origin: { kind: 'task' } },
    },
    { type: 'turn.started', promptID: 'q' },
  );
  copy.step('a');
  copy.text('a', 'Found.');
  copy.append({ type: 'step.ended', messageID: 'a', reason: 'stop', usage: {} });
  copy.turnEnd('idle');
  await openPage(app, 'ses_c');
  await expect.element(page.getByText('Found.')).toBeVisible();
  expect(page.getByRole('button', { name: 'Retry' }).elements()).toEqual([]);
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
});

test.each(['background_task', 'task'] as const)(
  'the card of %s in the background follows its session after the call has ended, and stops it',
  async (tool) => {
    give(tool, true);
    const metadata = { sessionId: 'ses_b', background: true };
    parent.ended('m1', 'c1', 'task_id: ses_b', { metadata, title: 'Look around' });
    await openPage(app, 'ses_a');
    await expect.element(page.getByText('running in the background')).toBeVisible();
    const recent = page.getByRole('list', { name: 'Latest activity' });
    await expect.element(recent).toHaveTextContent('Run');
    await page.getByRole('button', { name: 'Stop this work' }).click();
    expect(child.calls).toEqual([['abort']]);
    parent.append({ type: 'task.ended', childID: 'ses_b', state: 'cancelled' });
    await expect.element(page.getByText('stopped', { exact: true })).toBeVisible();
    await expect.poll(() => recent.elements()).toEqual([]);
  },
);

test('a card does not speak of work that its session was given later', async () => {
  const metadata = { sessionId: 'ses_b', background: true };
  for (const callID of ['c1', 'c2']) {
    give('background_task', true, callID);
    parent.ended('m1', callID, 'task_id: ses_b', { metadata, title: 'Look around' });
    if (callID === 'c1') parent.append({ type: 'task.ended', childID: 'ses_b', state: 'completed' });
  }
  await openPage(app, 'ses_a');
  await expect.element(page.getByText('running in the background')).toBeVisible();
  expect(page.getByRole('button', { name: 'Stop this work' }).elements()).toHaveLength(1);
  expect(page.getByRole('link', { name: 'Open its session: Look around' }).elements()).toHaveLength(2);
});

test('what the app says to the agent is not shown as the person’s words', async () => {
  parent.append({
    type: 'prompt.accepted',
    messageID: 'm2',
    parentID: 'm1',
    text: '<task>secret</task>',
    agent: 'build',
    model: { provider: 'openai', model: 'gpt-5' },
    origin: { kind: 'task-ended', childID: 'ses_b', title: 'Look around', state: 'error' },
  });
  await openPage(app, 'ses_a');
  const told = page.getByRole('article', { name: 'The app' });
  await expect.element(told).toHaveTextContent('Background work ended: Look around (failed)');
  await expect
    .element(told.getByRole('link', { name: 'Open its session: Look around' }))
    .toHaveAttribute('href', '#/session/ses_b');
});

test('the agent is chosen from a menu', async () => {
  await openPage(app, 'ses_a');
  await page.getByRole('button', { name: 'Agent: Build' }).click();
  await page.getByRole('menuitemradio', { name: /^Plan/ }).click();
  await expect.element(page.getByRole('button', { name: 'Agent: Plan' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Mode: Plan/ })).toBeVisible();
  expect(parent.calls).toEqual([['chooseAgent', 'plan']]);
});
