import type { IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import { DB_VERSION, type VitrineSchema } from './schema.ts';

export type UpgradeTransaction = IDBPTransaction<VitrineSchema, StoreNames<VitrineSchema>[], 'versionchange'>;
type Migration = (
  database: IDBPDatabase<VitrineSchema>,
  transaction: UpgradeTransaction,
) => void | Promise<void>;

/**
 * One migration per version; the first creates version 1. A released migration never changes, since the fixtures
 * contain what it created.
 */
const MIGRATIONS: readonly Migration[] = [
  (database) => {
    database.createObjectStore('sessions', { keyPath: 'id' }).createIndex('workspace', 'state.workspaceID');
    database.createObjectStore('events', { keyPath: ['sessionID', 'firstSeq'] });
    database.createObjectStore('messages', { keyPath: ['sessionID', 'seq'] });
    database.createObjectStore('blobs', { keyPath: 'hash' });
    database.createObjectStore('owners', { keyPath: ['hash', 'owner'] }).createIndex('owner', 'owner');
    database
      .createObjectStore('outputs', { keyPath: ['sessionID', 'messageID', 'callID'] })
      .createIndex('time', 'time');
    database.createObjectStore('rules', { keyPath: 'id' }).createIndex('workspace', 'workspaceID');
    database.createObjectStore('workspaces', { keyPath: 'id' });
    database.createObjectStore('files', { autoIncrement: true }).createIndex('workspace', 'workspaceID');
    database.createObjectStore('settings');
    database
      .createObjectStore('search', { keyPath: ['sessionID', 'seq'] })
      .createIndex('words', 'words', { multiEntry: true });
  },
  // A session's state has new fields. Its record is rebuilt from its events when it is next opened.
  async (_database, transaction) => {
    const sessions = transaction.objectStore('sessions');
    for (const row of await sessions.getAll()) void sessions.put({ ...row, foldedTo: 0 });
  },
  // Files may be stored apart from their tree. Nothing changes here, but an older page would take them for empty.
  () => {},
];

/** Upgrades a database from `oldVersion` (0 if there was none) to {@link DB_VERSION}. */
export function migrate(
  database: IDBPDatabase<VitrineSchema>,
  oldVersion: number,
  transaction: UpgradeTransaction,
): void {
  // An error fails the transaction, and with it the opening.
  for (const migration of MIGRATIONS.slice(oldVersion, DB_VERSION))
    migration(database, transaction)?.catch(() => {});
}
