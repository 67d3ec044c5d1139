import type { Clock } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Timer } from '../../base/timer.ts';
import type { PermissionGate } from '../../permissions/gate.ts';
import type { ToolHooks } from '../../tools/hooks.ts';
import type { Tasks } from '../../tools/task/tasks.ts';
import type {
  NestedCall,
  NestedCallResults,
  Outputs,
  ReadRegistry,
  ReadyTool,
  RunResult,
} from '../../tools/tool.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ModelRef, Outcome } from '../log/events.ts';
import type { SessionLog } from '../log/log.ts';
import type { SessionStore } from '../log/store.ts';
import type { Stepper } from '../stepping/stepper.ts';
import type { TaskCall } from '../subagents/task-call.ts';
import type { StepResult, StreamedCall } from '../turn/processor.ts';
import type { PathLocks } from './path-locks.ts';
import type { Questions } from './questions.ts';
import type { Repetitions } from './repetitions.ts';

/** Takes snapshots of the files between calls. */
export interface CallSnapshots {
  /** Resolves when files may be changed; `null` if they may be changed at once. */
  ready(): Promise<void> | null;
  /** Call this when a call has ended; the next one may change files only after {@link ready}. */
  callEnded(): void;
}

export interface CallDeps {
  readonly log: SessionLog;
  readonly store: Pick<SessionStore, 'blobs'>;
  readonly gate: PermissionGate;
  readonly questions: Questions;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly hooks: readonly ToolHooks[];
  readonly workspace: Workspace;
  readonly locks: PathLocks;
  readonly outputs: Outputs;
  readonly reads: ReadRegistry;
  readonly snapshots: CallSnapshots;
  /** The metadata of the newest successful call of `tool`. */
  previous(tool: string): JsonObject | undefined;
  tasks(call: TaskCall): Tasks;
  /** The stepper that pauses calls; absent while nobody steps. */
  stepper?(): Stepper | undefined;
  /** Reports a problem to the person that no call can report. */
  problem(fault: Fault): void;
  /** Sends a prompt from the app with which another agent continues. */
  handOver(agent: string, text: string, model: ModelRef): Promise<void>;
}

export interface CallRunDeps extends CallDeps {
  /** Runs the nested calls of the call at `place`. */
  made(place: CallPlace, calls: readonly NestedCall[], atomic: boolean): Promise<NestedCallResults>;
}

export interface CallPlace {
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

export interface StepCalls extends Omit<CallPlace, 'callID' | 'order'> {
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
export interface RowCall extends StreamedCall {
  readonly order: number;
  /** The result that the call gets without running. */
  readonly refusal?: Refusal;
}

export interface Refusal {
  readonly outcome: Outcome;
  readonly text: string;
}
