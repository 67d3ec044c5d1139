import type { JsonObject } from '../../base/json.ts';

/** A piece of work for another agent. */
export interface TaskRequest {
  readonly prompt: string;
  /** Names the work in a few words. */
  readonly description: string;
  /** Default: the agent of the work that is continued, else `general`. */
  readonly agent?: string;
  /** The id of earlier work to continue in its own session. */
  readonly taskID?: string;
}

export type TaskReportState = 'running' | 'completed' | 'error' | 'cancelled' | 'interrupted';

export interface TaskReport {
  /** The session in which the work is done. */
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly state: TaskReportState;
  /** The agent's final answer; while it runs, what it is doing; after a failure, what went wrong. */
  readonly text: string;
  /** Data for the card: the session, what the agent did last, and the number of steps and tokens. */
  readonly metadata: JsonObject;
}

/**
 * Lets the calls of one session give work to other agents. Every method throws an error for the model where there is no
 * such agent or no such work.
 */
export interface Tasks {
  /** The agent that last did this work. */
  agentOf(id: string): Promise<string>;
  /**
   * Resolves when the work has ended, however it ended. Throws `PermissionRejected` where the person refused one of its
   * calls without giving a reason, which ends this turn too. Stopping the call stops the work.
   */
  run(request: TaskRequest): Promise<TaskReport>;
  /** Resolves once the work has started; its end is announced to this session. */
  start(request: TaskRequest): Promise<TaskReport>;
  /** The state of background work; waits up to `waitMs` milliseconds for its end. */
  report(id: string, waitMs: number): Promise<TaskReport>;
  /** Stops background work; resolves when it has stopped. */
  cancel(id: string): Promise<TaskReport>;
}

/** Formats a report for the model. */
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
