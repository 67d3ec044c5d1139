import type { Hash } from '../base/hash.ts';
import type { Event } from './events.ts';
import type { Message, Part, SessionState } from './state.ts';

/**
 * Where sessions are kept. Implementations: IndexedDB, memory; one contract suite runs on both.
 * Rejections carry a fault (`storage-full`, `storage-unavailable`, `storage-lost`, …).
 */
export interface SessionStore {
  /** Sessions that are not deleted, most recently updated first. */
  sessions(): Promise<readonly SessionRecord[]>;
  session(id: string): Promise<SessionRecord | undefined>;
  /** Up to `limit` message records older than `before` (default: the newest), in ascending order of `seq`. */
  messages(
    sessionID: string,
    page: { readonly before?: number; readonly limit: number },
  ): Promise<readonly MessageRecord[]>;
  /** Events with `seq >= from`, in order. */
  events(sessionID: string, from: number): Promise<readonly Event[]>;
  /** The newest events with `seq < before`, in order: `limit` of them or some more, fewer only where there are no more. */
  eventsBefore(sessionID: string, before: number, limit: number): Promise<readonly Event[]>;
  /**
   * Writes everything in one transaction or nothing. Refuses (fault `log-conflict`) events that do not follow the
   * stored ones; a commit that is repeated because its outcome was lost passes over events that are stored already.
   * The session comes to own the blobs that its events name; `session.deleted` is not taken over, see `markDeleted`.
   */
  commit(commit: Commit, durability: Durability): Promise<void>;
  /** Marks as deleted (time) or brings back (null). Deleted sessions are removed for good by `purge`. */
  markDeleted(sessionID: string, time: number | null): Promise<void>;
  /** Removes sessions that were marked as deleted before this time, and the blobs that only they owned. */
  purge(deletedBefore: number): Promise<void>;
  /**
   * Full outputs from before `endedBefore` in sessions that are not kept. Nothing goes yet: the log says first that
   * an output is dropped, and the commit of that event lets go of the blob.
   */
  expiredOutputs(endedBefore: number): Promise<readonly StoredOutput[]>;
  /** Sessions whose title or messages contain every word of `query`, best first, each with an excerpt. */
  search(query: string, limit: number): Promise<readonly SearchHit[]>;
  blobs: BlobStore;
}

/** `relaxed` survives a crash of the browser, `strict` also one of the machine. */
export type Durability = 'relaxed' | 'strict';

export interface Commit {
  readonly sessionID: string;
  /** Consecutive, following what is stored. */
  readonly events: readonly Event[];
  /** Replaces the records of the messages that the events up to `session.foldedTo` changed. */
  readonly messages: readonly MessageRecord[];
  readonly session: SessionRecord;
  readonly blobs: readonly Blob[];
}

export interface Blob {
  readonly hash: Hash;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A session's line in the list, and where to start reading. A projection: can be rebuilt from the events. */
export interface SessionRecord {
  readonly id: string;
  /** The state without its messages and parts. */
  readonly state: Omit<SessionState, 'messages' | 'parts' | 'pending' | 'questions' | LaterField> &
    Partial<Pick<SessionState, LaterField>>;
  /** Message records hold everything up to and without this `seq`. */
  readonly foldedTo: number;
  readonly deleted: number | null;
}

/** Not in the records of sessions from before there were such fields. */
type LaterField = 'agent' | 'limits' | 'tasks';

/** A message with its parts. A projection: can be dropped and rebuilt. */
export interface MessageRecord {
  readonly sessionID: string;
  readonly seq: number;
  readonly message: Message;
  readonly parts: readonly Part[];
}

/** Where a full output is kept: the call it came from, its blob, and when the call ended. */
export interface StoredOutput {
  readonly sessionID: string;
  readonly messageID: string;
  readonly callID: string;
  readonly blob: Hash;
  readonly time: number;
}

export interface SearchHit {
  readonly sessionID: string;
  readonly title: string;
  readonly excerpt: string;
}

/** Content by SHA-256. Owned by sessions: a blob goes when its last owner does. */
export interface BlobStore {
  get(hash: Hash): Promise<Uint8Array<ArrayBuffer> | undefined>;
  missing(hashes: readonly Hash[]): Promise<readonly Hash[]>;
  put(owner: string, blobs: readonly Blob[]): Promise<void>;
  /** Makes `owner` an owner of those that are stored and returns the others: what `put` still has to bring. */
  retain(owner: string, hashes: readonly Hash[]): Promise<readonly Hash[]>;
  /** The owner no longer needs it. */
  release(owner: string, hashes: readonly Hash[]): Promise<void>;
  /** The owner needs nothing any more. */
  releaseOwner(owner: string): Promise<void>;
}

/** Who owns what a session keeps only while something of it runs. */
export function passingOwner(sessionID: string): string {
  return `${sessionID}/passing`;
}
