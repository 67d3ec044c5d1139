/* eslint-disable svelte/prefer-svelte-reactivity -- the maps here are bookkeeping: what is shown is in the `$state` fields */
import type { Hash } from '../../base/hash.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { ExpandedCommand } from '../../config/commands.ts';
import type { SessionRecord } from '../../session/log/store.ts';
import type { Workspace, WorkspaceKind } from '../../workspace/workspace.ts';
import type { App, ContainerNews, ModelChoice, Ready, SessionHandle, WorkspaceSummary } from '../app.ts';
import { ShownPast } from '../glass/inspector/shown-past.svelte.ts';
import { RecordingRuns } from '../glass/recording/recording-runs.svelte.ts';
import { YouRequests } from '../glass/you/you-requests.svelte.ts';
import type { Player } from '../glass/recording/player.svelte.ts';
import type { RecordingPlace } from '../glass/recording/actions.ts';
import type { AgentRuns } from '../workbench/agent-runs.ts';
import { ComparisonState } from '../glass/compare/comparison-state.svelte.ts';
import { LessonsPanel } from '../lessons/lessons-panel.svelte.ts';
import { words } from '../words.ts';
import { framePainter, type Painter } from './painter.ts';
import { agents, firstOf } from '../../agents/agents.ts';
import { listened } from '../settings/listened.svelte.ts';
import { Beginning } from './beginning.svelte.ts';
import { Dialogs } from './dialogs.svelte.ts';
import { Layout } from './layout.svelte.ts';
import { CurrentModel } from './current-model.svelte.ts';
import { Draft } from './draft.svelte.ts';
import type { Drafts } from './drafts.ts';
import { browserPreferences, type Preferences } from './preferences.ts';
import { SessionView } from './session-view.svelte.ts';
import { ShownWorkspace, type ShownStatus } from './shown-workspace.svelte.ts';
import { LiveSessions, type Activity } from './live-sessions.svelte.ts';
import { SessionModels } from './session-models.svelte.ts';
import { Stepping } from './stepping.svelte.ts';
import { Toasts } from './toasts.svelte.ts';

export interface SessionGroup {
  readonly workspace: WorkspaceSummary;
  readonly sessions: readonly SessionRecord[];
}

/** The state of the page beyond one conversation. It reads the app and stores no data of its own. */
export class AppView {
  readonly app: App;
  readonly #preferences: Preferences;
  readonly layout: Layout;
  readonly toasts = new Toasts();
  readonly dialogs = new Dialogs();
  readonly comparison = new ComparisonState();
  readonly past = new ShownPast();
  readonly runs = new RecordingRuns();
  readonly lessonsPanel: LessonsPanel;
  readonly #painter: Painter;
  readonly #unlisten: Unlisten[] = [];
  readonly draft: Draft;
  readonly #beside = new Set<SessionView>();
  #opening = 0;
  #stale = false;
  #refreshing = false;

