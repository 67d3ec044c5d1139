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

test('once the default is removed, the model that was chosen before it is the default', async () => {
  const store = new MemorySettingsStore();
  const settings = await settingsOver(store);
  for (const choice of [claude, at(1, 'a'), at(2, 'b')]) await settings.choose(choice);
  await settings.chooseSmall({ provider: 'openai-compatible', model: 'b' });
  await settings.remove({ provider: 'openai-compatible', model: 'b' });
  const again = await settingsOver(store);
  expect(again.choice()).toEqual(at(1, 'a'));
  expect(again.saved()).toEqual([{ provider: 'openai-compatible', model: 'a' }, claude]);
  expect(again.small()).toBeUndefined();
  await again.remove({ provider: 'openai-compatible', model: 'a' });
  expect(again.choice()).toEqual(claude);
  await again.remove(claude);
  expect([again.choice(), again.saved()]).toEqual([null, []]);
});

test('a default of an older version, which is in no stored list, can be removed', async () => {
  const store = new MemorySettingsStore();
  await store.set('models', { choice: claude, baseURLs: {} });
  const settings = await settingsOver(store);
  await settings.remove(claude);
  expect([settings.choice(), settings.saved()]).toEqual([null, []]);
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

const at = (port: number, model: string) => ({
  provider: 'openai-compatible',
  baseURL: `http://localhost:${port}/v1`,
  model,
});
const AT_1 = 'openai-compatible@http://localhost:1/v1';
const AT_2 = 'openai-compatible@http://localhost:2/v1';

test('models of another address of a provider stay in the list, under an id that names the address', async () => {
  const store = new MemorySettingsStore();
  const settings = await settingsOver(store);
  await settings.choose(claude);
  await settings.choose(at(1, 'a'));
  await settings.choose(at(1, 'b'));
  await settings.chooseSmall({ provider: 'openai-compatible', model: 'a' });
  await settings.choose(at(2, 'c'));
  const again = await settingsOver(store);
  expect(again.saved()).toEqual([
    { provider: 'openai-compatible', model: 'c' },
    { provider: AT_1, model: 'b' },
    { provider: AT_1, model: 'a' },
    claude,
  ]);
  expect(again.choice()).toEqual(at(2, 'c'));
  expect(again.small()).toEqual({ provider: AT_1, model: 'a' });
  expect([again.isSetUp(AT_1), again.baseURLOf(AT_1)]).toEqual([true, 'http://localhost:1/v1']);
  expect(again.nameOf(AT_1)).toMatch(/ \(localhost:1\/v1\)$/);
  expect(again.nameOf('anthropic')).toBe('Anthropic');

  // It can be the default again, and is then there once.
  await again.choose({ provider: AT_1, model: 'b' });
  expect(again.choice()).toEqual(at(1, 'b'));
  expect(again.saved()).toEqual([
    { provider: 'openai-compatible', model: 'b' },
    { provider: AT_2, model: 'c' },
    { provider: 'openai-compatible', model: 'a' },
    claude,
  ]);
  expect(again.small()).toEqual({ provider: 'openai-compatible', model: 'a' });
  // A slash at the end is no other address.
  await again.choose({ ...at(1, 'a'), baseURL: 'http://localhost:1/v1/' });
  expect(again.saved().map(({ model }) => model)).toEqual(['a', 'b', 'c', 'm']);
});

test('a model is only reached at an address that is among the person’s own', async () => {
  const settings = await settingsOver();
  await settings.choose(at(1, 'a'));
  await settings.choose(at(2, 'b'));
  for (const provider of [AT_1, AT_2, 'openai-compatible'])
    expect((await settings.model({ provider, model: 'a' })).ref).toEqual({ provider, model: 'a' });
  const foreign = { provider: 'openai-compatible@http://localhost:3/v1', model: 'a' };
  await expect(settings.model(foreign)).rejects.toMatchObject({ fault: { code: 'unknown-provider' } });
  await settings.remove({ provider: AT_1, model: 'a' });
  await expect(settings.model({ provider: AT_1, model: 'a' })).rejects.toMatchObject({
    fault: { code: 'unknown-provider' },
  });
});

test('a key is that of its address: one provider at two addresses has two', async () => {
  const settings = await settingsOver();
  await settings.choose(claude, { value: 'sk-of-anthropic', remember: false });
  await settings.choose({ ...claude, baseURL: 'https://proxy.example/v1' });
  expect(settings.isSetUp('anthropic')).toBe(false);
  expect(settings.saved()).toEqual([
    claude,
    { provider: 'anthropic@https://api.anthropic.com/v1', model: 'm' },
  ]);
  expect(settings.isSetUp('anthropic@https://api.anthropic.com/v1')).toBe(true);
});
