import type { Event } from '../../../src/session/log/events.ts';
import type { MessageRecord, SessionRecord } from '../../../src/session/log/store.ts';

/** What the page found stored when it started. */
export interface Report {
  readonly sessions: readonly StoredSession[];
  /** Of the files: `modified` by path, which is the number of the change that wrote it last. */
  readonly files: Readonly<Record<string, number>>;
  /** Hashes that files name and whose contents are not there. */
  readonly missingContents: readonly string[];
  readonly problems: readonly string[];
}

export interface StoredSession {
  readonly record: SessionRecord;
  readonly events: readonly Event[];
  readonly messages: readonly MessageRecord[];
  /** Blobs that the events name and that are not there. */
  readonly missingBlobs: readonly string[];
}

/** What has been committed: everything before `events` of the session, every change up to and with `change`. */
export interface Ack {
  readonly life: number;
  readonly events?: number;
  readonly change?: number;
}
