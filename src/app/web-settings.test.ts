import { expect, test } from 'vitest';
import { memoryStorage } from '../storage/memory/storage.ts';
import { WebSettings } from './web-settings.ts';

test('a proxy is kept, and taken away', async () => {
  const { settings } = memoryStorage();
  const web = new WebSettings(settings);
  expect(web.proxy()).toBeUndefined();
  await web.setProxy(' https://p.example/?to={url} ');
  const again = new WebSettings(settings);
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
])('%s is no proxy', async (text) => {
  const web = new WebSettings(memoryStorage().settings);
  await expect(web.setProxy(text)).rejects.toThrow('not the address of a proxy');
  expect(web.proxy()).toBeUndefined();
});
