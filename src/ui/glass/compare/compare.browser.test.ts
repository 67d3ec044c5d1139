import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
import type { CompareSide } from '../../app.ts';

const sheet = page.getByRole('dialog', { name: 'Compare' });
const YOU = { id: 'you', name: 'You are the model', key: 'none', addresses: [] } as const;
const side: CompareSide = {
  model: { provider: 'openai', model: 'gpt-5' },
  agent: 'build',
  effort: null,
  mode: 'ask',
};

/** Returns both sides, each within its first step. */
function asked(app: FakeApp): [FakeSession, FakeSession] {
  app.space('w', 'space');
  return ['ses_a', 'ses_b'].map((id) => {
    const session = app.add(new FakeSession(id, 'w', id));
    session.user(`${id}0`, 'go');
    session.step(`${id}1`);
    return session;
  }) as [FakeSession, FakeSession];
}

test('what a sub-agent of one side asks is asked in the pane of that side, and answered there', async () => {
  const app = new FakeApp();
  const [a, b] = asked(app);
  const link = { sessionID: b.id, messageID: 'ses_b1', callID: 'c1' };
  const child = app.add(new FakeSession('ses_c', 'w', 'Look around (@explore)', Date.now(), link));
  child.append({ type: 'agent.chosen', agent: 'explore' });
  child.user('k0', 'Look');
  child.step('k1');
  child.call('k1', 'k2', 'bash', { command: 'npm test' });
  const stores = await openPage(app);
  const request = { workspaceID: 'w', name: 'space', prompt: 'go', sides: [side, side] as const };
  stores.comparison.show({ request, sessions: [a, b], files: async () => [], texts: () => [null, null] });
  stores.comparison.open();
  await expect.element(sheet.getByRole('region', { name: /^B: / })).toBeVisible();
  await expect.element(sheet).toHaveTextContent('gpt-5 · Build');

  child.ask('k1', 'k2', 'r1');
  const dialog = sheet
    .getByRole('region', { name: /^B: / })
    .getByRole('alertdialog', { name: 'Permission required' });
  await expect.element(dialog).toHaveTextContent('for sub-agent explore: Look around');
  await expect.element(dialog).toHaveAttribute('data-armed', 'true');
  await dialog.getByRole('button', { name: 'Allow once' }).click();
  expect(child.calls).toEqual([['answer', 'r1', { reply: 'once' }, 'person']]);
  await expect.poll(() => sheet.getByRole('alertdialog').elements()).toEqual([]);
});

test('a side that somebody works for in the background has not ended', async () => {
  const app = new FakeApp();
  const [a, b] = asked(app);
  for (const session of [a, b]) {
    session.text(`${session.id}1`, `${session.id} has spoken.`);
    session.stepEnd(`${session.id}1`);
  }
  const task = { childID: 'ses_c', agent: 'explore', title: 'Look around', background: true };
  b.append({ type: 'task.started', messageID: 'ses_b1', callID: 'c1', ...task });
  for (const session of [a, b]) session.turnEnd();
  const stores = await openPage(app);
  const request = { workspaceID: 'w', name: 'space', prompt: 'go', sides: [side, side] as const };
  stores.comparison.show({ request, sessions: [a, b], files: async () => [], texts: () => [null, null] });
  stores.comparison.open();
  const ended = sheet.getByRole('row', { name: 'Ended' });
  const steps = sheet.getByRole('region', { name: 'Steps that differ' });
  await expect.element(ended).toHaveTextContent(/^Ended\s*normally\s*works$/);
  await expect.element(steps).not.toBeInTheDocument();

  b.append({ type: 'task.ended', childID: 'ses_c', state: 'completed' });
  await expect.element(ended).toHaveTextContent(/^Ended\s*normally\s*normally$/);
  await expect.element(steps).toHaveTextContent('Both took the same steps, with the same calls.');
  await sheet.getByRole('checkbox', { name: 'With what they say' }).click();
  await expect.element(steps).toHaveTextContent('ses_b has spoken.');
});

test('a side that the person plays needs no name of a model', async () => {
  const app = new FakeApp();
  const [session] = asked(app);
  app.models = { ...app.models, providers: [...app.models.providers, YOU] };
  app.modelChoice = null;
  const stores = await openPage(app, session.id);
  stores.comparison.open();
  await sheet.getByRole('textbox', { name: 'Prompt' }).fill('Go');
  await expect.element(sheet).toHaveTextContent('Choose a model for A and for B first.');
  for (const name of ['A', 'B'])
    await sheet.getByRole('group', { name }).getByLabelText('Provider').selectOptions('you');
  await expect.element(sheet.getByRole('combobox', { name: 'Model', exact: true })).not.toBeInTheDocument();
  await expect.element(sheet.getByRole('button', { name: 'Run both' })).toBeEnabled();

  // The field offers the models that another provider lists.
  app.modelKeys.set('openai', 'tab');
  await sheet.getByRole('group', { name: 'A' }).getByLabelText('Provider').selectOptions('openai');
  const model = sheet.getByRole('combobox', { name: 'Model', exact: true });
  await expect.element(model).toHaveValue('');
  await model.click();
  const offered = () => [...document.querySelectorAll('datalist[id$="-openai"] option')];
  await expect
    .poll(() => offered().map((each) => each.getAttribute('value')))
    .toEqual(['gpt-5', 'gpt-5-mini']);
});

test('the mode Plan and the agent of that name are chosen together', async () => {
  const app = new FakeApp();
  const [session] = asked(app);
  const stores = await openPage(app, session.id);
  stores.comparison.open();
  const a = sheet.getByRole('group', { name: 'A', exact: true });
  const agent = a.getByRole('combobox', { name: 'Agent', exact: true });
  const mode = a.getByRole('combobox', { name: 'Mode', exact: true });
  await agent.selectOptions('plan');
  await expect.element(mode).toHaveValue('plan');
  await mode.selectOptions('auto-edit');
  await expect.element(agent).toHaveValue('build');
  await mode.selectOptions('plan');
  await expect.element(agent).toHaveValue('plan');
  await agent.selectOptions('build');
  await expect.element(mode).toHaveValue('ask');
});
