import type { Event } from '../../session/log/events.ts';
import { passingOwner } from '../../session/log/store.ts';
import type {
  Commit,
  MessageRecord,
  SearchHit,
  SessionMarks,
  SessionRecord,
  SessionStore,
  StoredOutput,
} from '../../session/log/store.ts';
import { asStorageError } from '../faults.ts';
import { afterStored } from '../follow.ts';
import { withMarks } from '../marks.ts';
import { blobsNamedBy } from '../../session/log/references.ts';
import { TITLE_SEQ } from '../schema.ts';
import { excerptOf, rank, searchableText, wordsOf, type WordLocation } from '../tokenize.ts';
import { MemoryBlobStore } from './blob-store.ts';

interface StoredSession {
  record: SessionRecord;
  readonly events: Event[];
  readonly messages: Map<number, MessageRecord>;
  readonly outputs: Map<string, StoredOutput>;
  readonly words: Map<number, readonly string[]>;
}

/**
 * Sessions in memory: for tests, and for browsers that store nothing. Records are copied on write, as in a database.
 */
export class MemorySessionStore implements SessionStore {
  readonly blobs = new MemoryBlobStore();
  readonly #sessions = new Map<string, StoredSession>();
  #last: Promise<void> = Promise.resolve();

  async sessions(): Promise<readonly SessionRecord[]> {
    return [...this.#sessions.values()]
      .map(({ record }) => record)
      .filter(({ deleted }) => deleted === null)
      .sort((a, b) => b.state.updated - a.state.updated);
  }

  async session(id: string): Promise<SessionRecord | undefined> {
    return this.#sessions.get(id)?.record;
  }

  async messages(
    sessionID: string,
    { before = Infinity, limit }: { readonly before?: number; readonly limit: number },
  ): Promise<readonly MessageRecord[]> {
    if (limit <= 0) return [];
    const records = [...(this.#sessions.get(sessionID)?.messages.values() ?? [])];
    return records
      .filter(({ seq }) => seq < before)
      .sort((a, b) => a.seq - b.seq)
      .slice(-limit);
  }

  async eventsBefore(sessionID: string, before: number, limit: number): Promise<readonly Event[]> {
    const events = this.#sessions.get(sessionID)?.events ?? [];
    const end = Math.min(before, events.length);
    return events.slice(Math.max(0, end - limit), end);
  }

  async events(sessionID: string, from: number): Promise<readonly Event[]> {
    return this.#sessions.get(sessionID)?.events.slice(from) ?? [];
  }

  /** Commits run one after another in the order of the calls. */
  commit(commit: Commit): Promise<void> {
    const { blobs, ...plain } = commit;
    let copy: Commit;
    try {
      copy = { ...structuredClone(plain), blobs };
    } catch (error) {
      return Promise.reject(asStorageError(error, `sessions "${commit.sessionID}"`));
    }
    const done = this.#last.then(() => this.#write(copy));
    this.#last = done.catch(() => {});
    return done;
  }

  async markDeleted(sessionID: string, time: number | null): Promise<void> {
    const kept = this.#sessions.get(sessionID);
    if (kept) kept.record = { ...kept.record, deleted: time };
  }

  async mark(sessionID: string, marks: Partial<SessionMarks>): Promise<void> {
    const kept = this.#sessions.get(sessionID);
    if (kept) kept.record = { ...kept.record, marks: { ...kept.record.marks, ...marks } };
  }

  async purge(deletedBefore: number): Promise<void> {
    for (const [id, { record }] of this.#sessions)
      if (record.deleted !== null && record.deleted < deletedBefore) await this.#remove(id);
  }

  async purgeWorkspace(workspaceID: string): Promise<void> {
    for (const [id, { record }] of this.#sessions)
      if (record.state.workspaceID === workspaceID) await this.#remove(id);
  }

  async expiredOutputs(endedBefore: number): Promise<readonly StoredOutput[]> {
    return [...this.#sessions.values()]
      .filter(({ record }) => !record.state.keep)
      .flatMap(({ outputs }) => [...outputs.values()])
      .filter(({ time }) => time < endedBefore)
      .sort((a, b) => a.time - b.time);
  }

  async search(query: string, limit: number): Promise<readonly SearchHit[]> {
    const words = wordsOf(query);
    if (words.length === 0 || limit <= 0) return [];
    return rank(words.map((word) => this.#locationsOf(word)))
      .flatMap((hit) => {
        const kept = this.#sessions.get(hit.sessionID);
        return kept && kept.record.deleted === null ? [{ ...hit, kept }] : [];
      })
      .sort((a, b) => b.score - a.score || b.kept.record.state.updated - a.kept.record.state.updated)
      .slice(0, limit)
      .map(({ sessionID, seq, kept }) => {
        const { title } = kept.record.state;
        const message = seq === undefined ? undefined : kept.messages.get(seq);
        return { sessionID, title, excerpt: excerptOf(message ? searchableText(message) : title, words) };
      });
  }

  async #write({ sessionID, events, messages, session, blobs }: Commit): Promise<void> {
    const stored = this.#sessions.get(sessionID);
    const log = stored?.events ?? [];
    const added = await afterStored({ sessionID, events }, log.length, (from) => log.slice(from));
    const kept: StoredSession = stored ?? {
      record: session,
      events: [],
      messages: new Map(),
      outputs: new Map(),
      words: new Map(),
    };
    this.#sessions.set(sessionID, kept);
    kept.record = withMarks({ ...session, deleted: stored?.record.deleted ?? null }, stored?.record.marks);
    kept.words.set(TITLE_SEQ, wordsOf(session.state.title));
    kept.events.push(...added);
    for (const record of messages) {
      kept.messages.set(record.seq, record);
      kept.words.set(record.seq, wordsOf(searchableText(record)));
    }
    await this.blobs.put(sessionID, blobs);
    this.blobs.own(sessionID, added.flatMap(blobsNamedBy));
    for (const event of added) await this.#followOutput(kept, event);
  }

  async #followOutput({ outputs }: StoredSession, event: Event): Promise<void> {
    if (event.type === 'call.ended' && event.fullOutput) {
      const { sessionID, messageID, callID, time } = event;
      outputs.set(keyOf(event), { sessionID, messageID, callID, blob: event.fullOutput.blob, time });
    }
    if (event.type !== 'output.dropped') return;
    const output = outputs.get(keyOf(event));
    outputs.delete(keyOf(event));
    if (output && ![...outputs.values()].some(({ blob }) => blob === output.blob))
      await this.blobs.release(event.sessionID, [output.blob]);
  }

  #locationsOf(word: string): WordLocation[] {
    const locations: WordLocation[] = [];
    for (const [id, { words }] of this.#sessions)
      for (const [seq, list] of words)
        if (list.some((candidate) => candidate.startsWith(word))) locations.push([id, seq]);
    return locations;
  }

  async #remove(id: string): Promise<void> {
    this.#sessions.delete(id);
    await this.blobs.releaseOwner(id);
    await this.blobs.releaseOwner(passingOwner(id));
  }
}

function keyOf({ messageID, callID }: { readonly messageID: string; readonly callID: string }): string {
  return JSON.stringify([messageID, callID]);
}
