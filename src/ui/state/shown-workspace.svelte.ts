import { faultOf } from '../../base/fault.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { Workspace, WorkspaceStatus } from '../../workspace/workspace.ts';
import type { App } from '../app.ts';

/** Of the shown workspace; `elsewhere`: another tab has it. */
export type ShownStatus = WorkspaceStatus | { readonly state: 'elsewhere' };

/** The workspace of what is shown: opened, followed, and left for another. */
export class ShownWorkspace {
  readonly #app: App;
  #unlisten: Unlisten = () => {};
  #id = $state.raw<string | null>(null);
  #workspace = $state.raw<Workspace | null>(null);
  #status = $state.raw<ShownStatus | null>(null);
  #title = $state.raw('');

  constructor(app: App) {
    this.#app = app;
  }

  get id(): string | null {
    return this.#id;
  }
  /** `null` while it is being opened, and where that failed. */
  get workspace(): Workspace | null {
    return this.#workspace;
  }
  get status(): ShownStatus | null {
    return this.#status;
  }
  get title(): string {
    return this.#title;
  }

  /** Never rejects: the status says what went wrong. */
  async enter(id: string): Promise<void> {
    if (id === this.#id && this.#workspace && this.#workspace.status.state !== 'closed') return;
    this.leave();
    this.#id = id;
    this.#status = { state: 'starting' };
    try {
      const workspace = await this.#app.workspaces.open(id);
      if (this.#id !== id) return;
      this.#workspace = workspace;
      this.#status = workspace.status;
      this.#unlisten = workspace.onStatus((status) => {
        this.#status = status;
        // It may have become one of another kind.
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
  }

  /** Where it cannot be told, the workspace's own status says why. */
  #readTitle(id: string, workspace: Workspace): void {
    workspace.capabilities().then(
      ({ title }) => {
        if (this.#id === id) this.#title = title;
      },
      () => {},
    );
  }
}
