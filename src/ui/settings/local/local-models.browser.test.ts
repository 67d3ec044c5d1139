import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';

const OLLAMA = 'http://localhost:11434/v1';

test('servers of this computer are looked for at a click, and one click takes a model', async () => {
  const app = new FakeApp();
  app.modelChoice = null;
  app.space('w', 'csv-totals');
  app.add(new FakeSession('ses_a', 'w', 'First'));
  const fault = {
    code: 'cors',
    what: 'It does not let this page in.',
    next: 'OLLAMA_ORIGINS=x ollama serve',
  };
  app.localFindings = [
    { name: 'Ollama', baseURL: OLLAMA, state: 'found', models: [{ id: 'qwen3' }, { id: 'llama3.2' }] },
    { name: 'Jan', baseURL: 'http://localhost:1337/v1', state: 'blocked', fault },
    {
      name: 'vLLM',
      baseURL: 'http://localhost:8000/v1',
      state: 'silent',
      fault: { ...fault, next: 'Start it.' },
    },
  ];
  const stores = await openPage(app, 'ses_a');
  stores.dialogs.openSettings();
  const look = page.getByRole('button', { name: 'Look for models on this computer' });
  await expect.element(look).toBeVisible();
  expect(app.calls.filter(([name]) => name === 'lookForLocal')).toEqual([]);
  await look.click();
  const offered = page.getByRole('list', { name: 'Offered by Ollama' });
  await expect.element(offered.getByRole('listitem')).toHaveLength(2);
  await expect.element(page.getByText('OLLAMA_ORIGINS=x ollama serve')).toBeVisible();
  await page.getByText('Nothing answers at 1 port').click();
  await expect.element(page.getByText('Start it.')).toBeVisible();
  await offered.getByRole('button', { name: 'Use qwen3' }).click();
  expect(app.calls).toContainEqual([
    'choose',
    { provider: 'openai-compatible', baseURL: OLLAMA, model: 'qwen3' },
    undefined,
  ]);
  await expect.element(page.getByText('Prompts go to qwen3 now.')).toBeVisible();
  await expect.element(page.getByRole('combobox', { name: 'Model' })).toHaveValue('qwen3');
});

test('what several servers lack is said once for all of them', async () => {
  const app = new FakeApp();
  app.modelChoice = null;
  app.space('w', 'csv-totals');
  app.add(new FakeSession('ses_a', 'w', 'First'));
  const denied = {
    code: 'local-network',
    what: 'The browser does not let this page reach this computer or the local network.',
    next: 'Allow it in the site settings, then try again.',
  };
  app.localFindings = ['Ollama', 'LM Studio', 'Jan'].map((name, index) => {
    const baseURL = `http://localhost:${1000 + index}/v1`;
    return { name, baseURL, state: 'blocked', fault: { ...denied, where: baseURL } } as const;
  });
  const stores = await openPage(app, 'ses_a');
  stores.dialogs.openSettings();
  await page.getByRole('button', { name: 'Look for models on this computer' }).click();
  await expect.element(page.getByRole('heading', { name: 'Jan localhost:1002' })).toBeVisible();
  expect(page.getByRole('group', { name: denied.what }).elements()).toHaveLength(1);
  expect(page.getByText(denied.next).elements()).toHaveLength(1);
});

test('where no server answers, how to start one is shown at once', async () => {
  const app = new FakeApp();
  app.modelChoice = null;
  app.space('w', 'csv-totals');
  app.add(new FakeSession('ses_a', 'w', 'First'));
  app.localFindings = [
    {
      name: 'vLLM',
      baseURL: 'http://localhost:8000/v1',
      state: 'silent',
      fault: { code: 'unreachable', what: 'Nothing answers there.', next: 'Start vLLM.' },
    },
  ];
  const stores = await openPage(app, 'ses_a');
  stores.dialogs.openSettings();
  await page.getByRole('button', { name: 'Look for models on this computer' }).click();
  await expect.element(page.getByText('Start vLLM.')).toBeVisible();
});
