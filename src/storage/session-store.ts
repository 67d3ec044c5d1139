import { FaultError, type Fault } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import type { Event } from '../session/log/events.ts';
import type {
  Commit,
  Durability,
  MessageRecord,
  SearchHit,
  SessionMarks,
  SessionRecord,
  SessionStore,
  StoredOutput,
} from '../session/log/store.ts';
import { IdbBlobStore } from './blob-store.ts';
import { writeCommit, writeNext } from './commit.ts';
import type { Database } from './database.ts';
import {
  checked,
  checkedEvents,
  messageRecordSchema,
  sessionRowSchema,
  storedOutputSchema,
} from './records.ts';
import { blobsNamedBy } from '../session/log/references.ts';
import { withMarks } from './marks.ts';
import type { EventBatch, SessionRow } from './schema.ts';
import { SESSION_STORES, removeSession, sessionTables, type SessionTables } from './session-tables.ts';
import { excerptOf, rank, searchableText, wordsOf } from './tokenize.ts';

/** Sessions in IndexedDB. Reading a damaged record is a fault; lists leave it out and report it. */
export class IdbSessionStore implements SessionStore {
  readonly blobs: IdbBlobStore;
  readonly #database: Database;
  readonly #onProblem: (fault: Fault) => void;
  /**
   * The blobs that each session referred to last, so that blobs of every request are not written again with every
   * step.
   */
  readonly #owned = new Map<string, ReadonlySet<Hash>>();
  /** The marks of each session as this tab saw them last; absent if it saw none. */
  readonly #marks = new Map<string, SessionMarks | undefined>();

  constructor(database: Database, onProblem: (fault: Fault) => void) {
    this.#database = database;
    this.#onProblem = onProblem;
    this.blobs = new IdbBlobStore(database);
  }

  async sessions(): Promise<readonly SessionRecord[]> {
    const rows = await this.#database.run(['sessions'], 'readonly', (tx) =>
      tx.objectStore('sessions').getAll(),
    );
    return rows
      .filter((row) => row.deleted === null)
      .flatMap((row) => this.#readable(() => recordOf(row)))
      .sort((a, b) => b.state.updated - a.state.updated);
  }

