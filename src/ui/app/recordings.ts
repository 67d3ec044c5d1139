import type { Unlisten } from '../../base/listeners.ts';
import type { Mode } from '../../permissions/modes.ts';
import type { ComparedFile } from '../../session/compare/summary.ts';
import type { Effort } from '../../session/log/effort.ts';
import type { ModelRef } from '../../session/log/events.ts';
import type { CallDifference } from '../../session/recording/differences.ts';
import type { Recording } from '../../session/recording/recording.ts';
import type { SessionHandle } from './sessions.ts';

/** Sessions as files that can be played back. */
export interface AppRecordings {
  /**
   * Records the session and its sub-agents' sessions as they are now, without the secrets that this page
   * knows. `most` is how many bytes of files and outputs it may have, where that is not the limit of a file.
   */
  record(sessionID: string, most?: number): Promise<Recording>;
  /**
   * Makes a workspace with the recording's initial files and its sessions. Resolves to the id of the session
   * that was recorded.
   */
  import(recording: Recording): Promise<string>;
  /**
   * Makes a session that goes on from the moment of another one after this many events, in a new workspace with
   * the files of that moment. Resolves to its id.
   */
  fork(sessionID: string, events: number): Promise<string>;
  /** The same for a moment of a recording. */
  forkRecording(recording: Recording, events: number): Promise<string>;
  /** Fetches over https or from the app's own origin, without credentials. */
  fetch(address: string): Promise<Recording>;
  /**
   * Runs the recording in a new workspace with its initial files. The recorded model answers; the tools
   * really run and ask.
   */
  run(recording: Recording): Promise<RecordingRun>;
}

/** One prompt for two sides, each in its own copy of the workspace as it is at that moment. */
export interface CompareRequest {
  readonly workspaceID: string;
  /** The name of both copies, to which a letter is added. */
  readonly name: string;
  readonly prompt: string;
  readonly sides: readonly [CompareSide, CompareSide];
}

export interface CompareSide {
  readonly model: ModelRef;
  readonly agent: string;
  /** `null` leaves the effort to the model's default. */
  readonly effort: Effort | null;
  readonly mode: Mode;
}

export interface Comparison {
  readonly request: CompareRequest;
  readonly sessions: readonly [SessionHandle, SessionHandle];
  /** Compares the files as they are now. */
  files(): Promise<readonly ComparedFile[]>;
  /** The two texts at a path as of the last {@link files} call; `null` for a side without that file. */
  texts(path: string): readonly [string | null, string | null];
}

/** A recording that runs for real, and how its calls compare with the recorded ones. */
export interface RecordingRun {
  readonly sessionID: string;
  /** The model's speed, as a multiple of the recorded speed. */
  readonly speed: number;
  setSpeed(speed: number): void;
  /** While paused, the recorded model says nothing more; calls that already run come to their end. */
  readonly paused: boolean;
  setPaused(paused: boolean): void;
  /** True once nothing more of the recording will come. */
  readonly over: boolean;
  differences(): readonly CallDifference[];
  onChange(listener: () => void): Unlisten;
}
