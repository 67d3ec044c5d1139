import { expect, test } from 'vitest';
import type { SettingsStore } from '../base/settings-store.ts';
import { memoryStorage } from '../storage/memory/storage.ts';
import { HostSettings } from './host-settings.ts';

const own = new URL('https://vitrine.example/');

test('no host is allowed at first; hosts can be added and removed', async () => {
  const { settings } = memoryStorage();
  const hosts = new HostSettings(settings, own);
  expect(await hosts.hosts()).toEqual([]);
  expect(await hosts.setHosts(' API.example.com\n\n*.example.org:8443')).toEqual([
    'api.example.com',
    '*.example.org:8443',
  ]);
  const elsewhere = new HostSettings(settings, own);
  expect(await elsewhere.hosts()).toEqual(['api.example.com', '*.example.org:8443']);
  await elsewhere.setHosts('');
  expect(await hosts.hosts()).toEqual([]);
});

test('an invalid line changes nothing, and an invalid stored value counts as empty', async () => {
  const { settings } = memoryStorage();
  const hosts = new HostSettings(settings, own);
  await hosts.setHosts('example.com');
  await expect(hosts.setHosts('example.net\nhttps://example.org/')).rejects.toThrow('Line 2');
  await expect(hosts.setHosts('vitrine.example')).rejects.toThrow('Vitrine itself');
  expect(await hosts.hosts()).toEqual(['example.com']);
  await settings.set('hosts', { all: true });
  expect(await hosts.hosts()).toEqual([]);
});

test('the person is asked for the registry of npm, once for all requests, and for no other host', async () => {
  const hosts = new HostSettings(memoryStorage().settings, own);
  const shown: (string | undefined)[] = [];
  hosts.onChange(() => shown.push(hosts.wanted?.hosts.join()));
  for (const other of [
    'https://example.com/',
    'http://registry.npmjs.org/',
    'https://registry.npmjs.org:8443/',
  ])
    expect(await hosts.ask(new URL(other))).toBe(false);
  expect(shown).toEqual([]);
  const both = ['express', 'ms'].map((name) => hosts.ask(new URL(`https://registry.npmjs.org/${name}`)));
  expect(shown).toEqual(['registry.npmjs.org']);
  await hosts.answer(true);
  expect(await Promise.all(both)).toEqual([true, true]);
  expect(await hosts.hosts()).toEqual(['registry.npmjs.org']);
  expect(hosts.wanted).toBe(null);
});

test('a question goes when nothing waits for its answer any more, and that is no refusal', async () => {
  const hosts = new HostSettings(memoryStorage().settings, own);
  const registry = new URL('https://registry.npmjs.org/ms');
  const [first, second] = [new AbortController(), new AbortController()];
  const asked = [hosts.ask(registry, first.signal), hosts.ask(registry, second.signal)];
  first.abort();
  expect(hosts.wanted?.hosts).toEqual(['registry.npmjs.org']);
  second.abort();
  expect(hosts.wanted).toBe(null);
  expect(await Promise.all(asked)).toEqual([false, false]);
  const again = hosts.ask(registry, new AbortController().signal);
  await hosts.answer(true);
  expect(await again).toBe(true);
  const token = new AbortController();
  const use = { workspaceID: 'w', repository: 'ada/tool', access: 'read' } as const;
  const refused = hosts.askToken(use, token.signal);
  token.abort();
  expect(await refused).toBe(false);
  expect(hosts.wanted).toBe(null);
});

test('a refusal holds, until the person adds the host to the settings', async () => {
  const hosts = new HostSettings(memoryStorage().settings, own);
  const registry = new URL('https://registry.npmjs.org/ms');
  const asked = hosts.ask(registry);
  await hosts.answer(false);
  expect(await asked).toBe(false);
  expect(await hosts.ask(registry)).toBe(false);
  expect(hosts.wanted).toBe(null);
  expect(await hosts.hosts()).toEqual([]);
});

test('what needs two hosts is one question; questions wait for each other', async () => {
  const hosts = new HostSettings(memoryStorage().settings, own);
  const use = { workspaceID: 'w', repository: 'ada/tool', access: 'write' } as const;
  const api = hosts.ask(new URL('https://api.github.com/repos/ada/tool'));
  const raw = hosts.ask(new URL('https://raw.githubusercontent.com/ada/tool/x'));
  const token = hosts.askToken(use);
  expect(hosts.wanted).toEqual({ hosts: ['api.github.com', 'raw.githubusercontent.com'] });
  await hosts.answer(true);
  expect(await Promise.all([api, raw])).toEqual([true, true]);
  expect(hosts.wanted).toEqual({ hosts: [], token: use });
  await hosts.answer(false);
  expect(await token).toBe(false);
  expect(await hosts.askToken(use)).toBe(false);
  expect(await hosts.hosts()).toEqual(['api.github.com', 'raw.githubusercontent.com']);
});

test('requests in quick succession share what was read; what another tab changed counts soon after', async () => {
  let now = 0;
  let reads = 0;
  let stored = ['example.com'];
  const settings: SettingsStore = {
    get: () => Promise.resolve((reads++, stored)),
    set: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    onChange: () => () => {},
  };
  const hosts = new HostSettings(settings, own, () => now);
  expect(await Promise.all([hosts.hosts(), hosts.hosts()])).toEqual([['example.com'], ['example.com']]);
  stored = [];
  now += 100;
  expect(await hosts.hosts()).toEqual(['example.com']);
  expect(reads).toBe(1);
  now += 1;
  expect(await hosts.hosts()).toEqual([]);
});
