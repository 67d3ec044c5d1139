import { expect, test } from 'vitest';
import { IdbFolderStore } from './folder-store.ts';

test('the folder and its files are stored, until the workspace is gone', async () => {
  const handle = await navigator.storage.getDirectory();
  const base = new Map([['a.txt', { hash: 'h', size: 1, modified: 2 }]]);
  const store = new IdbFolderStore('vitrine-folders-test');
  await store.put('wsp_a', { handle, base });
  await store.put('wsp_b', { handle, base });
  const again = new IdbFolderStore('vitrine-folders-test');
  const record = await again.get('wsp_a');
  expect(await record?.handle.isSameEntry(handle)).toBe(true);
  expect(record?.base).toEqual(base);
  await again.keepOnly(async (id) => id === 'wsp_a');
  expect(await again.get('wsp_b')).toBeUndefined();
  await again.remove('wsp_a');
  expect(await store.get('wsp_a')).toBeUndefined();
  store.close();
  again.close();
});
