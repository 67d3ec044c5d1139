import type { JsonObject } from '../../base/json.ts';

/** A piece of work for another agent. */
export interface TaskRequest {
  readonly prompt: string;
  /** A few words that name it. */
  readonly description: string;
  /** Left out: the agent of the work that goes on, else `general`. */
  readonly agent?: string;
  /** Earlier work that goes on in its own session. */
  readonly taskID?: string;
}

export type TaskReportState = 'running' | 'completed' | 'error' | 'cancelled' | 'interrupted';

export interface TaskReport {
  /** The session in which the work is done. */
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly state: TaskReportState;
  /** What the agent said in the end; what it does, while it runs; else what went wrong. */
  readonly text: string;
  /** For the card: the session, what the agent did last, how many steps and tokens that took. */
  readonly metadata: JsonObject;
}

/**
 * What the calls of one session can have done by others. Every method throws an error worded for the model where there
 * is no such agent or no such work.
 */
export interface Tasks {
  /** Who did earlier work last. */
  agentOf(id: string): Promise<string>;
  /**
   * Resolves when the work has ended, however it ended. Throws `PermissionRejected` where the person refused one of its
   * calls without a word, which ends this turn too. Stopping the call stops the work.
   */
  run(request: TaskRequest): Promise<TaskReport>;
  /** Resolves once the work is under way; how it ends is announced to this session. */
  start(request: TaskRequest): Promise<TaskReport>;
  /** How work in the background stands; waits up to `waitMs` milliseconds for its end. */
  report(id: string, waitMs: number): Promise<TaskReport>;
  /** Stops work in the background; resolves when it has stopped. */
  cancel(id: string): Promise<TaskReport>;
}

/** As the model reads it. */
export function taskText({ id, agent, title, state, text }: TaskReport): string {
  const attributes = Object.entries({ id, agent, title, state }).map(
    ([name, value]) => `${name}="${escaped(value)}"`,
  );
  const body = state === 'completed' ? 'task_result' : state === 'running' ? 'task_progress' : 'task_error';
  return [`<task ${attributes.join(' ')}>`, `<${body}>`, text, `</${body}>`, '</task>'].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
