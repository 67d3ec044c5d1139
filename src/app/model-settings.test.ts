import { expect, test } from 'vitest';
import { timeoutTimer } from '../base/timer.ts';
import { KeyStore, memoryKeys } from '../models/keys.ts';
import { MemorySettingsStore } from '../storage/memory/settings-store.ts';
import { ModelSettings } from './model-settings.ts';

test('a provider is set up once it has its key, or its address where it needs none', async () => {
  const settings = new ModelSettings({
    settings: new MemorySettingsStore(),
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
