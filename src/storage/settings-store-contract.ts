import { describe, expect, test } from 'vitest';
import type { SettingsStore } from '../base/settings-store.ts';

/** Tests that every {@link SettingsStore} must pass. `make` returns a new, empty one each time. */
export function settingsStoreContract(name: string, make: () => Promise<SettingsStore>): void {
  describe(`${name}: settings`, () => {
    test('a setting has the last value until it is removed', async () => {
      const store = await make();
      expect(await store.get('theme')).toBeUndefined();
      await store.set('theme', 'dark');
      await store.set('models', { list: [1, null, 'x'] });
      await store.set('theme', null);
      expect(await store.get('theme')).toBeNull();
      expect(await store.get('models')).toEqual({ list: [1, null, 'x'] });
      await store.remove('theme');
      expect(await store.get('theme')).toBeUndefined();
    });

    test('listeners are called after a change is stored', async () => {
      const store = await make();
      const heard: string[] = [];
      const unlisten = store.onChange((changed) => heard.push(changed));
      await store.set('a', 1);
      await store.remove('b');
      unlisten();
      await store.set('c', 1);
      expect(heard).toEqual(['a', 'b']);
    });
  });
}
