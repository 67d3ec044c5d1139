import type { Json, JsonObject } from '../base/json.ts';
import type { Visibility, Workspace } from '../workspace/workspace.ts';

/** A call as hooks see it. */
export interface HookedCall {
  readonly tool: string;
  readonly sessionID: string;
  readonly messageID: string;
  readonly callID: string;
  readonly agent: string;
}

export interface EndedCall extends HookedCall {
  readonly args: Json;
  readonly outcome: 'ok' | 'failed' | 'denied' | 'cancelled' | 'interrupted' | 'invalid';
  /** How long the tool itself worked, in milliseconds, without waiting for the person or for a file. */
  readonly durationMs: number;
  /** The fault code of a failed call, such as `timeout`. */
  readonly faultCode?: string;
}

/** The workspace and the rights of a call that succeeded. */
export interface CallSurroundings {
  readonly workspace: Workspace;
  /** The paths that the current `read` rules let the caller see. */
  visibility(): Visibility;
  /** Aborted when the call must end. */
  readonly abort: AbortSignal;
}

/** The fields of a result that a hook may replace. */
export interface CallResult {
  title: string;
  output: string;
  metadata: JsonObject;
}

/**
 * Hooks around the calls of every tool, run in the order of registration. They may change fields of the second
 * argument.
 */
export interface ToolHooks {
  /** Runs before the tool starts and asks. Changed arguments are checked again. A hook that throws fails the call. */
  'tool.execute.before'?(call: HookedCall, change: { args: Json }): void | Promise<void>;
  /**
   * Runs once for every call, whatever its outcome. Only for a successful call are `surroundings` passed, can the
   * result still be changed, and does a hook that throws fail the call.
   */
  'tool.execute.after'?(
    call: EndedCall,
    change: CallResult,
    surroundings?: CallSurroundings,
  ): void | Promise<void>;
}

/** Runs the hooks and returns the arguments as they leave them. */
export async function runBefore(hooks: readonly ToolHooks[], call: HookedCall, args: Json): Promise<Json> {
  const change = { args };
  for (const hook of hooks) await hook['tool.execute.before']?.(call, change);
  return change.args;
}

/** Runs the hooks and returns the result as they leave it. */
export async function runAfter(
  hooks: readonly ToolHooks[],
  call: EndedCall,
  { title, output, metadata }: CallResult,
  surroundings?: CallSurroundings,
): Promise<CallResult> {
  const change = { title, output, metadata };
  for (const hook of hooks) await hook['tool.execute.after']?.(call, change, surroundings);
  return change;
}

/** Notifies hooks of a call that ended without a result of its own. Nothing that they do or throw changes it. */
export function notifyAfter(hooks: readonly ToolHooks[], call: EndedCall, output: string): void {
  void runAfter(hooks, call, { title: '', output, metadata: {} }).catch(() => undefined);
}
