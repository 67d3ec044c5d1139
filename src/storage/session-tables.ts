import type { MessageRecord, StoredOutput } from '../session/store.ts';
import { releaseOwner, type BlobTables } from './blob-store.ts';
import type { Transaction } from './database.ts';
import type { Rows } from './rows.ts';
import type { EventBatch, SearchRow, SessionRow } from './schema.ts';

/** The stores that hold what belongs to a session. */
export const SESSION_STORES = [
  'sessions',
  'events',
  'messages',
  'blobs',
  'owners',
  'outputs',
  'search',
] as const;

/** Those stores, within any transaction that holds them. */
export interface SessionTables extends BlobTables {
  readonly sessions: Rows<string, SessionRow>;
  readonly events: Rows<[string, number], EventBatch> & {
    openKeyCursor(
      range: IDBKeyRange,
      direction: 'prev',
    ): Promise<{ readonly primaryKey: [string, number] } | null>;
  };
  readonly messages: Rows<[string, number], MessageRecord>;
  readonly outputs: Rows<[string, string, string], StoredOutput>;
  readonly search: Rows<[string, number], SearchRow>;
}

type SessionStores = [...typeof SESSION_STORES];

export function sessionTables(tx: Transaction<SessionStores, 'readwrite'>): SessionTables {
  return {
    sessions: tx.objectStore('sessions'),
    events: tx.objectStore('events'),
    messages: tx.objectStore('messages'),
    blobs: tx.objectStore('blobs'),
    owners: tx.objectStore('owners'),
    outputs: tx.objectStore('outputs'),
    search: tx.objectStore('search'),
  };
}

/** Everything of one session, for good. */
export async function removeSession(tables: SessionTables, id: string): Promise<void> {
  const all = IDBKeyRange.bound([id], [id, []]);
  await Promise.all([
    tables.sessions.delete(id),
    tables.events.delete(all),
    tables.messages.delete(all),
    tables.outputs.delete(all),
    tables.search.delete(all),
    releaseOwner(tables, id),
  ]);
}
