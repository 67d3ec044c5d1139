import type { JsonObject } from '../../base/json.ts';
import type { NestedCall, NestedCallResults, ReadRegistry, ReadyTool, RunResult } from '../../tools/tool.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { SessionContext } from '../context.ts';
import type { ModelRef, Outcome } from '../log/events.ts';
import type { StepResult, StreamedCall } from '../turn/processor.ts';
import type { PathLocks } from './path-locks.ts';
import type { Repetitions } from './repetitions.ts';

/** The session and the files that the calls of a step work with. An atomic batch has its own workspace, locks and reads. */
export interface CallContext {
  readonly session: SessionContext;
  readonly workspace: Workspace;
  readonly locks: PathLocks;
  readonly reads: ReadRegistry;
  /** The metadata of the newest successful call of `tool`. */
  previous(tool: string): JsonObject | undefined;
}

export interface CallRunContext extends CallContext {
  /** Runs the nested calls of the call `info`. */
  runNested(info: CallInfo, calls: readonly NestedCall[], atomic: boolean): Promise<NestedCallResults>;
}

export interface CallInfo {
  readonly messageID: string;
  readonly callID: string;
  readonly order: number;
  readonly agent: string;
  readonly model: ModelRef;
  /** The signal is aborted with an `AbortReason`. */
  readonly signal: AbortSignal;
}

export interface Ending {
  readonly outcome: Outcome;
  readonly output: string;
  readonly result?: RunResult;
  readonly metadata?: JsonObject;
  readonly faultCode?: string;
}

export interface StepCalls extends Omit<CallInfo, 'callID' | 'order'> {
  readonly result: StepResult;
  readonly tools: readonly ReadyTool[];
  /** The last step of its turn, which runs no calls. */
  readonly lastStep: boolean;
  /** Shared by all steps of the turn. */
  readonly repetitions: Repetitions;
  /** Called when the person refused a call without feedback: the turn must be aborted at once. */
  refused(): void;
}

/** A call in its row. `order` is its place among all calls of the message, in which requests are answered. */
export interface OrderedCall extends StreamedCall {
  readonly order: number;
  /** The result that the call gets without running. */
  readonly refusal?: Refusal;
}

export interface Refusal {
  readonly outcome: Outcome;
  readonly text: string;
}
