import type { Hash } from '../../base/hash.ts';
import type { Event } from './events.ts';
import type { Message, Part, SessionState } from './state.ts';

/**
 * The store of sessions. Implementations: IndexedDB and memory; one contract suite runs on both. Rejections
 * carry a fault (`storage-full`, `storage-unavailable`, `storage-lost`, …).
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
  /** The newest events with `seq < before`, in order: at least `limit`, fewer only if there are no more. */
  eventsBefore(sessionID: string, before: number, limit: number): Promise<readonly Event[]>;
  /**
   * Writes everything in one transaction, or nothing. Refuses events that do not follow the stored ones, with
   * the fault `log-conflict`. A commit that is repeated because its outcome was lost skips events that are
   * stored already. The session becomes an owner of the blobs that its events name. `session.deleted` is
   * ignored, see `markDeleted`.
   */
  commit(commit: Commit, durability: Durability): Promise<void>;
  /**
   * Changes the marks that are named and leaves the others; ignores an unknown session. Marks are no part of the log,
   * so every tab may change them, and a commit leaves them as they are.
   */
  mark(sessionID: string, marks: Partial<SessionMarks>): Promise<void>;
  /** Marks a session as deleted (a time) or restores it (`null`). `purge` removes deleted sessions. */
  markDeleted(sessionID: string, time: number | null): Promise<void>;
  /** Removes sessions that were marked as deleted before this time, and the blobs that only they owned. */
  purge(deletedBefore: number): Promise<void>;
  /**
   * Lists full outputs from before `endedBefore` in sessions that are not kept. Removes nothing: the log
   * first records that an output is dropped, and the commit of that event releases the blob.
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
  /** The events are consecutive and follow the stored ones. */
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

/** A session's line in the list, and where to start reading its events. It can be rebuilt from them. */
export interface SessionRecord {
  readonly id: string;
  /** The state without its messages and parts. */
  readonly state: Omit<SessionState, 'messages' | 'parts' | 'pending' | 'questions' | LaterField> &
    Partial<Pick<SessionState, LaterField>>;
  /** Message records include every event before this `seq`. */
  readonly foldedTo: number;
  readonly deleted: number | null;
  /** Absent in records from before there were marks. */
  readonly marks?: SessionMarks;
}

/** How the person arranged a session in the list, and whether something in it is unseen. An absent mark is not set. */
export interface SessionMarks {
  readonly pinned?: boolean;
  readonly archived?: boolean;
  /** A turn ended while the session was not shown. */
  readonly unseen?: boolean;
}

/** Fields that older records of sessions lack. */
type LaterField = 'agent' | 'limits' | 'tasks';

/** A message with its parts. It is a projection that can be dropped and rebuilt. */
export interface MessageRecord {
  readonly sessionID: string;
  readonly seq: number;
  readonly message: Message;
  readonly parts: readonly Part[];
}

/** Describes a stored full output: its call, its blob, and when the call ended. */
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

/** Content by SHA-256. Sessions own blobs, and a blob is removed with its last owner. */
export interface BlobStore {
  get(hash: Hash): Promise<Uint8Array<ArrayBuffer> | undefined>;
  missing(hashes: readonly Hash[]): Promise<readonly Hash[]>;
  put(owner: string, blobs: readonly Blob[]): Promise<void>;
  /** Makes `owner` own the stored blobs among these, and returns the others, which still have to be `put`. */
  retain(owner: string, hashes: readonly Hash[]): Promise<readonly Hash[]>;
  /** Ends this owner's claim to these blobs. */
  release(owner: string, hashes: readonly Hash[]): Promise<void>;
  /** Ends all of this owner's claims. */
  releaseOwner(owner: string): Promise<void>;
}

/** The owner of blobs that a session needs only while a turn of it runs. */
export function passingOwner(sessionID: string): string {
  return `${sessionID}/passing`;
}
