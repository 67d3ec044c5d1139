import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../test/support/stories/open-page.ts';

let app: FakeApp;
const provider = page.getByLabelText('Provider');
const baseURL = page.getByLabelText('Base URL');
const apiKey = page.getByLabelText('API key');
const model = page.getByRole('combobox', { name: 'Model' });

beforeEach(async () => {
  app = new FakeApp();
  app.modelChoice = null;
  app.space('w', 'csv-totals');
  app.add(new FakeSession('ses_a', 'w', 'First'));
});

async function openSettings(name = 'Models'): Promise<void> {
  await openPage(app, 'ses_a');
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect.element(provider).toBeVisible();
  await showSettings(name);
}

async function showSettings(name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
}

test('a model is chosen: provider, key, model from the list, saved', async () => {
  await openSettings();
  await expect.element(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await provider.selectOptions('OpenAI');
  await apiKey.fill('sk-1234');
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByText('2 models found')).toBeVisible();
  expect(
    [...document.querySelectorAll('datalist option')].map((o) => (o as HTMLOptionElement).value),
  ).toEqual(['gpt-5', 'gpt-5-mini']);
  await model.fill('gpt-5-mini');
  await page.getByRole('checkbox', { name: /Remember the key/ }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const saved = page.getByRole('status').filter({ hasText: 'Saved.' });
  await expect.element(saved).toBeVisible();
  expect(app.calls).toContainEqual([
    'choose',
    { provider: 'openai', model: 'gpt-5-mini' },
    { value: 'sk-1234', remember: true },
  ]);
  await expect.element(apiKey).toHaveValue('');
});

test('of several models one is the default, one writes titles, and each can go', async () => {
  app.modelChoice = { provider: 'openai', model: 'gpt-5' };
  app.savedModels = [
    { provider: 'openai', model: 'gpt-5' },
    { provider: 'openai-compatible', model: 'qwen' },
  ];
  const baseURL = 'http://localhost:11434/v1';
  app.modelAddresses.set('openai-compatible', baseURL);
  await openSettings();
  const list = page.getByRole('list', { name: 'Your models' });
  await expect.element(list.getByText(/\(localhost:11434\/v1\)/)).toBeVisible();
  await expect.element(list.getByRole('radio', { name: 'gpt-5' })).toBeChecked();
  await page.getByLabelText('For titles and summaries').selectOptions('qwen');
  expect(app.smallModel).toMatchObject({ model: 'qwen' });
  await list.getByRole('radio', { name: 'qwen' }).click();
  expect(app.calls).toContainEqual(['choose', { ...app.savedModels[1], baseURL }, undefined]);
  await expect.element(provider).toHaveValue('openai-compatible');
  await list.getByRole('button', { name: 'Remove gpt-5' }).click();
  await expect.element(list.getByRole('listitem')).toHaveLength(1);
  await list.getByRole('button', { name: 'Remove qwen' }).click();
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(provider).toHaveValue('');
});

test('a row of a model with a long name wraps on a phone with the largest text', async () => {
  app.modelChoice = {
    provider: 'openai-compatible',
    model: 'gpt-5-with-a-name-that-goes-on-and-on-2026-11-30',
  };
  app.savedModels = [app.modelChoice, { provider: 'google', model: 'gemini' }];
  app.modelAddresses.set('openai-compatible', 'http://a-server-of-a-colleague.example.com:11434/v1');
  const { look } = await openPage(app, 'ses_a', { size: { width: 360, height: 740 } });
  look.set('text-size', 'largest');
  await page.getByRole('button', { name: 'Settings' }).click();
  const list = page.getByRole('list', { name: 'Your models' });
  await expect.element(list).toBeVisible();
  const wide = [...document.querySelectorAll('[role="dialog"] :not(input)')].filter(
    ({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth,
  );
  expect(wide.map(({ outerHTML }) => outerHTML.slice(0, 120))).toEqual([]);
  const { bottom } = list.getByText('gpt-5-with').element().getBoundingClientRect();
  expect(list.getByText('11434').element().getBoundingClientRect().top).toBeGreaterThanOrEqual(bottom);
});

test('whoever forgets a key goes on where another one is typed', async () => {
  app.modelKeys.set('openai', 'device');
  app.searchKeys.set('exa', 'tab');
  await openSettings();
  await provider.selectOptions('OpenAI');
  const forget = page.getByRole('button', { name: 'Forget the key' });
  await forget.click();
  await expect.element(forget).not.toBeInTheDocument();
  await expect.element(apiKey).toHaveFocus();
  await showSettings('Tools and servers');
  await page.getByRole('button', { name: 'Forget the Exa key' }).click();
  await expect.element(page.getByLabelText('Exa key', { exact: true })).toHaveFocus();
});

test('a local server needs no key and has its address filled in', async () => {
  await openSettings();
  await provider.selectOptions('OpenAI-compatible');
  await expect.element(baseURL).toHaveValue('http://localhost:11434/v1');
  await model.fill('qwen3-coder');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect(app.calls).toContainEqual([
    'choose',
    { provider: 'openai-compatible', model: 'qwen3-coder', baseURL: 'http://localhost:11434/v1' },
    undefined,
  ]);
});

test('a provider that cannot be reached is told with what to do', async () => {
  app.listFault = {
    code: 'cors',
    what: 'Ollama is there but does not let this page in.',
    next: 'OLLAMA_ORIGINS=https://x ollama serve',
  };
  await openSettings();
  await provider.selectOptions('OpenAI-compatible');
  await expect.element(page.getByText('OLLAMA_ORIGINS=https://x ollama serve')).toBeVisible();
});

test('what an error is about is said once', async () => {
  app.listFault = {
    code: 'x',
    what: 'The address is wrong: baseURL: no protocol',
    where: 'baseURL',
    next: 'Mend it.',
  };
  await openSettings();
  await provider.selectOptions('OpenAI-compatible');
  await expect.element(page.getByText('The address is wrong: baseURL: no protocol')).toBeVisible();
  await expect.element(page.getByText('baseURL', { exact: true })).not.toBeInTheDocument();
});

test('the connection is tested with what is filled in, saved or not', async () => {
  await openSettings();
  await provider.selectOptions('OpenAI-compatible');
  await model.fill('m');
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await expect.element(page.getByText('The model answered.')).toBeVisible();
  expect(app.calls.some(([name]) => name === 'choose')).toBe(false);
});

test('sizes, density and contrast apply at once', async () => {
  await openSettings('Appearance');
  const { dataset } = document.documentElement;
  expect({ ...dataset }).toMatchObject({ textSize: 'normal', density: 'comfortable', contrast: 'normal' });
  const size = () => parseFloat(getComputedStyle(document.body).fontSize);
  const before = size();
  await page.getByLabelText('Text size').selectOptions('Largest');
  await expect.poll(() => size() / before).toBeCloseTo(1.5);
  await page.getByLabelText('Code size').selectOptions('Small');
  await page.getByLabelText('Density').selectOptions('Compact');
  await page.getByLabelText('Contrast').selectOptions('More contrast');
  await expect
    .poll(() => ({ ...dataset }))
    .toMatchObject({ textSize: 'largest', codeSize: 'small', density: 'compact', contrast: 'more' });
  for (const key of ['textSize', 'codeSize', 'density', 'contrast']) delete dataset[key];
});

test('what a tool may do is set', async () => {
  await openSettings('Permissions');
  const commands = page.getByRole('group', { name: 'Run commands' });
  await expect.element(commands.getByRole('radio', { name: 'Ask' })).toBeChecked();
  await commands.getByRole('radio', { name: 'Deny' }).click();
  expect(app.calls).toContainEqual(['setPermission', 'bash', 'deny']);
  await expect.element(commands.getByRole('radio', { name: 'Deny' })).toBeChecked();
});

test('saved answers are listed and revoked', async () => {
  app.saved = [
    { id: 'r1', workspaceID: 'w', time: 0, permission: 'bash', pattern: 'npm test *', action: 'allow' },
  ];
  await openSettings('Permissions');
  await page.getByRole('button', { name: 'Revoke bash npm test *' }).click();
  await expect.element(page.getByText('No saved answers yet.')).toBeVisible();
  expect(app.saved).toEqual([]);
});

test('a secret in a saved answer is not shown', async () => {
  const pattern = 'curl -H "Authorization: Bearer hush4711hush" *';
  app.saved = [{ id: 'r1', workspaceID: 'w', time: 0, permission: 'bash', pattern, action: 'allow' }];
  await openSettings('Permissions');
  await expect.element(page.getByText('Authorization: Bearer [secret]')).toBeVisible();
  expect(document.body.innerHTML).not.toContain('4711');
});

test('saved answers leave as a file and come in again, and a wrong file is told', async () => {
  await openSettings('Permissions');
  const field = page.getByLabelText('Import from a file');
  const file = (text: string) => new File([text], 'rules.json', { type: 'application/json' });
  await expect.element(page.getByRole('button', { name: 'Export to a file' })).toBeDisabled();
  const rules = [{ permission: 'bash', pattern: 'npm test *', action: 'allow' }];
  await userEvent.upload(field, file(JSON.stringify({ format: 'vitrine-rules', version: 1, rules })));
  await expect.element(page.getByText('1 answer was added.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Revoke bash npm test *' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Export to a file' })).toBeEnabled();
  await userEvent.upload(field, file('{"rules": []}'));
  await expect.element(page.getByText(/This is not a rules file/)).toBeVisible();
  expect(app.saved).toHaveLength(1);
});

test('the theme is chosen', async () => {
  await openSettings('Appearance');
  await page.getByLabelText('Theme').selectOptions('Dark');
  await expect.poll(() => document.documentElement.dataset.theme).toBe('dark');
  await page.getByLabelText('Theme').selectOptions('Light');
  await expect.poll(() => document.documentElement.dataset.theme).toBe('light');
});