  #workspaces = $state.raw<readonly WorkspaceSummary[]>([]);
  #records = $state.raw<readonly SessionRecord[]>([]);
  #loaded = $state.raw(false);
  #session = $state.raw<SessionView | null>(null);
  #player = $state.raw<Player | null>(null);
  readonly #place: ShownWorkspace;
  readonly #models: SessionModels;
  readonly model: CurrentModel;
  readonly you: YouRequests;
  readonly #live: LiveSessions;
  readonly #firstAgent: { readonly current: (workspaceID: string | null) => string };
  readonly beginning = new Beginning(() => this.#firstAgent.current(this.#place.id));
  readonly steps = new Stepping(
    (id) => this.app.sessions.stepper(id),
    () => this.#topID(),
    () => this.#preferences,
  );
  #busy = $state.raw(false);

  constructor(
    app: App,
    options: {
      readonly painter?: Painter;
      readonly preferences?: Preferences;
      readonly drafts?: Drafts;
    } = {},
  ) {
    this.app = app;
    this.#place = new ShownWorkspace(app);
    this.#models = new SessionModels(app);
    this.model = new CurrentModel(app.models, this.#models, {
      sessionID: () => this.#session?.id ?? '',
      workspaceID: () => this.#place.id,
      effort: () => this.#session?.effort ?? null,
      inSettings: () => this.dialogs.settingsOpen,
    });
    this.#firstAgent = listened(app.configurations, () => (id: string | null) => {
      const roster = id === null ? undefined : app.configurations.of(id)?.setup.agents;
      return firstOf(roster ?? agents).name;
    });
    this.#live = new LiveSessions(app, () => {
      for (const shown of [this.#session, ...this.#beside]) shown?.belowChanged();
    });
    this.you = new YouRequests(
      app.you,
      () => this.#session?.id ?? '',
      (id) => this.#live.above(id),
    );
    this.#painter = options.painter ?? framePainter();
    this.#preferences = options.preferences ?? browserPreferences();
    this.draft = new Draft(options.drafts);
    this.layout = new Layout(
      this.#preferences,
      // The workspace may change into one of the other kind, with another status.
      () => this.#place.status !== null && this.#place.workspace?.servers !== undefined,
    );
    this.lessonsPanel = new LessonsPanel(this.layout);
    this.#unlisten.push(
      app.sessions.onChange(() => void this.refresh()),
      app.workspaces.onChange(() => void this.refresh()),
      app.you.onChange(() => this.#live.read()),
    );
    this.#watchLive();
    void this.refresh();
  }

  /** Sessions without a parent in the list. Sessions of sub-agents are reached through their parent. */
  readonly #top = $derived.by(() => {
    const ids = new Set(this.#records.map(({ id }) => id));
    return this.#records.filter(({ state }) => !state.parent || !ids.has(state.parent.sessionID));
  });
  /**
   * Sessions grouped by workspace, the most recently used first. Workspaces without sessions are included.
   */
  readonly groups: readonly SessionGroup[] = $derived(
    this.#workspaces.map((workspace) => ({
      workspace,
      sessions: this.#top.filter((record) => record.state.workspaceID === workspace.id),
    })),
  );
  /** True if any session waits for an answer. */
  readonly waiting = $derived([...this.activities.values()].includes('waiting'));
  /** True if the person paused any session. */
  readonly paused = $derived([...this.activities.values()].includes('paused'));
  readonly working = $derived(this.activities.size > 0);

  /** Sessions of this session's sub-agents, the oldest first. */
  childrenOf(id: string): readonly SessionRecord[] {
    return this.#records
      .filter(({ state }) => state.parent?.sessionID === id)
      .sort((a, b) => a.state.created - b.state.created || (a.id < b.id ? -1 : 1));
  }

  titleOf(id: string): string {
    return this.#records.find((record) => record.id === id)?.state.title ?? '';
  }

  get loaded(): boolean {
    return this.#loaded;
  }
  get session(): SessionView | null {
    return this.#session;
  }
  get workspace(): Workspace | null {
    return this.#place.workspace;
  }
  get workspaceName(): string {
    return this.#workspaces.find((workspace) => workspace.id === this.#place.id)?.name ?? '';
  }
  get workspaceID(): string | null {
    return this.#place.id;
  }
  get status(): ShownStatus | null {
    return this.#place.status;
  }
  get workspaceTitle(): string {
    return this.#place.title;
  }
  get activities(): ReadonlyMap<string, Activity> {
    return this.#live.activities;
  }
  get agentRuns(): AgentRuns | null {
    return this.#place.id === null ? null : this.#live.runsOf(this.#place.id);
  }
  /** True while a session is being created or opened. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Shows a session, and sends its prompts to `model` from now on. */
  async showSession(session: SessionHandle, model: ModelChoice): Promise<void> {
    this.#models.set(session.id, model);
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

  closeBeside(shown: SessionView): void {
    this.#beside.delete(shown);
    shown.close();
  }

  #viewOf(session: SessionHandle): SessionView {
    return new SessionView(
      session,
      this.#painter,
      () => this.#live.below(session.id),
      () => this.#firstAgent.current(session.state.workspaceID),
    );
  }

  /** Reads the lists again. Changes that arrive during a reading cause one more reading. */
  async refresh(): Promise<void> {
    this.#stale = true;
    if (this.#refreshing) return;
    this.#refreshing = true;
    while (this.#stale) {
      this.#stale = false;
      await this.#refreshOnce();
    }
    this.#refreshing = false;
  }

  async #refreshOnce(): Promise<void> {
    try {
      const [workspaces, records] = await Promise.all([this.app.workspaces.list(), this.app.sessions.list()]);
      this.#workspaces = workspaces;
      this.#records = records;
      this.#loaded = true;
    } catch (error) {
      this.toasts.fail(error);
    }
    this.#watchLive();
    await this.#reopenReplaced();
    this.#session?.refresh();
  }

  /**
   * Opens the session again after another tab took over the workspace, or this tab did, since its handle was
   * replaced.
   */
  async #reopenReplaced(): Promise<void> {
    const session = this.#session?.session;
    if (!session || this.#player || this.#busy || this.app.sessions.live().includes(session)) return;
    // Deleted sessions are not in the list, and were left already.
    if (this.#records.some((record) => record.id === session.id))
      await this.#during(() => this.app.sessions.open(session.id));
  }

  /** Opens the session, recording or lesson that the address names, if any. */
  async openAddress(hash: string): Promise<void> {
    const shared = /^#lesson=(.*)$/s.exec(hash)?.[1];
    if (shared !== undefined) this.lessonsPanel.open({ kind: 'shared', data: shared });
    const id = /^#\/session\/([\w-]+)$/.exec(hash)?.[1];
    if (id && id !== this.#session?.id)
      await this.#during(
        () => this.app.sessions.open(id),
        // If the address changed meanwhile, its own event follows and opens what the new address names.
        () => !location.hash.startsWith('#/session/') || location.hash === hash,
      );
    const data = /^#recording=(.+)$/s.exec(hash)?.[1];
    if (data) await this.openRecording({ data });
  }

  /** Shows a recording: from its address, from a link, or from a file that the person then chooses. */
  async openRecording(from: RecordingPlace): Promise<void> {
    const turn = ++this.#opening;
    await this.toasts.attempt(async () => {
      const { playerOf } = await import('../glass/recording/actions.ts');
      const player = await playerOf(from, this.app.recordings, this.toasts);
      if (player && turn === this.#opening) this.play(player);
    });
  }

  /** Plays a recording of the demo, so that the person has nothing to answer. */
  async watchRecorded(): Promise<void> {
    await this.openRecording({ address: 'examples/demo.vitrine.json' });
    this.#player?.play();
  }

  /** The recording that is shown in place of a session. */
  get player(): Player | null {
    return this.#player;
  }

  /** Reads content by its hash, from the shown recording first. */
  async blob(hash: Hash): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#player?.content(hash) ?? (await this.app.blob(hash));
  }

  /** Shows the session of a player. */
  play(player: Player): void {
    this.#leaveWorkspace();
    const session = new SessionView(player.session, this.#painter);
    player.onJump = () => session.replaced();
    this.#session = session;
    this.draft.show(session.id);
    this.#player = player;
    this.layout.show('chat');
    this.#busy = false;
  }

  #leaveWorkspace(): void {
    this.#session?.close();
    this.#player?.close();
    this.#player = null;
    this.#place.leave();
  }

  /** Returns false if no session was created, or if it rejected the choices made for it. */
  async newSession(): Promise<boolean> {
    return this.#begin(
      async () => this.#place.id ?? this.#workspaces[0]?.id ?? (await this.#makeWorkspace()),
    );
  }

  async newWorkspace(kind?: WorkspaceKind): Promise<void> {
    // Only a workspace that the person asked for may contact StackBlitz, not one that a first message
    // creates.
    await this.#begin(() => this.#makeWorkspace({ mayTryContainer: true, ...(kind && { kind }) }));
  }

  async beModel(): Promise<void> {
    await this.#start((ready) => this.app.startYou(ready));
  }

  async watchDemo(): Promise<void> {
    await this.#start((ready) => this.app.startDemo(ready));
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
        if (begun !== null) await this.steps.takeBack(begun);
        throw error;
      }
    });
  }

  /** If no session is shown, the new session gets the settings of the step bar. */
  #ready(): Ready {
    const first = this.#session === null;
    return async ({ id }) => {
      if (first) await this.steps.handOver(id);
    };
  }

  /**
   * Creates a session. If none was shown, the new session gets the choices and the text from the message box.
   */
  async #begin(workspace: () => Promise<string>): Promise<boolean> {
    const before = this.#session;
    await this.#during(async () => this.app.sessions.create({ workspaceID: await workspace() }));
    const session = this.#session;
    if (!session || session === before) return false;
    if (before) return true;
    this.draft.handOver();
    this.#models.handTo(session.id);
    try {
      await this.beginning.handTo(session);
      await this.steps.handOver();
      return true;
    } catch (error) {
      this.toasts.fail(error);
      return false;
    }
  }

  /**
   * Sends the typed text, and creates a session if there is none. The text returns to the box if it was not
   * accepted.
   */
  async send(): Promise<void> {
    const text = this.draft.text.trim();
    if (text === '' || this.#busy) return;
    if (!this.model.choice) return this.dialogs.openSettings();
    if (!this.#session && !(await this.newSession())) return;
    const session = this.#session;
    if (!session) return;
    const typed = this.draft.text;
    this.past.view?.leave();
    this.draft.set('');
    try {
      const command = text.startsWith('/') ? await this.#command(text) : undefined;
      if (command) {
        const model = this.#models.usable(command.model, this.#place.id) ?? this.model.ref;
        await session.prompt(command.text, model, command.agent);
      }
      if (!command) await session.prompt(text, this.model.ref);
    } catch (error) {
      if (this.draft.text === '') this.draft.set(typed);
      this.toasts.fail(error);
    }
  }

  /** Expands a command from a configuration file; `undefined` if the text names none. */
  async #command(text: string): Promise<ExpandedCommand | undefined> {
    const id = this.#place.id;
    if (id === null) return undefined;
    await this.app.configurations.refresh(id);
    const configuration = this.app.configurations.of(id);
    if (!configuration) return undefined;
    const { expandCommand } = await import('../../config/commands.ts');
    return expandCommand(text, configuration.commands, configuration.setup.agents);
  }

  #topID(): string {
    const id = this.#session?.id ?? '';
    return this.#live.above(id).at(-1) ?? id;
  }

  compact(): void {
    try {
      this.#session?.session.compact(this.model.ref ?? undefined);
    } catch (error) {
      this.toasts.fail(error);
    }
  }

  async retry(): Promise<void> {
    try {
      await this.#session?.retry(this.model.ref);
    } catch (error) {
      this.toasts.fail(error);
    }
  }

  async renameSession(id: string, title: string): Promise<void> {
    await this.toasts.attempt(async () => (await this.app.sessions.open(id)).rename(title));
  }

  async keepSession(id: string, keep: boolean): Promise<void> {
    await this.toasts.attempt(async () => (await this.app.sessions.open(id)).keep(keep));
  }

  async deleteSession(record: SessionRecord): Promise<void> {
    await this.toasts.attempt(async () => {
      if (this.#session?.id === record.id) this.#leave();
      await this.app.sessions.delete(record.id);
      this.toasts.show(words.sessionDeleted(record.state.title || words.untitled), {
        undo: () => void this.toasts.attempt(() => this.app.sessions.restore(record.id)),
      });
    });
  }

  async renameWorkspace(id: string, name: string): Promise<void> {
    await this.toasts.attempt(() => this.app.workspaces.rename(id, name));
  }

  async removeWorkspace(workspace: WorkspaceSummary): Promise<void> {
    await this.toasts.attempt(async () => {
      // The session is left first, because its closing would otherwise open it again.
      if (this.#place.id === workspace.id) this.#leave();
      await this.app.workspaces.delete(workspace.id);
      this.toasts.show(words.workspaceRemoved(workspace.name), {
        undo: () => void this.toasts.attempt(() => this.app.workspaces.restore(workspace.id)),
      });
    });
  }

  /** The progress and result of the attempt to use a container for the shown workspace. */
  get containerNews(): ContainerNews | null {
    return this.#place.id === null ? null : this.app.containers.news(this.#place.id);
  }

  async acceptContainer(): Promise<void> {
    const id = this.#place.id;
    if (id === null) return;
    await this.toasts.attempt(async () => {
      if (!(await this.app.containers.accept(id))) await this.newWorkspace('webcontainer');
    });
  }

  async retryContainer(): Promise<void> {
    const id = this.#place.id;
    if (id !== null) await this.toasts.attempt(() => this.app.containers.retry(id));
  }

  dismissContainer(): void {
    if (this.#place.id !== null) this.app.containers.dismiss(this.#place.id);
  }

  async useEmbedded(): Promise<void> {
    const id = this.#place.id;
    if (id !== null) await this.toasts.attempt(() => this.app.containers.useEmbedded(id));
  }

  async restartWorkspace(): Promise<void> {
    await this.toasts.attempt(async () => this.#place.workspace?.restart?.());
  }

  async takeOver(): Promise<void> {
    const id = this.#place.id;
    if (id) await this.toasts.attempt(() => this.app.workspaces.takeOver(id));
    this.#session?.refresh();
  }

  close(): void {
    for (const unlisten of this.#unlisten) unlisten();
    this.#live.close();
    this.model.close();
    this.#place.close();
    this.#session?.close();
  }

  async #makeWorkspace(how?: { kind?: WorkspaceKind; mayTryContainer: boolean }): Promise<string> {
    return (await this.app.workspaces.create(how)).id;
  }

  async #during(open: () => Promise<SessionHandle>, isWanted = () => true): Promise<void> {
    // The last click wins: if another opening began meanwhile, this one is not shown.
    const turn = ++this.#opening;
    const showDraft = this.draft.opening();
    this.#busy = true;
    try {
      const session = await open();
      await this.#models.keep(session);
      if (turn !== this.#opening || !isWanted()) return;
      this.#enter(session);
      showDraft(session.id);
    } catch (error) {
      if (turn === this.#opening) this.toasts.fail(error);
    } finally {
      if (turn === this.#opening) this.#busy = false;
    }
  }

  #enter(session: SessionHandle): void {
    this.#session?.close();
    this.#player?.close();
    this.#player = null;
    this.#session = this.#viewOf(session);
    this.layout.show('chat');
    const hash = `#/session/${session.id}`;
    if (location.hash !== hash) history.pushState(null, '', hash);
    this.#watchLive();
    void this.#place.enter(session.state.workspaceID);
    void this.toasts.attempt(() => this.steps.reopen());
  }

  #leave(): void {
    // An opening that is still under way is not shown, and nothing waits for it.
    this.#opening++;
    this.#busy = false;
    this.#session?.close();
    this.#player?.close();
    this.#player = null;
    this.#session = null;
    this.draft.show('');
    history.pushState(null, '', location.pathname + location.search);
  }

  #watchLive(): void {
    this.#live.watch(this.#player ? null : (this.#session?.session ?? null));
  }
}
