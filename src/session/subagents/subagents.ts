import type { TaskCall } from './task-call.ts';
import { pause, type Timer } from '../../base/timer.ts';
import { subagentsOf } from '../../agents/agents.ts';
import type { Setup } from '../../agents/setup.ts';
import { limitsFor } from '../../agents/rules.ts';
import type { PermissionSettings } from '../../permissions/settings.ts';
import { PermissionCancelled, PermissionRejected } from '../../permissions/types.ts';
import { taskText, type TaskReport, type TaskRequest, type Tasks } from '../../tools/task/tasks.ts';
import type { EventType, Parent } from '../log/events.ts';
import type { Session } from '../session.ts';
import { spentWithTasks } from '../log/spent.ts';
import type { Task } from '../log/state.ts';
import { taskMetadata, taskReport, taskStateOf } from './task-report.ts';

/** How many characters of an answer are announced; the whole answer can still be read with a call. */
const ANNOUNCED_CHARACTERS = 30_000;
const DEFAULT_AGENT = 'general';

/** The functions that sub-agents need from the app's sessions. */
export interface SubagentsHost {
  create(options: {
    readonly workspaceID: string;
    readonly title: string;
    readonly parent: Parent;
    readonly agent: string;
  }): Promise<Session>;
  /** Rejects with a fault if there is no such session. */
  open(id: string): Promise<Session>;
  settings(): PermissionSettings;
  setup(workspaceID: string): Setup;
  /** Deletes a session in which no work was done. */
  discard(id: string): Promise<void>;
  readonly timer: Timer;
}

interface RunningTask {
  readonly parent: Session;
  readonly child: Session;
  readonly task: Task;
  /** Resolves when the work has ended and its parent has been told. */
  done: Promise<TaskReport>;
  /** How many calls will report the end to the parent's agent themselves. */
  waiters: number;
}

/** Starts, watches and stops sessions that work for other sessions, and reports their results. */
export class Subagents {
  readonly #host: SubagentsHost;
  /** Keyed by the id of the session that does the work. */
  readonly #running = new Map<string, RunningTask>();

  constructor(host: SubagentsHost) {
    this.#host = host;
  }

  /** The tasks that a call of `parent` can start and control. */
  tasksFor(parent: Session, call: TaskCall): Tasks {
    return {
      agentOf: async (id) => this.#taskOf(parent, id).agent,
      run: (request) => this.#run(parent, call, request),
      start: async (request) => {
        const { task, child } = await this.#begin(parent, call, request, true);
        return taskReport(task, child.state);
      },
      report: (id, waitMs) => this.#report(parent, call, id, waitMs),
      cancel: (id) => this.#cancel(parent, id),
    };
  }

  /**
   * Settles tasks whose tab died: opens their sessions, which closes the open turn, and records how they
   * ended. The next prompt tells the agent.
   */
  async settle(parent: Session): Promise<void> {
    for (const task of parent.state.tasks) {
      if (task.state !== 'running' || this.#running.has(task.childID)) continue;
      const child = await this.#host.open(task.childID).catch(() => undefined);
      const status = child?.state.lastTurn?.status ?? 'interrupted';
      const state = child ? taskStateOf(status, child.state) : 'interrupted';
      await this.#ended(parent, { ...task, state }, child, { announce: task.background, resume: false });
    }
  }

  /** The sessions that work for this one now. */
  runningFor(parentID: string): readonly string[] {
    return [...this.#running.values()].flatMap(({ parent, child }) =>
      parent.id === parentID ? child.id : [],
    );
  }

  /** Resolves when the session's task has ended and its parent has been told; at once if it has no task. */
  async ended(childID: string): Promise<void> {
    await this.#running.get(childID)?.done;
  }

  async #run(parent: Session, call: TaskCall, request: TaskRequest): Promise<TaskReport> {
    const running = await this.#begin(parent, call, request, false);
    const { child, task } = running;
    const stop = () => child.abort();
    const tell = () => call.progress({ title: task.title, metadata: taskMetadata(task, child.state) });
    const unlisten = child.onEvents((events) => {
      if (events.some(({ type }) => TELLING.has(type))) tell();
    });
    call.signal.addEventListener('abort', stop);
    if (call.signal.aborted) stop();
    try {
      tell();
      const report = await running.done;
      if (child.state.lastTurn?.status === 'rejected')
        throw new PermissionRejected(`The user refused a call of the sub-agent.\n${taskText(report)}`);
      return report;
    } finally {
      unlisten();
      call.signal.removeEventListener('abort', stop);
    }
  }

