import type { FsEntryAnswer } from '../../shared/protocol.ts';
import type { FolderNames, Looked, NodeCall, NodeFsCall, NodeStat } from '../../shared/wire.ts';

/** The answers of the kernel to the file operations whose answer is used. */
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

/** The same for other calls. */
interface Answers {
  readonly commands: readonly string[];
  /** The address. */
  readonly listen: number | string;
  readonly moduleCode: Uint8Array | undefined;
  /** The source. */
  readonly part: string;
  readonly readInput: Uint8Array | undefined;
  /** The process number, or 0. */
  readonly startChild: number;
}

export type Answer<Call extends NodeCall> = Call['kind'] extends keyof Answers
  ? Answers[Call['kind']]
  : unknown;
