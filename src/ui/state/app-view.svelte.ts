import { firstOf, agents } from '../../agents/agents.ts';
import type { Hash } from '../../base/hash.ts';
import { ownFile } from '../../base/page-build.ts';
import type { WorkspaceKind } from '../../workspace/workspace.ts';
import type { App, ModelChoice, Ready, SessionHandle } from '../app.ts';
import type { RecordingPlace } from '../glass/recording/actions.ts';
import type { Player } from '../glass/recording/player.svelte.ts';
import type { LessonsPanel } from '../lessons/lessons-panel.svelte.ts';
import { listened } from '../settings/listened.svelte.ts';
import { Beginning } from './beginning.svelte.ts';
import type { Draft } from './draft.svelte.ts';
import type { Layout } from './layout.svelte.ts';
import type { LiveSessions } from './live-sessions.svelte.ts';
import type { Painter } from './painter.ts';
import type { SessionList } from './session-list.svelte.ts';
import type { SessionModels } from './session-models.svelte.ts';
import { SessionView } from './session-view.svelte.ts';
import type { ShownWorkspace } from './shown-workspace.svelte.ts';
import type { Stepping } from './stepping.svelte.ts';
import type { Toasts } from './toasts.svelte.ts';

export interface AppViewDeps {
  readonly app: Pick<
    App,
    | 'sessions'
    | 'workspaces'
    | 'configurations'
    | 'recordings'
    | 'startDemo'
    | 'startPageDemo'
    | 'startYou'
    | 'blob'
  >;
  readonly painter: Painter;
  readonly workspace: ShownWorkspace;
  readonly list: SessionList;
  readonly live: LiveSessions;
  readonly models: SessionModels;
  readonly steps: Stepping;
  readonly draft: Draft;
  readonly layout: Layout;
  readonly lessons: Pick<LessonsPanel, 'open'>;
  readonly toasts: Toasts;
}

/** {@link AppView} for the components of the page and their tests. */
export type View = Pick<AppView, keyof AppView>;

