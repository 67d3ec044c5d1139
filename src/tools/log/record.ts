import type { Json } from '../../base/json.ts';
import type { EndedCall } from '../hooks.ts';

/** One call that ended, or a tool that was prepared for the first time. */
export interface ToolRecord {
  /** Unique among the records of its kind in a session. */
  readonly id: number;
  /** Has the form `tool.<name>`. */
  readonly service: string;
  readonly event: 'call' | 'start';
  /** When it ended, in milliseconds since the epoch. */
  readonly time: number;
  /** How long the tool itself worked, in milliseconds. */
  readonly duration: number;
  readonly success: boolean;
  readonly outcome: EndedCall['outcome'];
  readonly timedOut: boolean;
  /** The exit code of the command that the call ran, if any. */
  readonly exitCode?: number;
  readonly sessionID?: string;
  readonly callID?: string;
  readonly agent?: string;
  /** The arguments without secrets, with long texts cut. */
  readonly args?: Json;
  /** The start of the result, without secrets. */
  readonly result?: string;
}

/** Merges records of both kinds, sorted by time. */
export function byTime(...lists: readonly (readonly ToolRecord[])[]): readonly ToolRecord[] {
  return lists.flat().sort((a, b) => a.time - b.time);
}
