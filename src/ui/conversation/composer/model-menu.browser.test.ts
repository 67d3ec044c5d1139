import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { NO_SETUP } from '../../../agents/setup.ts';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';

let app: FakeApp;
let session: FakeSession;
const model = page.getByRole('button', { name: /^Model: gpt-5/ });
const item = (name: string) => page.getByRole('menuitemradio', { name });

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
});

test('how much a model thinks is chosen from its menu, shown beside its name, and taken back', async () => {
  app.efforts = ['low', 'medium', 'high'];
  await openPage(app, 'ses_a');
  await expect.element(model).toHaveAccessibleName('Model: gpt-5');
  await model.click();
  await expect.element(item('Model default')).toBeChecked();
  await item('High').click();
  expect(session.calls).toEqual([['chooseEffort', 'high']]);
  await expect.element(model).toHaveAccessibleName('Model: gpt-5 Effort: High');
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveFocus();
  await model.click();
  await expect.element(item('High')).toBeChecked();
  await item('Model default').click();
  expect(session.calls.at(-1)).toEqual(['chooseEffort', null]);
  await expect.element(model).toHaveAccessibleName('Model: gpt-5');
});

test('the settings are in the menu', async () => {
  app.efforts = ['low', 'high'];
  await openPage(app, 'ses_a');
  await model.click();
  await page.getByRole('menuitem', { name: 'Model settings' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog', { name: 'Settings' })).not.toBeInTheDocument();
});

test('models that files describe are in the menu by their providers, and those without a key cannot be chosen', async () => {
  app.setUp = ['openai', 'lab'];
  const described = { file: 'opencode.json', speaks: 'openai-compatible' } as const;
  app.configuration = {
    ...{ setup: NO_SETUP, commands: [], files: [], rules: [], problems: [], grants: null, servers: [] },
    namesOthers: false,
    providers: [
      { ...described, id: 'lab', name: 'The lab', models: { big: {}, small: {} } },
      { ...described, id: 'shut', models: { far: {} } },
      { ...described, id: 'empty', models: {} },
    ],
  };
  await openPage(app, 'ses_a');
  await model.click();
  const models = page.getByRole('group', { name: 'Models' });
  await expect.element(models).toHaveTextContent('The lab');
  await expect.element(models).toHaveTextContent('shut: no key in Settings');
  await expect.element(models).not.toHaveTextContent('empty');
  await expect.element(item('far')).toHaveAttribute('aria-disabled', 'true');
  await expect.element(item('gpt-5')).toBeChecked();
  await item('small').click();
  await expect.element(page.getByRole('button', { name: 'Model: small' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Message' }).fill('Go');
  await page.getByRole('button', { name: 'Send' }).click();
  expect(session.calls.at(-1)).toMatchObject([
    'prompt',
    'Go',
    { model: { provider: 'lab', model: 'small' } },
  ]);
});

test('models that were chosen before are in the menu, beside those of the same provider in files', async () => {
  app.setUp = ['openai', 'openai-compatible'];
  app.savedModels = [
    { provider: 'openai', model: 'gpt-5' },
    { provider: 'openai', model: 'gpt-5-mini' },
    { provider: 'openai-compatible', model: 'qwen' },
  ];
  app.configuration = {
    ...{ setup: NO_SETUP, commands: [], files: [], rules: [], problems: [], grants: null, servers: [] },
    namesOthers: false,
    providers: [{ file: 'opencode.json', speaks: 'openai', id: 'openai', models: { described: {} } }],
  };
  await openPage(app, 'ses_a');
  await model.click();
  await expect.element(item('gpt-5-mini')).toBeVisible();
  await expect.element(item('described')).toBeVisible();
  await item('qwen').click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Go');
  await page.getByRole('button', { name: 'Send' }).click();
  expect(session.calls.at(-1)).toMatchObject([
    'prompt',
    'Go',
    { model: { provider: 'openai-compatible', model: 'qwen' } },
  ]);
});

test('where there is no choice the settings open at once', async () => {
  session.append({ type: 'effort.chosen', effort: 'high' });
  await openPage(app, 'ses_a');
  await expect.element(model).toHaveAccessibleName('Model: gpt-5');
  await model.click();
  await expect.element(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
});

test('on a phone a long name is cut, and the buttons stay in reach', async () => {
  app.efforts = ['low', 'high'];
  app.modelChoice = { provider: 'openai', model: 'gpt-5-of-a-server-with-a-very-long-name' };
  session.append({ type: 'effort.chosen', effort: 'high' });
  session.user('m0', 'Go');
  session.step('m1');
  await openPage(app, 'ses_a');
  await page.viewport(390, 844);
  await expect.element(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  const { right } = page.getByRole('button', { name: 'Send' }).element().getBoundingClientRect();
  expect(right).toBeLessThanOrEqual(390);
  await expect.element(model.getByText('High')).toBeVisible();
});

test('on a phone the words for "no model yet" do not run into the agent beside them', async () => {
  app.modelChoice = null;
  session.user('m0', 'Go');
  session.step('m1');
  await openPage(app, 'ses_a');
  await page.viewport(300, 844);
  await expect.element(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  const button = page.getByRole('button', { name: 'Choose a model' }).element();
  expect(button.scrollWidth).toBeLessThanOrEqual(button.clientWidth);
});

test('in Arabic the end of a long name is cut, not its beginning', async () => {
  const long = `gpt-5-${'with-a-long-name-'.repeat(8)}end`;
  app.modelChoice = { provider: 'openai', model: long };
  document.documentElement.dir = 'rtl';
  onTestFinished(() => document.documentElement.removeAttribute('dir'));
  await openPage(app, 'ses_a', { size: { width: 360, height: 740 } });
  const name = page.getByText(long, { exact: true });
  await expect.element(name).toBeVisible();
  expect(getComputedStyle(name.element()).direction).toBe('ltr');
});
