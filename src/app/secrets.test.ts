import { expect, test } from 'vitest';
import { KeyStore, memoryKeys } from '../models/keys.ts';
import type { Ask } from '../permissions/types.ts';
import { MemorySettingsStore } from '../storage/memory/settings-store.ts';
import { SecretsOfApp } from './secrets.ts';

async function opened() {
  const settings = new MemorySettingsStore();
  const [tab, device] = [memoryKeys(), memoryKeys()];
  const keys = await KeyStore.open(tab, device);
  const secrets = new SecretsOfApp(settings, keys);
  await secrets.load();
  return { settings, tab, device, keys, secrets };
}

test('a value is stored like a key, in the tab or on the device, and masked in texts', async () => {
  const { secrets, settings, keys, tab, device } = await opened();
  await secrets.set('TOKEN', { value: 'very-secret-value', remember: false });
  expect(secrets.names()).toEqual(['TOKEN']);
  expect(secrets.kept('TOKEN')).toBe('tab');
  expect(keys.redact('is very-secret-value')).not.toContain('very-secret-value');
  expect(JSON.stringify(await settings.get('config.secrets'))).not.toContain('very-secret-value');
  // Another page load, in another tab.
  const again = new SecretsOfApp(settings, await KeyStore.open(memoryKeys(), device));
  await again.load();
  expect([again.names(), again.kept('TOKEN')]).toEqual([['TOKEN'], 'none']);
  await secrets.set('TOKEN', { remember: true });
  expect(secrets.kept('TOKEN')).toBe('device');
  await secrets.forget('TOKEN');
  expect([secrets.names(), await tab.load(), await device.load()]).toEqual([[], {}, {}]);
});

test('an invalid name is refused', async () => {
  const { secrets } = await opened();
  await expect(secrets.set('1 X', { value: 'v', remember: false })).rejects.toThrow('name of a secret');
});

test('in a conversation, each host needs permission', async () => {
  const { secrets } = await opened();
  await secrets.set('A', { value: 'value-of-a', remember: false });
  const asks: Ask[] = [];
  const filled = await secrets.fill('Bearer ${A}', 'api.example.com', async (ask) => void asks.push(ask));
  expect(filled).toBe('Bearer value-of-a');
  expect(asks).toMatchObject([{ permission: 'secret', patterns: ['A api.example.com'] }]);
  expect(JSON.stringify(asks)).not.toContain('value-of-a');
});

test('outside a conversation the request waits for the person, and the answer is stored for that host', async () => {
  const { secrets, settings, keys } = await opened();
  await secrets.set('A', { value: 'value-of-a', remember: false });
  await expect(secrets.fillUnasked('{env:A}', 'one.example')).rejects.toThrow(
    'may not have the secret A yet',
  );
  expect(secrets.asked()).toEqual([{ name: 'A', host: 'one.example' }]);
  await secrets.allow('A', 'one.example');
  expect(secrets.asked()).toEqual([]);
  expect(await secrets.fillUnasked('{env:A}', 'one.example')).toBe('value-of-a');
  await expect(secrets.fillUnasked('{env:A}', 'two.example')).rejects.toThrow('two.example');
  secrets.dismiss('A', 'two.example');
  expect(secrets.asked()).toEqual([]);
  const again = new SecretsOfApp(settings, keys);
  await again.load();
  expect(await again.fillUnasked('{env:A}', 'one.example')).toBe('value-of-a');
});
