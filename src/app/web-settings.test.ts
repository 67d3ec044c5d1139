import { expect, test } from 'vitest';
import { memoryStorage } from '../storage/memory/storage.ts';
import { KeyStore, memoryKeys } from '../models/keys.ts';
import { WebSettings } from './web-settings.ts';

const noKeys = () => KeyStore.open(memoryKeys(), memoryKeys());

test('a proxy is stored and can be removed', async () => {
  const { settings } = memoryStorage();
  const web = new WebSettings(settings, await noKeys());
  expect(web.proxy()).toBeUndefined();
  await web.setProxy(' https://p.example/?to={url} ');
  const again = new WebSettings(settings, await noKeys());
  await again.load();
  expect(again.proxy()).toBe('https://p.example/?to={url}');
  await again.setProxy('');
  await web.load();
  expect(web.proxy()).toBeUndefined();
});

test.each([
  'https://p.example/',
  'p.example/{url}',
  'http://p.example/{url}',
  'https://{url}/',
  '{url}',
  'javascript:{url}',
])('%s is not a proxy', async (text) => {
  const web = new WebSettings(memoryStorage().settings, await noKeys());
  await expect(web.setProxy(text)).rejects.toThrow('not a proxy address');
  expect(web.proxy()).toBeUndefined();
});

test('a search key stays in this tab unless it is remembered, and is masked in texts', async () => {
  const [tab, device] = [memoryKeys(), memoryKeys()];
  const { settings } = memoryStorage();
  const keys = await KeyStore.open(tab, device);
  const web = new WebSettings(settings, keys);
  let heard = 0;
  web.onChange(() => heard++);
  expect([web.key('exa'), web.searchKey('exa')]).toEqual([undefined, 'none']);
  await web.setSearchKey('exa', { value: 'exa-secret-1', remember: false });
  expect([web.key('exa'), web.searchKey('exa')]).toEqual(['exa-secret-1', 'tab']);
  expect(await device.load()).toEqual({});
  await web.setSearchKey('exa', { remember: true });
  expect([web.searchKey('exa'), await tab.load()]).toEqual(['device', {}]);
  expect(heard).toBe(2);
  expect(keys.redact('key exa-secret-1')).not.toContain('secret');
  expect(await settings.get('web')).toBeUndefined();
  await web.forgetSearchKey('exa');
  expect([web.key('exa'), await device.load()]).toEqual([undefined, {}]);
  expect(web.searchKey('github')).toBe('none');
});