  async session(id: string): Promise<SessionRecord | undefined> {
    const row = await this.#database.run(['sessions'], 'readonly', (tx) =>
      tx.objectStore('sessions').get(id),
    );
    return row && recordOf(row);
  }

  async messages(
    sessionID: string,
    page: { readonly before?: number; readonly limit: number },
  ): Promise<readonly MessageRecord[]> {
    const found: MessageRecord[] = [];
    if (page.limit <= 0) return found;
    const range = IDBKeyRange.bound([sessionID], [sessionID, page.before ?? []], false, true);
    await this.#database.run(['messages'], 'readonly', async (tx) => {
      let cursor = await tx.objectStore('messages').openCursor(range, 'prev');
      while (cursor) {
        found.push(cursor.value);
        cursor = found.length < page.limit ? await cursor.continue() : null;
      }
    });
    return found.reverse().map(messageOf);
  }

  async events(sessionID: string, from: number): Promise<readonly Event[]> {
    const batches = await this.#database.run(['events'], 'readonly', async (tx) => {
      const store = tx.objectStore('events');
      const upTo = IDBKeyRange.bound([sessionID], [sessionID, from]);
      const first = (await store.openKeyCursor(upTo, 'prev'))?.primaryKey ?? [sessionID];
      return store.getAll(IDBKeyRange.bound(first, [sessionID, []]));
    });
    const events = batches.flatMap((batch) => checkedEvents(batch));
    return events.filter((event) => event.seq >= from);
  }

  async eventsBefore(sessionID: string, before: number, limit: number): Promise<readonly Event[]> {
    const batches: EventBatch[] = [];
    let count = 0;
    const range = IDBKeyRange.bound([sessionID], [sessionID, before], false, true);
    await this.#database.run(['events'], 'readonly', async (tx) => {
      let cursor = await tx.objectStore('events').openCursor(range, 'prev');
      while (cursor && count < limit) {
        batches.push(cursor.value);
        count += cursor.value.events.filter(({ seq }) => seq < before).length;
        cursor = await cursor.continue();
      }
    });
    const events = batches.reverse().flatMap((batch) => checkedEvents(batch));
    return events.filter(({ seq }) => seq < before);
  }

  async commit(commit: Commit, durability: Durability): Promise<void> {
    // Copied at once: the caller's arrays and state change while the transaction waits for its turn.
    const { session } = commit;
    const taken = {
      ...commit,
      events: [...commit.events],
      messages: [...commit.messages],
      session: withMarks({ ...session, state: { ...session.state } }, this.#marks.get(session.id)),
    };
    const run = (work: (tables: SessionTables) => Promise<void>) =>
      this.#database.run([...SESSION_STORES], 'readwrite', (tx) => work(sessionTables(tx)), durability);
    try {
      await run((tables) => writeNext(tables, taken, this.#owned.get(session.id)));
    } catch (error) {
      if (!(error instanceof FaultError && error.fault.code === 'log-conflict')) throw error;
      await run(async (tables) => {
        this.#marks.set(session.id, await writeCommit(tables, taken));
      });
    }
    const named = taken.events.flatMap(blobsNamedBy);
    if (named.length > 0) this.#owned.set(session.id, new Set(named));
    if (taken.events.some(({ type }) => type === 'output.dropped')) this.#owned.delete(session.id);
  }

  async mark(sessionID: string, marks: Partial<SessionMarks>): Promise<void> {
    await this.#database.run(['sessions'], 'readwrite', async (tx) => {
      const row = await tx.objectStore('sessions').get(sessionID);
      if (!row) return;
      const changed = { ...row.marks, ...marks };
      await tx.objectStore('sessions').put({ ...row, marks: changed });
      this.#marks.set(sessionID, changed);
    });
  }

  async markDeleted(sessionID: string, time: number | null): Promise<void> {
    await this.#database.run(['sessions'], 'readwrite', async (tx) => {
      const row = await tx.objectStore('sessions').get(sessionID);
      if (row) await tx.objectStore('sessions').put({ ...row, deleted: time });
    });
  }

  async purge(deletedBefore: number): Promise<void> {
    this.#owned.clear();
    await this.#database.run([...SESSION_STORES], 'readwrite', async (tx) => {
      const rows = await tx.objectStore('sessions').getAll();
      const past = rows.filter(({ deleted }) => deleted !== null && deleted < deletedBefore);
      await Promise.all(past.map(({ id }) => removeSession(sessionTables(tx), id)));
    });
  }

  /** Removes all sessions of a workspace for good. */
  async purgeWorkspace(workspaceID: string): Promise<void> {
    this.#owned.clear();
    await this.#database.run([...SESSION_STORES], 'readwrite', async (tx) => {
      const ids = await tx.objectStore('sessions').index('workspace').getAllKeys(workspaceID);
      await Promise.all(ids.map((id) => removeSession(sessionTables(tx), id)));
    });
  }

  async expiredOutputs(endedBefore: number): Promise<readonly StoredOutput[]> {
    const { outputs, kept } = await this.#database.run(['outputs', 'sessions'], 'readonly', async (tx) => {
      const range = IDBKeyRange.upperBound(endedBefore, true);
      const outputs = await tx.objectStore('outputs').index('time').getAll(range);
      const ids = [...new Set(outputs.map(({ sessionID }) => sessionID))];
      const rows = await Promise.all(ids.map((id) => tx.objectStore('sessions').get(id)));
      return { outputs, kept: new Set(ids.filter((_, index) => rows[index]?.state.keep !== false)) };
    });
    return outputs
      .filter(({ sessionID }) => !kept.has(sessionID))
      .flatMap((output) =>
        this.#readable(() => checked(storedOutputSchema, output, 'outputs', output.sessionID)),
      );
  }

  async search(query: string, limit: number): Promise<readonly SearchHit[]> {
    const words = wordsOf(query);
    if (words.length === 0 || limit <= 0) return [];
    const { rows, ranked } = await this.#database.run(['search', 'sessions'], 'readonly', async (tx) => {
      const index = tx.objectStore('search').index('words');
      const locations = await Promise.all(
        words.map((word) => index.getAllKeys(IDBKeyRange.bound(word, `${word}\uffff`))),
      );
      const ranked = rank(locations);
      const rows = await Promise.all(
        ranked.map(({ sessionID }) => tx.objectStore('sessions').get(sessionID)),
      );
      return { rows, ranked };
    });
    const hits = ranked
      .flatMap((hit, index) => {
        const row = rows[index];
        return row && row.deleted === null
          ? this.#readable(() => ({ ...hit, state: recordOf(row).state }))
          : [];
      })
      .sort((a, b) => b.score - a.score || b.state.updated - a.state.updated)
      .slice(0, limit);
    const texts = await this.#database.run(['messages'], 'readonly', (tx) =>
      Promise.all(
        hits.map(async ({ sessionID, seq }) =>
          seq === undefined ? undefined : await tx.objectStore('messages').get([sessionID, seq]),
        ),
      ),
    );
    return hits.map(({ sessionID, state }, index) => {
      const message = texts[index];
      const [text = state.title] = message ? this.#readable(() => searchableText(messageOf(message))) : [];
      return { sessionID, title: state.title, excerpt: excerptOf(text, words) };
    });
  }

  /** Returns one value, or none after reporting its fault. */
  #readable<T>(read: () => T): [T] | [] {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      this.#onProblem(error.fault);
      return [];
    }
  }
}

function recordOf(row: SessionRow): SessionRecord {
  const { nextSeq: _nextSeq, ...record } = checked(sessionRowSchema, row, 'sessions', row.id);
  return record;
}

function messageOf(record: MessageRecord): MessageRecord {
  return checked(messageRecordSchema, record, 'messages', [record.sessionID, record.seq]);
}
