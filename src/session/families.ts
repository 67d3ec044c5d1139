import { NO_SETUP } from '../agents/setup.ts';
import type { GrantedRule } from '../permissions/types.ts';
import type { Tasks } from '../tools/task/tasks.ts';
import type { NewSession, SessionDeps, SessionFamily } from './deps.ts';
import type { SessionFollower } from './log/follower.ts';
import type { Session } from './session.ts';
import type { Stepper } from './stepping/stepper.ts';
import type { Subagents } from './subagents/subagents.ts';
import type { TaskCall } from './subagents/task-call.ts';

/** Sessions that are open in this tab, by id. */
export type LiveSessions = ReadonlyMap<string, Session | SessionFollower>;

/** How sub-agents' sessions are made, opened, closed and removed. */
export interface SessionOpener {
  create(options: NewSession): Promise<Session>;
  open(id: string): Promise<Session>;
  close(id: string): Promise<void>;
  delete(id: string): Promise<void>;
}

/** Connects the open sessions of this tab with their parents, their sub-agents' sessions and their steppers. */
export class SessionFamilies {
  readonly #deps: SessionDeps;
  readonly #live: LiveSessions;
  readonly #opener: SessionOpener;
  /** Keyed by the topmost session: one stepper serves a session and all of its sub-agents. */
  readonly #steppers = new Map<string, Stepper>();
  /** Fetched when first needed. */
  #subagents: Promise<Subagents> | undefined;

  constructor(deps: SessionDeps, live: LiveSessions, opener: SessionOpener) {
    this.#deps = deps;
    this.#live = live;
    this.#opener = opener;
  }

  of(session: Session): SessionFamily {
    const { id, state } = session;
    const parent = () => writtenSession(this.#live, state.parent?.sessionID);
    return {
      tasks: (call) => this.#tasksOf(session, call),
      inherited: () => this.#grantedTo(state.parent?.sessionID),
      mode: () => parent()?.mode,
      stepper: () => (this.#steppers.size > 0 ? this.#steppers.get(this.#top(id)) : undefined),
      changed: () => {
        for (const other of this.#allWritten())
          if (other.state.parent?.sessionID === id) void other.rulesChanged();
      },
      refused: () => parent()?.refused,
      granted: (rules) => parent()?.grant(rules),
      isWorkspaceBusy: () => this.#isBusy(state.workspaceID, id),
      endTasks: () => this.closeChildren(id),
      allowedMore: () => {
        for (const other of this.#allWritten()) if (other !== session) void other.reconsider();
      },
    };
  }

  /** Returns the stepper that pauses a session of this tab and its sub-agents. */
  async stepper(id: string): Promise<Stepper> {
    const { Stepper } = await import('./stepping/stepper.ts');
    const top = this.#top(id);
    const stepper = this.#steppers.get(top) ?? new Stepper(this.#deps.ids);
    this.#steppers.set(top, stepper);
    return stepper;
  }

  turnEnded(id: string): void {
    this.#steppers.get(id)?.turnEnded();
  }

  /** Ends, in the log of the parent, the tasks whose sub-agents died with their tab. */
  async settle(parent: Session): Promise<void> {
    await (await this.#withSubagents()).settle(parent);
  }

  /** Closes the sub-agents' sessions that work for this one now. */
  async closeChildren(id: string): Promise<void> {
    const subagents = await this.#subagents?.catch(() => undefined);
    if (!subagents) return;
    const children = subagents.runningFor(id);
    await Promise.all(children.map((child) => this.#opener.close(child)));
    await Promise.all(children.map((child) => subagents.ended(child)));
  }

  #withSubagents(): Promise<Subagents> {
    const { settings, setups, timer } = this.#deps;
    const { create, open, delete: discard } = this.#opener;
    this.#subagents ??= import('./subagents/subagents.ts').then(
      ({ Subagents }) =>
        new Subagents({
          create,
          open,
          settings: () => settings(),
          setup: (id) => setups?.current(id) ?? NO_SETUP,
          discard,
          timer,
        }),
    );
    // A fetch that failed is tried again by the next call.
    this.#subagents.catch(() => (this.#subagents = undefined));
    return this.#subagents;
  }

  /** The code of sub-agents is loaded with the first call that needs it. */
  #tasksOf(session: Session, call: TaskCall): Tasks {
    const tasks = async () => (await this.#withSubagents()).tasksFor(session, call);
    return {
      agentOf: async (id) => (await tasks()).agentOf(id),
      run: async (request) => (await tasks()).run(request),
      start: async (request) => (await tasks()).start(request),
      report: async (id, waitMs) => (await tasks()).report(id, waitMs),
      cancel: async (id) => (await tasks()).cancel(id),
    };
  }

  /** The open session at the top of this one's chain of parents. */
  #top(id: string): string {
    const parentID = this.#live.get(id)?.state.parent?.sessionID;
    return parentID !== undefined && this.#live.has(parentID) ? this.#top(parentID) : id;
  }

  /** Whether another session of the workspace runs a turn. The sub-agents of this one do not count. */
  #isBusy(workspaceID: string, id: string): boolean {
    return [...this.#live.values()].some(
      ({ id: other, state }) =>
        state.turn !== null && state.workspaceID === workspaceID && this.#top(other) !== this.#top(id),
    );
  }

  #grantedTo(id: string | undefined): readonly GrantedRule[] {
    const session = id === undefined ? undefined : this.#live.get(id);
    if (!session) return [];
    return [...this.#grantedTo(session.state.parent?.sessionID), ...session.state.granted];
  }

  #allWritten(): readonly Session[] {
    return [...this.#live.values()].filter(isWritten);
  }
}

/** The session, if it is open here for writing. */
export function writtenSession(live: LiveSessions, id: string | undefined): Session | undefined {
  const session = id === undefined ? undefined : live.get(id);
  return session && isWritten(session) ? session : undefined;
}

export function isWritten(session: Session | SessionFollower): session is Session {
  return session.restores !== null;
}
