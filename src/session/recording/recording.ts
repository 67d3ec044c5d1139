import type { Hash } from '../../base/hash.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import type { Event } from '../events.ts';

/** Raised with every change that an older app could not read. */
export const RECORDING_VERSION = 1;
export const RECORDING_FORMAT = 'vitrine-recording';
/** Of the JSON, UTF-8. */
export const MAX_RECORDING_BYTES = 20_000_000;

/** A session with what is needed to play it again, by itself: nothing in it refers to this device. */
export interface Recording {
  readonly title: string;
  /** Time of the first event, milliseconds since the epoch. */
  readonly started: number;
  /** The workspace when the session began; `null` where that was not kept. */
  readonly files: readonly SnapshotEntry[] | null;
  /** The one that was recorded, then those of its sub-agents, each after the one that it works for. */
  readonly sessions: readonly [RecordedSession, ...RecordedSession[]];
  /** What events and files refer to; what was dropped before the export is not there. */
  readonly contents: ReadonlyMap<Hash, Uint8Array<ArrayBuffer>>;
}

export interface RecordedSession {
  readonly id: string;
  readonly events: readonly Event[];
}
