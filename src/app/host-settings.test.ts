import { expect, test } from 'vitest';
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
