import { unwrap, type StoreValue } from 'idb';
import type { MessageRecord, StoredOutput } from '../session/log/store.ts';
import { passingOwner } from '../session/log/store.ts';
import { releaseOwner, type BlobTables } from './blob-store.ts';
import type { Transaction } from './database.ts';
import type { Rows } from './rows.ts';
import type { EventBatch, SearchRow, SessionRow, VitrineSchema } from './schema.ts';

/** The stores with a session's data. */
export const SESSION_STORES = [
  'sessions',
  'events',
  'messages',
  'blobs',
  'owners',
  'outputs',
  'search',
] as const;

/** The tables of those stores, within any transaction that includes them. */
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
  /** Writes a row without waiting: a commit has many rows, and a failed one fails the transaction. */
  send<Name extends SessionStores[number]>(name: Name, row: StoreValue<VitrineSchema, Name>): void;
}

type SessionStores = [...typeof SESSION_STORES];

export function sessionTables(tx: Transaction<SessionStores, 'readwrite'>): SessionTables {
  const raw = unwrap(tx);
  // Wrapped on demand: a commit reads from only one of them.
  return {
    send: (name, row) => void raw.objectStore(name).put(row),
    get sessions() {
      return tx.objectStore('sessions');
    },
    get events() {
      return tx.objectStore('events');
    },
    get messages() {
      return tx.objectStore('messages');
    },
    get blobs() {
      return tx.objectStore('blobs');
    },
    get owners() {
      return tx.objectStore('owners');
    },
    get outputs() {
      return tx.objectStore('outputs');
    },
    get search() {
      return tx.objectStore('search');
    },
  };
}

/** Removes everything of one session for good. */
export async function removeSession(tables: SessionTables, id: string): Promise<void> {
  const all = IDBKeyRange.bound([id], [id, []]);
  await Promise.all([
    tables.sessions.delete(id),
    tables.events.delete(all),
    tables.messages.delete(all),
    tables.outputs.delete(all),
    tables.search.delete(all),
    releaseOwner(tables, id),
    releaseOwner(tables, passingOwner(id)),
  ]);
}
