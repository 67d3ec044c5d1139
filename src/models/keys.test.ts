import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeyStore, memoryKeys, webStorageKeys, type KeyPort } from './keys.ts';
import { baseURLOf, keyScope, parseProviderSettings } from './settings.ts';

const broken: KeyPort = {
  load: async () => Promise.reject(new Error('blocked')),
  save: async () => Promise.reject(new Error('blocked')),
  remove: async () => Promise.reject(new Error('blocked')),
};

describe('keys', () => {
  test('are stored in the tab by default; remembering moves them to the device, and back', async () => {
    const [tab, device] = [memoryKeys(), memoryKeys()];
    const keys = await KeyStore.open(tab, device);
    await keys.set('openai', ' sk-one-two ', { remember: false });
    expect([await tab.load(), await device.load()]).toEqual([{ openai: 'sk-one-two' }, {}]);
    await keys.set('openai', 'sk-one-two', { remember: true });
    expect([await tab.load(), await device.load()]).toEqual([{}, { openai: 'sk-one-two' }]);
    await keys.set('openai', 'sk-one-two', { remember: false });
    expect([await tab.load(), await device.load()]).toEqual([{ openai: 'sk-one-two' }, {}]);
  });

  test('a new tab has only what was remembered', async () => {
    const device = memoryKeys();
    const keys = await KeyStore.open(memoryKeys(), device);
    await keys.set('openai', 'sk-of-this-tab', { remember: false });
    await keys.set('google', 'sk-of-this-device', { remember: true });
    const other = await KeyStore.open(memoryKeys(), device);
    expect([other.get('openai'), other.get('google')]).toEqual([undefined, 'sk-of-this-device']);
    expect([other.isRemembered('openai'), other.isRemembered('google')]).toEqual([false, true]);
  });

  test('forgetting a key, or setting an empty one, removes it everywhere and notifies listeners', async () => {
    const [tab, device] = [memoryKeys(), memoryKeys()];
    const keys = await KeyStore.open(tab, device);
    let changes = 0;
    const unlisten = keys.onChange(() => changes++);
    await keys.set('a', 'sk-one-two', { remember: true });
    await keys.forget('a');
    await keys.set('a', 'sk-one-two', { remember: false });
    await keys.set('a', ' ', { remember: false });
    expect([keys.get('a'), await tab.load(), await device.load()]).toEqual([undefined, {}, {}]);
    expect(changes).toBe(4);
    unlisten();
  });

  test('where nothing can be stored, setting a key rejects, and the key works until the page is closed', async () => {
    const keys = await KeyStore.open(broken, broken);
    await expect(keys.set('openai', 'sk-one-two', { remember: false })).rejects.toThrow('blocked');
    expect(keys.get('openai')).toBe('sk-one-two');
    await expect(keys.forget('openai')).rejects.toThrow('blocked');
    expect(keys.get('openai')).toBeUndefined();
  });

  test('a key that is no longer remembered leaves the device, even if the tab cannot store it', async () => {
    const device = memoryKeys();
    await device.save('openai', 'sk-one-two');
    const keys = await KeyStore.open(broken, device);
    await expect(keys.set('openai', 'sk-one-two', { remember: false })).rejects.toThrow('blocked');
    expect(await device.load()).toEqual({});
  });

  test('web storage that throws counts as empty', async () => {
    const forbidden = webStorageKeys(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect((await KeyStore.open(forbidden, forbidden)).get('openai')).toBeUndefined();
  });

  test('are redacted from texts in every form, even once forgotten', async () => {
    const key = 'sk-"quoted"/+key';
    const keys = await KeyStore.open(memoryKeys(), memoryKeys());
    await keys.set('openai', key, { remember: false });
    await keys.forget('openai');
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        for (const text of [
          before + key + after,
          JSON.stringify({ before, key, after }),
          encodeURIComponent(key) + after,
        ])
          expect(keys.redact(text)).not.toMatch(/sk-("|\\"|%22)quoted/);
      }),
    );
  });

  test('that contain one another are redacted completely', async () => {
    const keys = await KeyStore.open(memoryKeys(), memoryKeys());
    await keys.set('a', 'sk-12345678', { remember: false });
    await keys.set('b', 'sk-12345678-and-more', { remember: false });
    expect(keys.redact('sk-12345678-and-more')).toBe('[redacted key]');
  });

  test('that are too short are not redacted', async () => {
    const keys = await KeyStore.open(memoryKeys(), memoryKeys());
    await keys.set('openai-compatible', 'ollama', { remember: false });
    expect(keys.redact('ollama serve')).toBe('ollama serve');
  });
});

describe('settings', () => {
  test('name what is wrong', () => {
    const problem = (value: unknown) => {
      try {
        return parseProviderSettings(value);
      } catch (error) {
        return error;
      }
    };
    expect(problem({ provider: 'openai', model: ' m ' })).toEqual({ provider: 'openai', model: 'm' });
    expect(problem({ provider: 'nobody', model: 'm' })).toMatchObject({ fault: { where: 'provider' } });
    expect(problem({ provider: 'openai', model: '' })).toMatchObject({ fault: { where: 'model' } });
    for (const baseURL of ['localhost:11434', 'ftp://x', 'javascript:alert(1)', ''])
      expect(problem({ provider: 'openai', model: 'm', baseURL })).toMatchObject({
        fault: { where: 'baseURL' },
      });
    expect(problem({ provider: 'openai-compatible', model: 'm' })).toMatchObject({
      fault: { where: 'baseURL' },
    });
  });

  test('a key belongs to one server', () => {
    expect(keyScope('openai', undefined)).toBe('openai');
    expect(keyScope('openai', 'https://api.openai.com/v1/')).toBe('openai');
    expect(keyScope('openai', 'https://proxy.example/v1')).toBe('openai@https://proxy.example');
    expect(keyScope('openai-compatible', 'http://localhost:11434/v1')).not.toBe(
      keyScope('openai-compatible', 'http://localhost:1234/v1'),
    );
    expect(baseURLOf('openai-compatible', ' http://localhost:1234/v1/ ')).toBe('http://localhost:1234/v1');
  });
});