  async #begin(
    parent: Session,
    call: TaskCall,
    request: TaskRequest,
    background: boolean,
  ): Promise<RunningTask> {
    const { messageID, callID } = call;
    const earlier = request.taskID === undefined ? undefined : this.#taskOf(parent, request.taskID);
    const child = earlier && (await this.#host.open(earlier.childID));
    // This check comes after the last wait, so that two calls cannot give a session work at the same time.
    if (earlier && this.#running.has(earlier.childID))
      throw new Error(
        `Task ${earlier.childID} (${earlier.title}) still runs. Wait for its end, or stop it first.`,
      );
    const agent = request.agent ?? earlier?.agent ?? DEFAULT_AGENT;
    const setup = this.#host.setup(parent.state.workspaceID);
    const subagents = subagentsOf(setup.agents);
    if (!subagents.some(({ name }) => name === agent))
      throw new Error(
        `There is no agent '${agent}' to give work to. There are: ${subagents.map(({ name }) => name).join(', ')}.`,
      );
    const session =
      child ??
      (await this.#host.create({
        workspaceID: parent.state.workspaceID,
        title: `${request.description} (@${agent})`,
        parent: { sessionID: parent.id, messageID, callID },
        agent,
      }));
    if (call.signal.aborted) {
      if (!child) await this.#host.discard(session.id);
      throw new PermissionCancelled();
    }
    const limits = limitsFor(
      agent,
      { agent: call.agent, settings: this.#host.settings(), limits: parent.state.limits },
      setup,
    );
    session.note({ type: 'rules.limited', rules: [...limits] });
    const effort = parent.state.effort ?? null;
    if (effort !== (session.state.effort ?? null)) session.note({ type: 'effort.chosen', effort });
    const title = request.description;
    const task: Task = { childID: session.id, messageID, callID, agent, title, background, state: 'running' };
    const { state: _, ...started } = task;
    parent.note({ type: 'task.started', ...started });
    const prompted = session.prompt(request.prompt, { agent, model: call.model, origin: { kind: 'task' } });
    const running: RunningTask = { parent, child: session, task, waiters: 0, done: NOTHING };
    this.#running.set(session.id, running);
    running.done = this.#watch(running, prompted);
    await prompted;
    return running;
  }

  async #watch(running: RunningTask, prompted: Promise<void>): Promise<TaskReport> {
    const { parent, child, task } = running;
    const status = await prompted.then(
      () => child.rested(),
      () => 'error' as const,
    );
    this.#running.delete(child.id);
    const ended = { ...task, state: taskStateOf(status, child.state) };
    await this.#ended(parent, ended, child, {
      announce: task.background && running.waiters === 0,
      // A person who stops the task does not want it to start anything else.
      resume: ended.state !== 'cancelled',
    });
    return taskReport(ended, child.state);
  }

  async #ended(
    parent: Session,
    task: Task,
    child: Session | undefined,
    { announce, resume }: { readonly announce: boolean; readonly resume: boolean },
  ): Promise<void> {
    // Otherwise the task is settled when the parent session is opened again.
    if (!parent.writable || task.state === 'running') return;
    const { childID, title, state } = task;
    parent.note({ type: 'task.ended', childID, state, ...(child && { spent: spentWithTasks(child.state) }) });
    if (!announce) return;
    const report = taskReport(task, child?.state);
    const origin = { kind: 'task-ended', childID, title, state } as const;
    // If another tab has taken over the session, that tab announces the end.
    await parent.announce(announcement(report), origin, resume).catch(() => undefined);
  }

  async #report(parent: Session, call: TaskCall, id: string, waitMs: number): Promise<TaskReport> {
    const task = this.#taskOf(parent, id);
    const running = this.#running.get(id);
    if (!running) return taskReport(task, (await this.#host.open(id).catch(() => undefined))?.state);
    if (waitMs > 0) {
      running.waiters++;
      const enough = new AbortController();
      const signal = AbortSignal.any([call.signal, enough.signal]);
      const stopped = () => running.waiters--;
      call.signal.addEventListener('abort', stopped);
      const ended = await Promise.race([running.done, pause(this.#host.timer, waitMs, signal)]);
      enough.abort();
      call.signal.removeEventListener('abort', stopped);
      if (ended) return ended;
      if (!call.signal.aborted) stopped();
    }
    return taskReport(task, running.child.state);
  }

  async #cancel(parent: Session, id: string): Promise<TaskReport> {
    const task = this.#taskOf(parent, id);
    const running = this.#running.get(id);
    if (!running) throw new Error(`Task ${id} (${task.title}) does not run: it is ${task.state}.`);
    running.waiters++;
    running.child.abort();
    return running.done;
  }

  #taskOf({ state }: Session, id: string): Task {
    const task = state.tasks.find(({ childID }) => childID === id);
    if (task) return task;
    const known = state.tasks.map(({ childID, title }) => `${childID} (${title})`).join(', ');
    throw new Error(`This session has no task ${id}. ${known ? `There are: ${known}.` : ''}`.trim());
  }
}

/** Events that change the card of the call. */
const TELLING: ReadonlySet<EventType> = new Set([
  'step.started',
  'step.ended',
  'call.running',
  'call.ended',
  'permission.asked',
  'question.asked',
]);

const NOTHING: Promise<never> = new Promise(() => undefined);

/** The text that tells the parent's agent that the work has ended. */
function announcement(report: TaskReport): string {
  const cut = report.text.length > ANNOUNCED_CHARACTERS;
  const text = cut
    ? `${report.text.slice(0, ANNOUNCED_CHARACTERS)}\n[Cut. background_output has all of it.]`
    : report.text;
  return `Work that you had given to run in the background has ended. The app says this, not the user.\n${taskText({ ...report, text })}`;
}
