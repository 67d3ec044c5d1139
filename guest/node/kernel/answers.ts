import type { FsEntryAnswer } from '../../shared/protocol.ts';
import type { FileOutcome, FolderNames, Looked, NodeCall, NodeFsCall, NodeStat } from '../../shared/wire.ts';

/** The kernel answers the file operations with these. An operation whose answer nobody uses is left out. */
interface FileAnswers {
  readonly fstat: NodeStat;
  readonly look: Looked;
  /** How many folders were made. */
  readonly mkdir: number;
  readonly lookLink: Looked;
  readonly names: FolderNames | null;
  readonly open: number;
  readonly read: Uint8Array;
  readonly readAt: Uint8Array;
  readonly readdir: FsEntryAnswer[];
  readonly readlink: string;
  readonly realpath: string;
  readonly statfs: { readonly total?: number; readonly used?: number };
}

export type FileAnswer<Call extends NodeFsCall> = Call['op'] extends keyof FileAnswers
  ? FileAnswers[Call['op']]
  : unknown;

/** The kernel answers the other calls with these. */
interface Answers {
  /** The address at which the process listens now. */
  readonly listen: number | string;
  readonly moduleCode: Uint8Array | undefined;
  /** The source of the part. */
  readonly part: string;
  readonly readInput: Uint8Array | undefined;
  readonly severalFiles: readonly FileOutcome[];
  /** The number of the process, or 0 if it did not start. */
  readonly startChild: number;
}

export type Answer<Call extends NodeCall> = Call['kind'] extends keyof Answers
  ? Answers[Call['kind']]
  : unknown;
