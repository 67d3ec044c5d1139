/* eslint-disable svelte/prefer-svelte-reactivity -- the maps here are bookkeeping: what is shown is in the `$state` fields */
import type { Unlisten } from '../../base/listeners.ts';
import type { EventType } from '../../session/events.ts';
import type { App, SessionHandle } from '../app.ts';
import { AgentRuns } from '../workbench/agent-runs.ts';

/** What a session is at, as its row says it. */
export type Activity = 'working' | 'paused' | 'waiting';

/** What goes on in the sessions that are open in this tab, shown or not. */
export class LiveSessions {
  readonly #app: App;
  /** Something happened in a session that works for another. */
  readonly #belowChanged: () => void;
  readonly #watched = new Map<SessionHandle, Unlisten>();
  /** By workspace: what the agent ran there since the page was loaded, for the terminal. */
  readonly #agentRuns = new Map<string, AgentRuns>();
  #activities = $state.raw<ReadonlyMap<string, Activity>>(new Map());

  constructor(app: App, belowChanged: () => void) {
    this.#app = app;
    this.#belowChanged = belowChanged;
  }

  get activities(): ReadonlyMap<string, Activity> {
    return this.#activities;
  }

  /** Those that are live now, and this one. */
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

  /** The sessions that this one works for, nearest first. */
  above(id: string): readonly string[] {
    const session = this.#app.sessions.live().find((each) => each.id === id);
    const parentID = session?.state.parent?.sessionID;
    return parentID === undefined ? [] : [parentID, ...this.above(parentID)];
  }

  /** Those that work for it. */
  below(id: string): readonly SessionHandle[] {
    return this.#app.sessions.live().filter((session) => this.above(session.id).includes(id));
  }

  /** What each is at by now. */
  read(): void {
    const asked = new Set(this.#app.you.waiting().map(({ sessionID }) => sessionID));
    const next = new Map<string, Activity>();
    for (const { id, state } of this.#watched.keys()) {
      const asks = state.pending.size + state.questions.size > 0 || asked.has(id);
      const activity = asks ? 'waiting' : state.paused ? 'paused' : 'working';
      if (activity === 'working' && !state.turn) continue;
      // What works for a session makes its row busy too: that row may be all that is seen of it.
      for (const above of [id, ...this.above(id)])
        if (next.get(above) !== 'waiting' && (activity !== 'working' || !next.has(above)))
          next.set(above, activity);
    }
    const same =
      next.size === this.#activities.size &&
      [...next].every(([id, activity]) => this.#activities.get(id) === activity);
    if (!same) this.#activities = next;
  }

  close(): void {
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

/** Events of a sub-agent that change what the page of its parent shows. */
const TELLING: ReadonlySet<EventType> = new Set([
  'step.ended',
  'permission.asked',
  'permission.answered',
  'question.asked',
  'question.answered',
  'pause.began',
  'pause.ended',
]);
