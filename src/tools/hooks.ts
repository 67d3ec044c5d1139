import type { Json, JsonObject } from '../base/json.ts';
import type { Visibility, Workspace } from '../workspace/workspace.ts';

/** A call as hooks are told of it. */
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
  /** How long the tool itself worked, milliseconds: without the time it waited for the person or for a file. */
  readonly durationMs: number;
  /** Of a call that failed: what kind of fault, such as `timeout`. */
  readonly faultCode?: string;
}

/** What a call that ended well worked on. */
export interface CallSurroundings {
  readonly workspace: Workspace;
  /** Which paths the `read` rules let the caller see, as they stand now. */
  visibility(): Visibility;
  /** Aborted when the call is to end now. */
  readonly abort: AbortSignal;
}

/** What a hook may put something else in the place of. */
export interface CallResult {
  title: string;
  output: string;
  metadata: JsonObject;
}

/**
 * What is run around the calls of every tool, in the order in which it is registered. Fields of the second argument
 * may be changed.
 */
export interface ToolHooks {
  /** Before the tool starts and asks. Arguments that were changed are checked again. One that throws fails the call. */
  'tool.execute.before'?(call: HookedCall, change: { args: Json }): void | Promise<void>;
  /**
   * Once for every call, whatever came of it. Only the result of a call that ended well can still be changed; one
   * that throws then fails the call. `surroundings` are given for those only.
   */
  'tool.execute.after'?(
    call: EndedCall,
    change: CallResult,
    surroundings?: CallSurroundings,
  ): void | Promise<void>;
}

/** The arguments as the hooks leave them. */
export async function runBefore(hooks: readonly ToolHooks[], call: HookedCall, args: Json): Promise<Json> {
  const change = { args };
  for (const hook of hooks) await hook['tool.execute.before']?.(call, change);
  return change.args;
}

/** The result as the hooks leave it. */
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

/** Tells of a call that ended without a result of its own; nothing that hooks do or throw changes that. */
export function tellAfter(hooks: readonly ToolHooks[], call: EndedCall, output: string): void {
  void runAfter(hooks, call, { title: '', output, metadata: {} }).catch(() => undefined);
}
