import { MemoryJournal } from '../../workspace/memory-journal.ts';
import { blobStoreContract } from '../blob-store-contract.ts';
import { fileJournalContract } from '../journal-contract.ts';
import { ruleStoreContract } from '../rule-store-contract.ts';
import { sessionStoreContract } from '../session-store-contract.ts';
import { settingsStoreContract } from '../settings-store-contract.ts';
import { storageContract } from '../storage-contract.ts';
import { MemoryBlobStore } from './blob-store.ts';
import { MemoryFileJournal } from './journal.ts';
import { MemoryRuleStore } from './rule-store.ts';
import { MemorySessionStore } from './session-store.ts';
import { MemorySettingsStore } from './settings-store.ts';
import { memoryStorage } from './storage.ts';

sessionStoreContract('memory', async () => new MemorySessionStore());
blobStoreContract('memory', async () => new MemoryBlobStore());
ruleStoreContract('memory', async () => new MemoryRuleStore());
settingsStoreContract('memory', async () => new MemorySettingsStore());
storageContract('memory', async () => memoryStorage());
fileJournalContract('memory', async () => {
  const journal = new MemoryFileJournal();
  return () => journal;
});
fileJournalContract('memory, of the workspace', async () => {
  const journal = new MemoryJournal();
  return () => journal;
});
