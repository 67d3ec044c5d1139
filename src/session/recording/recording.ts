import type { Hash } from '../../base/hash.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import type { Event } from '../log/events.ts';

/** Raise this with every change that an older app could not read. */
export const RECORDING_VERSION = 1;
export const RECORDING_FORMAT = 'vitrine-recording';
/** The limit for the JSON in UTF-8. */
export const MAX_RECORDING_BYTES = 20_000_000;
/** How many bytes of files and outputs the person can choose from before a recording is written. */
export const MAX_TO_CHOOSE_FROM_BYTES = 100_000_000;

/** The parts of a recording that a person may leave out before sharing it. What was said and called always goes along. */
export const SHARED_PARTS = ['files', 'outputs', 'pictures', 'requests', 'preview'] as const;
export type SharedPart = (typeof SHARED_PARTS)[number];

/** A session with everything needed to play it again. Nothing in it refers to this device. */
export interface Recording {
  readonly title: string;
  /** Time of the first event, milliseconds since the epoch. */
  readonly started: number;
  /** The workspace when the session began; `null` if that was not kept. */
  readonly files: readonly SnapshotEntry[] | null;
  /** Paths of files and folders that were left out because `.gitignore` or similar files exclude them. */
  readonly leftOut?: readonly string[] | undefined;
  /**
   * The files after calls and turns of the first session that changed some: one list for each snapshot event.
   */
  readonly laterFiles: readonly LaterList[];
  /** Some later lists are left out, because there was no room for them or something of them is gone. */
  readonly laterFilesLeftOut?: boolean | undefined;
  /** The parts that the person left out when sharing it, with how many of each there were. */
  readonly withheld?: Withheld | undefined;
  /** The files of which no version is in it, because there was no room or they are no longer stored; largest first. */
  readonly missingFiles?: readonly MissingFile[] | undefined;
  /** The session that was recorded, then those of its sub-agents, each after its parent. */
  readonly sessions: readonly [RecordedSession, ...RecordedSession[]];
  /** The contents that events and files refer to, except those that were dropped before the export. */
  readonly contents: ReadonlyMap<Hash, Uint8Array<ArrayBuffer>>;
}

export type Withheld = Readonly<Partial<Record<SharedPart, number>>>;

export interface MissingFile {
  readonly path: string;
  readonly size: number;
}

export interface LaterList {
  /** The hash of `bytes`, which the event names. */
  readonly manifest: Hash;
  /** The list in the form of the blob store: complete, or as the changes since the previous one. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly entries: readonly SnapshotEntry[];
}

export interface RecordedSession {
  readonly id: string;
  readonly events: readonly Event[];
}
