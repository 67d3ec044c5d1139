import { expect, test } from 'vitest';
import { timeoutTimer } from '../base/timer.ts';
import { KeyStore, memoryKeys } from '../models/keys.ts';
import { MemorySettingsStore } from '../storage/memory/settings-store.ts';
import { ModelSettings } from './model-settings.ts';

async function settingsOver(store = new MemorySettingsStore()): Promise<ModelSettings> {
  const settings = new ModelSettings({
    settings: store,
    keys: await KeyStore.open(memoryKeys(), memoryKeys()),
    network: {
      origin: 'https://vitrine.example',
      online: () => true,
      localAccessDenied: async () => false,
      reachable: async () => true,
    },
    timer: timeoutTimer,
    you: { ask: () => Promise.reject(new Error('nobody is asked')) },
    script: () => undefined,
  });
  await settings.load();
  return settings;
}

test('a provider is set up once it has its key, or its address where it needs none', async () => {
  const settings = await settingsOver();
  const told: boolean[] = [];
  settings.onChange(() => told.push(settings.isSetUp('anthropic')));

  expect(settings.isSetUp('anthropic')).toBe(false);
  const choice = { provider: 'anthropic', model: 'm' };
  await settings.choose(choice, { value: 'sk-of-the-person', remember: false });
  expect(settings.isSetUp('anthropic')).toBe(true);
  expect(told.at(-1)).toBe(true);
  await settings.forgetKey('anthropic');
  expect(settings.isSetUp('anthropic')).toBe(false);
  expect(told.at(-1)).toBe(false);

  expect(settings.isSetUp('openai-compatible')).toBe(false);
  await settings.choose({ provider: 'openai-compatible', baseURL: 'http://localhost:11434/v1', model: 'm' });
  expect(settings.isSetUp('openai-compatible')).toBe(true);
  expect(['you', 'scripted', 'nobody'].map((id) => settings.isSetUp(id))).toEqual([false, false, false]);
});

const claude = { provider: 'anthropic', model: 'm' };
const gpt = { provider: 'openai', model: 'n' };

test('chosen models are listed, newest first, once each, and stay over a reload', async () => {
  const store = new MemorySettingsStore();
  const settings = await settingsOver(store);
  for (const choice of [claude, gpt, claude, { provider: 'you', model: 'you' }])
    await settings.choose(choice);
  expect(settings.saved()).toEqual([claude, gpt]);
  await settings.chooseSmall(gpt);
  const again = await settingsOver(store);
  expect(again.saved()).toEqual([claude, gpt]);
  expect(again.small()).toEqual(gpt);
  await again.remove(gpt);
  expect(again.saved()).toEqual([claude]);
  expect(again.small()).toBeUndefined();
  expect((await settingsOver(store)).choice()).toEqual({ provider: 'you', model: 'you' });
});

test('settings of an older version keep their choice, which is the first of the list', async () => {
  const store = new MemorySettingsStore();
  await store.set('models', { choice: claude, baseURLs: {} });
  const settings = await settingsOver(store);
  expect(settings.choice()).toEqual(claude);
  expect(settings.saved()).toEqual([claude]);
  await settings.choose(gpt);
  expect(settings.saved()).toEqual([gpt, claude]);
});

test('a provider has one address: models at another one leave the list', async () => {
  const settings = await settingsOver();
  const at = (port: number, model: string) => ({
    provider: 'openai-compatible',
    baseURL: `http://localhost:${port}/v1`,
    model,
  });
  await settings.choose(claude);
  await settings.choose(at(1, 'a'));
  await settings.choose(at(1, 'b'));
  await settings.chooseSmall(at(1, 'a'));
  await settings.choose(at(2, 'c'));
  expect(settings.saved()).toEqual([{ provider: 'openai-compatible', model: 'c' }, claude]);
  expect(settings.baseURLOf('openai-compatible')).toBe('http://localhost:2/v1');
  expect(settings.small()).toBeUndefined();
});
