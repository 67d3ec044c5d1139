import type { Unlisten } from '../../base/listeners.ts';
import type { SessionRecord } from '../../session/log/store.ts';
import type { AppSessions, AppWorkspaces, WorkspaceSummary } from '../app.ts';
import { words } from '../words.ts';
import type { Toasts } from './toasts.svelte.ts';

export interface SessionGroup {
  readonly workspace: WorkspaceSummary;
  readonly sessions: readonly SessionRecord[];
}

export interface SessionListDeps {
  readonly sessions: AppSessions;
  readonly workspaces: AppWorkspaces;
  readonly toasts: Toasts;
  /** The page that shows one of the sessions. */
  readonly shown: {
    /** Called after each reading of the lists. */
    listed(): Promise<void>;
    /** Called before something is deleted. */
    leaveSession(id: string): void;
    leaveWorkspace(id: string): void;
  };
}

/** All sessions and workspaces, and the changes that a person can make to them. */
export class SessionList {
  readonly #deps: SessionListDeps;
  readonly #unlisten: readonly Unlisten[];
  #workspaces = $state.raw<readonly WorkspaceSummary[]>([]);
  #records = $state.raw<readonly SessionRecord[]>([]);
  #loaded = $state.raw(false);
  #stale = false;
  #refreshing = false;

  constructor(deps: SessionListDeps) {
    this.#deps = deps;
    this.#unlisten = [
      deps.sessions.onChange(() => void this.refresh()),
      deps.workspaces.onChange(() => void this.refresh()),
    ];
  }

  /** Sessions without a parent in the list. Sessions of sub-agents are reached through their parent. */
  readonly #top = $derived.by(() => {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- read once, not shown
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

  get loaded(): boolean {
    return this.#loaded;
  }

  /** The most recently used workspace. */
  get lastWorkspaceID(): string | undefined {
    return this.#workspaces[0]?.id;
  }

  has(id: string): boolean {
    return this.#records.some((record) => record.id === id);
  }

  /** Sessions of this session's sub-agents, the oldest first. */
  childrenOf(id: string): readonly SessionRecord[] {
    return this.#records
      .filter(({ state }) => state.parent?.sessionID === id)
      .sort((a, b) => a.state.created - b.state.created || (a.id < b.id ? -1 : 1));
  }

  titleOf(id: string): string {
    return this.#records.find((record) => record.id === id)?.state.title ?? '';
  }

  workspaceName(id: string | null): string {
    return this.#workspaces.find((workspace) => workspace.id === id)?.name ?? '';
  }

  /** Reads the lists again. Changes that arrive during a reading cause one more reading. */
  async refresh(): Promise<void> {
    this.#stale = true;
    if (this.#refreshing) return;
    this.#refreshing = true;
    while (this.#stale) {
      this.#stale = false;
      await this.#deps.toasts.attempt(() => this.#read());
      await this.#deps.shown.listed();
    }
    this.#refreshing = false;
  }

  async rename(id: string, title: string): Promise<void> {
    const { sessions, toasts } = this.#deps;
    await toasts.attempt(async () => (await sessions.open(id)).rename(title));
  }

  async keep(id: string, keep: boolean): Promise<void> {
    const { sessions, toasts } = this.#deps;
    await toasts.attempt(async () => (await sessions.open(id)).keep(keep));
  }

  async delete({ id, state }: SessionRecord): Promise<void> {
    const { sessions, toasts, shown } = this.#deps;
    await toasts.attempt(async () => {
      shown.leaveSession(id);
      await sessions.delete(id);
      toasts.show(words.sessionDeleted(state.title || words.untitled), {
        undo: () => void toasts.attempt(() => sessions.restore(id)),
      });
    });
  }

  async renameWorkspace(id: string, name: string): Promise<void> {
    const { workspaces, toasts } = this.#deps;
    await toasts.attempt(() => workspaces.rename(id, name));
  }

  async removeWorkspace({ id, name }: WorkspaceSummary): Promise<void> {
    const { workspaces, toasts, shown } = this.#deps;
    await toasts.attempt(async () => {
      // The session is left first, because its closing would otherwise open it again.
      shown.leaveWorkspace(id);
      await workspaces.delete(id);
      toasts.show(words.workspaceRemoved(name), {
        undo: () => void toasts.attempt(() => workspaces.restore(id)),
      });
    });
  }

  close(): void {
    for (const unlisten of this.#unlisten) unlisten();
  }

  async #read(): Promise<void> {
    const { sessions, workspaces } = this.#deps;
    const [spaces, records] = await Promise.all([workspaces.list(), sessions.list()]);
    this.#workspaces = spaces;
    this.#records = records;
    this.#loaded = true;
  }
}
