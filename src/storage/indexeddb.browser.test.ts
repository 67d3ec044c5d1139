import { deleteDB } from 'idb';
import { afterEach, expect, test } from 'vitest';
import { blobStoreContract } from './blob-store-contract.ts';
import { fileJournalContract } from './journal-contract.ts';
import { openStorage } from './open.ts';
import { ruleStoreContract } from './rule-store-contract.ts';
import { sessionStoreContract } from './session-store-contract.ts';
import { settingsStoreContract } from './settings-store-contract.ts';
import { storageContract } from './storage-contract.ts';
import type { Storage } from './storage.ts';

const opened: { name: string; storage: Storage }[] = [];

async function open(): Promise<Storage> {
  const name = `contract-${crypto.randomUUID()}`;
  const storage = await openStorage({
    name,
    marks: undefined,
    onProblem(fault) {
      throw new Error(`No problem was expected: ${JSON.stringify(fault)}`);
    },
  });
  opened.push({ name, storage });
  return storage;
}

afterEach(async () => {
  for (const { name, storage } of opened.splice(0)) {
    storage.close();
    await deleteDB(name);
  }
});

sessionStoreContract('IndexedDB', async () => (await open()).sessions);
blobStoreContract('IndexedDB', async () => (await open()).blobs);
ruleStoreContract('IndexedDB', async () => (await open()).rules);
settingsStoreContract('IndexedDB', async () => (await open()).settings);
storageContract('IndexedDB', open);
fileJournalContract('IndexedDB', async () => {
  const storage = await open();
  return () => storage.journal('wsp_1');
});

test('rules are saved all together or not at all', async () => {
  const { rules } = await open();
  const rule = { permission: 'bash', pattern: 'ls', action: 'allow', workspaceID: 'wsp_1' } as const;
  const broken = { ...rule, workspaceID: '*', more: () => {} };
  await expect(rules.saveAll([rule, broken], 1)).rejects.toThrow();
  expect(await rules.list('wsp_1')).toEqual([]);
});
