/* eslint-disable svelte/prefer-svelte-reactivity -- the maps here are made anew with each reading */
import { grouped } from '../../base/grouped.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { SessionRecord } from '../../session/log/store.ts';
import type { AppSessions, AppWorkspaces, WorkspaceSummary } from '../app.ts';
import { words } from '../words.ts';
import type { Toasts } from './toasts.svelte.ts';

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
  /** The time by which each session is sorted. */
  #places: ReadonlyMap<string, number> = new Map();
  #stale = false;
  #refreshing = false;

  constructor(deps: SessionListDeps) {
    this.#deps = deps;
    this.#unlisten = [
      deps.sessions.onChange(() => void this.refresh()),
      deps.workspaces.onChange(() => void this.refresh()),
    ];
  }

  readonly #byID = $derived(new Map(this.#records.map((record) => [record.id, record])));
  readonly #children = $derived(
    grouped(
      this.#records.filter(({ state }) => state.parent),
      ({ state }) => state.parent?.sessionID ?? '',
    ),
  );
  /**
   * Sessions without a parent in the list, the last used one first. Sessions of sub-agents are reached through their
   * parent.
   */
  readonly top: readonly SessionRecord[] = $derived(
    this.#records.filter(({ state }) => !state.parent || !this.#byID.has(state.parent.sessionID)),
  );

  /** The most recently used workspace first, also those without sessions. */
  get workspaces(): readonly WorkspaceSummary[] {
    return this.#workspaces;
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  /** The most recently used workspace. */
  get lastWorkspaceID(): string | undefined {
    return this.#workspaces[0]?.id;
  }

  has(id: string): boolean {
    return this.#byID.has(id);
  }

  record(id: string): SessionRecord | undefined {
    return this.#byID.get(id);
  }

  /** False if the session's workspace was removed, which an undo brings back, and if there is no such session. */
  hasWorkspaceOf(id: string): boolean {
    const workspaceID = this.#byID.get(id)?.state.workspaceID;
    return this.#workspaces.some((workspace) => workspace.id === workspaceID);
  }

  /** Sessions of this session's sub-agents, the oldest first. */
  childrenOf(id: string): readonly SessionRecord[] {
    return [...(this.#children.get(id) ?? [])].sort(
      (a, b) => a.state.created - b.state.created || (a.id < b.id ? -1 : 1),
    );
  }

  titleOf(id: string): string {
    return this.#byID.get(id)?.state.title ?? '';
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

  async pin(id: string, pinned: boolean): Promise<void> {
    const { sessions, toasts } = this.#deps;
    await toasts.attempt(() => sessions.mark(id, { pinned }));
  }

  /** An archived session is out of the list; nothing of it is deleted. */
  async archive({ id, state }: SessionRecord, archived: boolean): Promise<void> {
    const { sessions, toasts } = this.#deps;
    await toasts.attempt(async () => {
      await sessions.mark(id, { archived });
      if (!archived) return;
      toasts.show(words.sessionArchived(state.title || words.untitled), {
        undo: () => void toasts.attempt(() => sessions.mark(id, { archived: false })),
      });
    });
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
    const { sessions, workspaces, shown } = this.#deps;
    const [spaces, records] = await Promise.all([workspaces.list(), sessions.list()]);
    const removed = this.#workspaces.filter(({ id }) => spaces.every((space) => space.id !== id));
    this.#workspaces = spaces;
    this.#records = this.#inOrder(records);
    this.#loaded = true;
    // Another tab may have removed them.
    for (const { id } of removed) shown.leaveWorkspace(id);
  }

  /**
   * The last used session first. While sessions run side by side each of their events is a use, so a session that is
   * open here moves only when a turn of it begins.
   */
  #inOrder(records: readonly SessionRecord[]): readonly SessionRecord[] {
    const live = new Map(this.#deps.sessions.live().map(({ id, state }) => [id, state.turn?.started ?? 0]));
    const places = new Map(
      records.map(({ id, state }) => {
        const began = live.get(id);
        const place = began === undefined ? undefined : this.#places.get(id);
        return [id, place === undefined ? state.updated : Math.max(place, began ?? 0)];
      }),
    );
    this.#places = places;
    return [...records].sort((a, b) => (places.get(b.id) ?? 0) - (places.get(a.id) ?? 0));
  }
}
