import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
import type { YouRequest } from '../../../models/you/queue.ts';

const dialog = page.getByRole('dialog', { name: 'You are the model' });
const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Which <b>file</b>' },
    limit: { type: 'integer' },
    deep: { type: 'boolean' },
    kind: { enum: ['a', 'b'] },
    edits: {
      type: 'array',
      items: { type: 'object', properties: { from: { type: 'string' } }, required: ['from'] },
    },
  },
  required: ['path'],
};
const request: YouRequest = {
  id: 'you_1',
  sessionID: 'ses_a',
  tools: [{ name: 'change', description: 'Changes a file.', schema }],
  messages: [
    { role: 'system', parts: [{ kind: 'text', text: 'Be exact.' }] },
    { role: 'user', parts: [{ kind: 'text', text: 'Change <i>it</i>' }] },
  ],
  raw: () => '{"prompt": []}',
};
let app: FakeApp;

beforeEach(() => {
  sessionStorage.clear();
  app = new FakeApp();
  app.space('w', 'space');
  const session = app.add(new FakeSession('ses_a', 'w', 'A'));
  session.user('m0', 'go');
  session.step('m1');
  app.youRequests = [request];
});

const sent = () => app.calls.filter(([name]) => name === 'answerAsModel');

test('the form makes the arguments, and leaves out what is not set', async () => {
  await openPage(app, 'ses_a');
  await expect.element(dialog.getByText('Change <i>it</i>')).toBeVisible();
  await dialog.getByRole('button', { name: 'change' }).click();
  await expect.element(dialog.getByRole('textbox', { name: 'path' })).toHaveFocus();
  await userEvent.keyboard('a.ts');
  await dialog.getByRole('textbox', { name: 'limit' }).fill('3');
  await dialog.getByRole('combobox', { name: 'deep' }).selectOptions('true');
  await dialog.getByRole('combobox', { name: 'kind' }).selectOptions('b');
  await dialog.getByRole('button', { name: 'Add to edits' }).click();
  await dialog.getByRole('textbox', { name: 'from' }).fill('x');
  await dialog.getByRole('textbox', { name: 'Text' }).fill('I change it.');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const args = { path: 'a.ts', limit: 3, deep: true, kind: 'b', edits: [{ from: 'x' }] };
  expect(sent()).toEqual([
    [
      'answerAsModel',
      'you_1',
      { text: 'I change it.', calls: [{ tool: 'change', args: JSON.stringify(args) }] },
    ],
  ]);
  await expect.element(dialog).not.toBeInTheDocument();
});

test('what the model is going to be told is shown, and anything can be sent', async () => {
  app.youProblem = 'path: expected <b>string</b>';
  await openPage(app, 'ses_a');
  await dialog.getByRole('button', { name: 'change' }).click();
  await expect.element(dialog.getByRole('status')).toHaveTextContent('path: expected <b>string</b>');
  await dialog.getByRole('textbox', { name: 'limit' }).fill('many');
  await dialog.getByRole('button', { name: 'Write the JSON' }).click();
  const json = dialog.getByRole('textbox', { name: 'Arguments of change as JSON' });
  await expect.element(json).toHaveValue('{\n  "limit": "many"\n}');
  await json.fill('[1');
  await dialog.getByRole('button', { name: 'Use the form' }).click();
  await expect.element(dialog.getByText('A form can only show a JSON object')).toBeVisible();
  await dialog.getByRole('button', { name: 'Send with 1 call' }).click();
  expect(sent()).toEqual([['answerAsModel', 'you_1', { text: '', calls: [{ tool: 'change', args: '[1' }] }]]);
});

test('Escape loses nothing, and another session keeps its own draft', async () => {
  app.add(new FakeSession('ses_b', 'w', 'B'));
  await openPage(app, 'ses_a');
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Half an ans');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('link', { name: /^B/ }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByRole('link', { name: /^A/ }).click();
  await expect.element(dialog.getByRole('textbox', { name: 'Text' })).toHaveValue('Half an ans');
  expect(sent()).toEqual([]);
});