/** The session or recording that is shown, and the ways to show another one. */
export class AppView {
  readonly #deps: AppViewDeps;
  readonly #firstAgent: { readonly current: (workspaceID: string | null) => string };
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- bookkeeping: it is not shown
  readonly #beside = new Set<SessionView>();
  readonly beginning = new Beginning(() => this.#firstAgent.current(this.#deps.workspace.id));
  #opening = 0;
  #session = $state.raw<SessionView | null>(null);
  #player = $state.raw<Player | null>(null);
  #busy = $state.raw(false);

  constructor(deps: AppViewDeps) {
    this.#deps = deps;
    const { configurations } = deps.app;
    this.#firstAgent = listened(configurations, () => (id: string | null) => {
      const roster = id === null ? undefined : configurations.of(id)?.setup.agents;
      return firstOf(roster ?? agents).name;
    });
  }

  get session(): SessionView | null {
    return this.#session;
  }
  /** The recording that is shown in place of a session. */
  get player(): Player | null {
    return this.#player;
  }
  /** True while a session is being created or opened. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Reads content by its hash, from the shown recording first. */
  async blob(hash: Hash): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#player?.content(hash) ?? (await this.#deps.app.blob(hash));
  }

  /** Opens the session, recording or lesson that the address names, if any. */
  async openAddress(hash: string): Promise<void> {
    const shared = /^#lesson=(.*)$/s.exec(hash)?.[1];
    if (shared !== undefined) this.#deps.lessons.open({ kind: 'shared', data: shared });
    const id = /^#\/session\/([\w-]+)$/.exec(hash)?.[1];
    if (id && id !== this.#session?.id)
      await this.#during(
        () => this.#deps.app.sessions.open(id),
        // If the address changed meanwhile, its own event follows and opens what the new address names.
        () => !location.hash.startsWith('#/session/') || location.hash === hash,
      );
    const data = /^#recording=(.+)$/s.exec(hash)?.[1];
    if (data) await this.openRecording({ data });
  }

  /** Call this when a link to a session was clicked. If the address names it already, the browser does nothing then. */
  async clicked(id: string): Promise<void> {
    const hash = `#/session/${id}`;
    if (location.hash === hash) await this.openAddress(hash);
  }

  /**
   * Shows a recording: from its address, from a link, from a file, or from one that the person then chooses. `plays`: the person has
   * asked to watch it, so it begins by itself.
   */
  async openRecording(from: RecordingPlace, { plays = false } = {}): Promise<void> {
    const turn = ++this.#opening;
    const { app, toasts } = this.#deps;
    await toasts.attempt(async () => {
      const { playerOf } = await import('../glass/recording/actions.ts');
      const player = await playerOf(from, app.recordings, toasts);
      if (!player || turn !== this.#opening) return;
      this.play(player);
      if (plays) player.play();
    });
  }

  /** Plays a recording of the demo, so that the person has nothing to answer. */
  async watchRecorded(): Promise<void> {
    await this.openRecording({ address: ownFile('examples/demo.vitrine.json') }, { plays: true });
  }

  /** Shows the session of a player. */
  play(player: Player): void {
    const { draft, layout, painter, workspace } = this.#deps;
    this.#close();
    workspace.leave();
    const session = new SessionView(player.session, painter);
    player.onJump = () => session.replaced();
    this.#session = session;
    this.#player = player;
    draft.show(session.id);
    layout.show('chat');
    this.#busy = false;
  }

  /** Shows a session, and sends its prompts to `model` from now on. */
  async showSession(session: SessionHandle, model: ModelChoice): Promise<void> {
    this.#deps.models.set(session.id, model);
    const ready = this.#ready();
    if (this.#session?.id !== session.id) await this.#during(async () => session);
    await ready(session);
  }

  /** Shows a session besides the open one, until {@link closeBeside} is called. */
  showBeside(session: SessionHandle): SessionView {
    const shown = this.#viewOf(session);
    this.#beside.add(shown);
    return shown;
  }

  /** Whether the session is on the page, alone or beside another one. */
  shows(id: string): boolean {
    return this.#session?.id === id || [...this.#beside].some((each) => each.id === id);
  }

  closeBeside(shown: SessionView): void {
    this.#beside.delete(shown);
    shown.close();
  }

  /**
   * Without `workspaceID`, the session is in the shown workspace, or the last used one. Returns false if no session was
   * created, or if it rejected the choices made for it.
   */
  async newSession(workspaceID?: string): Promise<boolean> {
    const { list, workspace } = this.#deps;
    const known = workspaceID ?? workspace.id ?? list.lastWorkspaceID;
    return this.#begin(async () => known ?? (await this.#makeWorkspace()));
  }

  async newWorkspace(kind?: WorkspaceKind): Promise<void> {
    // Only a workspace that the person asked for may contact StackBlitz, not one that a first message
    // creates.
    await this.#begin(() => this.#makeWorkspace({ mayTryContainer: true, ...(kind && { kind }) }));
  }

  async beModel(): Promise<void> {
    await this.#start((ready) => this.#deps.app.startYou(ready));
  }

  async watchDemo(): Promise<void> {
    await this.#start((ready) => this.#deps.app.startDemo(ready));
  }

  /** The page appears beside the conversation, or after it where there is room for one of them. */
  async watchPageDemo(): Promise<void> {
    const { app, layout } = this.#deps;
    await this.#start((ready) =>
      app.startPageDemo(async (session) => {
        await ready(session);
        if (!layout.narrow) layout.show('preview');
      }),
    );
  }

  /** Call this after the lists of sessions were read, since the handle of the shown one may be replaced. */
  async listed(): Promise<void> {
    this.#watchLive();
    await this.#reopenReplaced();
    this.#session?.refresh();
  }

  /** Call this when something happened in a sub-agent's session. */
  belowChanged(): void {
    for (const shown of [this.#session, ...this.#beside]) shown?.belowChanged();
  }

  leaveSession(id: string): void {
    if (this.#session?.id === id) this.#leave();
  }

  leaveWorkspace(id: string): void {
    const { workspace } = this.#deps;
    if (workspace.id !== id) return;
    this.#leave();
    workspace.leave();
  }

  close(): void {
    this.#session?.close();
  }

  async #start(start: (ready: Ready) => Promise<SessionHandle>): Promise<void> {
    const ready = this.#ready();
    let begun: string | null = null;
    await this.#during(async () => {
      try {
        return await start(async (session) => {
          begun = session.id;
          await ready(session);
        });
      } catch (error) {
        if (begun !== null) await this.#deps.steps.takeBack(begun);
        throw error;
      }
    });
  }

  /** If no session is shown, the new session gets the settings of the step bar. */
  #ready(): Ready {
    const first = this.#session === null;
    return async ({ id }) => {
      if (first) await this.#deps.steps.handOver(id);
    };
  }

  /**
   * Creates a session. If none was shown, the new session gets the choices and the text from the message box.
   */
  async #begin(workspace: () => Promise<string>): Promise<boolean> {
    const { app, draft, models, steps, toasts } = this.#deps;
    const before = this.#session;
    await this.#during(async () => app.sessions.create({ workspaceID: await workspace() }));
    const session = this.#session;
    if (!session || session === before) return false;
    if (before) return true;
    draft.handOver();
    models.handTo(session.id);
    try {
      await this.beginning.handTo(session);
      await steps.handOver();
      return true;
    } catch (error) {
      toasts.fail(error);
      return false;
    }
  }

  async #makeWorkspace(how?: { kind?: WorkspaceKind; mayTryContainer: boolean }): Promise<string> {
    return (await this.#deps.app.workspaces.create(how)).id;
  }

  async #during(open: () => Promise<SessionHandle>, isWanted = () => true): Promise<void> {
    // The last click wins: if another opening began meanwhile, this one is not shown.
    const turn = ++this.#opening;
    const { draft, models, toasts } = this.#deps;
    const showDraft = draft.opening();
    this.#busy = true;
    try {
      const session = await open();
      await models.keep(session);
      if (turn !== this.#opening || !isWanted()) return;
      this.#enter(session);
      showDraft(session.id);
    } catch (error) {
      if (turn === this.#opening) toasts.fail(error);
    } finally {
      if (turn === this.#opening) this.#busy = false;
    }
  }

  /**
   * Opens the session again after another tab took over the workspace, or this tab did, since its handle was
   * replaced.
   */
  async #reopenReplaced(): Promise<void> {
    const { app, list } = this.#deps;
    const session = this.#session?.session;
    if (!session || this.#player || this.#busy || app.sessions.live().includes(session)) return;
    // Deleted sessions are not in the list, and were left already.
    if (list.has(session.id)) await this.#during(() => app.sessions.open(session.id));
  }

  #enter(session: SessionHandle): void {
    const { layout, steps, toasts, workspace } = this.#deps;
    this.#close();
    this.#session = this.#viewOf(session);
    layout.show('chat');
    const hash = `#/session/${session.id}`;
    if (location.hash !== hash) history.pushState(null, '', hash);
    this.#watchLive();
    void workspace.enter(session.state.workspaceID);
    void toasts.attempt(() => steps.reopen());
  }

  #leave(): void {
    // An opening that is still under way is not shown, and nothing waits for it.
    this.#opening++;
    this.#busy = false;
    this.#close();
    this.#session = null;
    this.#deps.draft.show('');
    history.pushState(null, '', location.pathname + location.search);
  }

  #close(): void {
    this.#session?.close();
    this.#player?.close();
    this.#player = null;
  }

  #viewOf(session: SessionHandle): SessionView {
    return new SessionView(
      session,
      this.#deps.painter,
      () => this.#deps.live.below(session.id),
      () => this.#firstAgent.current(session.state.workspaceID),
    );
  }

  #watchLive(): void {
    this.#deps.live.watch(this.#player ? null : (this.#session?.session ?? null));
  }
}
