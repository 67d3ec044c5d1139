import { faultOf } from '../../base/fault.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { Workspace, WorkspaceStatus } from '../../workspace/workspace.ts';
import type { App, ContainerNews } from '../app.ts';
import { listened } from '../settings/listened.svelte.ts';

/** The status of the shown workspace; `elsewhere` means that another tab has it. */
export type ShownStatus = WorkspaceStatus | { readonly state: 'elsewhere' };

/** The workspace of the shown session: it is opened, watched, and left for another one. */
export class ShownWorkspace {
  readonly #app: Pick<App, 'workspaces' | 'configurations'>;
  readonly #news: { readonly current: ContainerNews | null };
  #unlisten: Unlisten = () => {};
  #unlook: Unlisten = () => {};
  #id = $state.raw<string | null>(null);
  #workspace = $state.raw<Workspace | null>(null);
  #status = $state.raw<ShownStatus | null>(null);
  #title = $state.raw('');

  constructor(app: Pick<App, 'workspaces' | 'configurations' | 'containers'>) {
    this.#app = app;
    const { containers } = app;
    this.#news = listened(containers, () => (this.#id === null ? null : containers.news(this.#id)));
  }

  get id(): string | null {
    return this.#id;
  }
  /** `null` while the workspace is opening, and if opening failed. */
  get workspace(): Workspace | null {
    return this.#workspace;
  }
  get status(): ShownStatus | null {
    return this.#status;
  }
  get title(): string {
    return this.#title;
  }

  /** The progress and result of the attempt to use a container for the workspace. */
  get containerNews(): ContainerNews | null {
    return this.#news.current;
  }

  /** Never rejects: the status shows what went wrong. */
  async enter(id: string): Promise<void> {
    if (id === this.#id && this.#workspace && this.#workspace.status.state !== 'closed') return;
    const unlook = this.#app.workspaces.look(id);
    this.leave();
    this.#unlook = unlook;
    this.#id = id;
    this.#status = { state: 'starting' };
    try {
      const workspace = await this.#app.workspaces.open(id);
      if (this.#id !== id) return;
      this.#workspace = workspace;
      this.#status = workspace.status;
      this.#unlisten = workspace.onStatus((status) => {
        this.#status = status;
        // The workspace may have changed into one of the other kind.
        if (status.state === 'ready') this.#readTitle(id, workspace);
      });
      this.#readTitle(id, workspace);
      void this.#app.configurations.refresh(id).catch(() => undefined);
    } catch (error) {
      const { code, what } = faultOf(error);
      if (this.#id !== id) return;
      this.#status =
        code === 'workspace-elsewhere' ? { state: 'elsewhere' } : { state: 'failed', reason: what };
    }
  }

  leave(): void {
    this.close();
    this.#id = null;
    this.#workspace = null;
    this.#title = '';
    this.#status = null;
  }

  close(): void {
    this.#unlisten();
    this.#unlisten = () => {};
    this.#unlook();
    this.#unlook = () => {};
  }

  /** If the title cannot be read, the workspace's own status shows why. */
  #readTitle(id: string, workspace: Workspace): void {
    workspace.capabilities().then(
      ({ title }) => {
        if (this.#id === id) this.#title = title;
      },
      () => {},
    );
  }
}
