/* eslint-disable svelte/prefer-svelte-reactivity -- the maps here are bookkeeping: what is shown is in the `$state` fields */
import type { Unlisten } from '../../base/listeners.ts';
import type { EventType, TurnStatus } from '../../session/log/events.ts';
import type { App, SessionHandle } from '../app.ts';
import { AgentRuns } from '../workbench/agent-runs.ts';

/** The activity that a session's row shows. */
export type Activity = 'working' | 'paused' | 'waiting';

/** The activities of the sessions that are open in this tab, shown or not. */
export class LiveSessions {
  readonly #app: Pick<App, 'sessions' | 'you' | 'blob'>;
  /** Called when something happened in a sub-agent's session. */
  readonly #belowChanged: () => void;
  readonly #unlisten: Unlisten;
  readonly #watched = new Map<SessionHandle, Unlisten>();
  /** The agent's shell runs since the page was loaded, keyed by workspace, for the terminal. */
  readonly #agentRuns = new Map<string, AgentRuns>();
  #activities = $state.raw<ReadonlyMap<string, Activity>>(new Map());
  #endings = $state.raw<ReadonlyMap<string, TurnStatus>>(new Map());
  #waits = $state.raw<readonly string[]>([]);

  constructor(app: Pick<App, 'sessions' | 'you' | 'blob'>, belowChanged: () => void) {
    this.#app = app;
    this.#belowChanged = belowChanged;
    this.#unlisten = app.you.onChange(() => this.read());
    this.watch(null);
  }

  get activities(): ReadonlyMap<string, Activity> {
    return this.#activities;
  }

  /** How the last turn of each session ended in which nothing runs now. The stored record may be older. */
  get endings(): ReadonlyMap<string, TurnStatus> {
    return this.#endings;
  }

  /** The sessions that wait for the person, in the order in which they began to. A sub-agent's counts as its parent. */
  get waits(): readonly string[] {
    return this.#waits;
  }

  /** The next session that waits, seen from the shown one; `undefined` if no other does. */
  nextWait(shownID: string): string | undefined {
    const top = this.topOf(shownID);
    const next = this.#waits[(this.#waits.indexOf(top) + 1) % this.#waits.length];
    return next === top ? undefined : next;
  }

  /** True if any session waits for an answer. */
  readonly waiting = $derived([...this.activities.values()].includes('waiting'));
  /** True if the person paused any session. */
  readonly paused = $derived([...this.activities.values()].includes('paused'));
  readonly working = $derived(this.activities.size > 0);

  /** Watches the sessions that are live now, and the shown one. */
  watch(shown: SessionHandle | null): void {
    const live = new Set(this.#app.sessions.live());
    if (shown) live.add(shown);
    for (const [session, unlisten] of this.#watched) {
      if (live.has(session)) continue;
      unlisten();
      this.#watched.delete(session);
    }
    for (const session of live)
      if (!this.#watched.has(session)) this.#watched.set(session, this.#listen(session));
    this.read();
  }

  runsOf(workspaceID: string): AgentRuns {
    const known = this.#agentRuns.get(workspaceID);
    const runs = known ?? new AgentRuns((hash) => this.#app.blob(hash));
    if (!known) this.#agentRuns.set(workspaceID, runs);
    return runs;
  }

  /** The ids of a session's parents, nearest first. */
  above(id: string): readonly string[] {
    const session = this.#app.sessions.live().find((each) => each.id === id);
    const parentID = session?.state.parent?.sessionID;
    return parentID === undefined ? [] : [parentID, ...this.above(parentID)];
  }

  /** The session at the top of this one's parents, or the session itself. */
  topOf(id: string): string {
    return this.above(id).at(-1) ?? id;
  }

  /** The live sessions of this session's sub-agents, at any depth. */
  below(id: string): readonly SessionHandle[] {
    return this.#app.sessions.live().filter((session) => this.above(session.id).includes(id));
  }

  /** Computes the activity of each session again. */
  read(): void {
    const asked = new Set(this.#app.you.waiting().map(({ sessionID }) => sessionID));
    const next = new Map<string, Activity>();
    const endings = new Map<string, TurnStatus>();
    for (const { id, state } of this.#watched.keys()) {
      const asks = state.pending.size + state.questions.size > 0 || asked.has(id);
      const activity = asks ? 'waiting' : state.paused ? 'paused' : 'working';
      if (activity === 'working' && !state.turn) {
        if (state.lastTurn) endings.set(id, state.lastTurn.status);
        continue;
      }
      // A busy sub-agent makes the rows of its parents busy too, since these may be the only visible ones.
      for (const above of [id, ...this.above(id)])
        if (next.get(above) !== 'waiting' && (activity !== 'working' || !next.has(above)))
          next.set(above, activity);
    }
    if (!sameEntries(endings, this.#endings)) this.#endings = endings;
    if (sameEntries(next, this.#activities)) return;
    this.#activities = next;
    const waits = [...next].flatMap(([id, activity]) => (activity === 'waiting' ? [this.topOf(id)] : []));
    this.#waits = [...new Set([...this.#waits.filter((id) => waits.includes(id)), ...waits])];
  }

  close(): void {
    this.#unlisten();
    for (const unlisten of this.#watched.values()) unlisten();
  }

  #listen(session: SessionHandle): Unlisten {
    const runs = this.runsOf(session.state.workspaceID);
    return session.onEvents((events) => {
      runs.feed(events);
      if (session.state.parent && events.some(({ type }) => TELLING.has(type))) this.#belowChanged();
      this.read();
    });
  }
}

/** Events of a sub-agent that change the page of its parent. */
const TELLING: ReadonlySet<EventType> = new Set([
  'step.ended',
  'permission.asked',
  'permission.answered',
  'question.asked',
  'question.answered',
  'pause.began',
  'pause.ended',
]);

function sameEntries<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>): boolean {
  return a.size === b.size && [...a].every(([id, value]) => b.get(id) === value);
}
