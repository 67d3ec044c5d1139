import type { Unlisten } from '../base/listeners.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Hears changes of a workspace's files, also after the workspace was opened anew. */
export class FollowedFiles {
  readonly #open: () => Promise<Workspace>;
  readonly #onChange: () => void;
  #workspace: Workspace | undefined;
  #unlisten: Unlisten | undefined;
  #closed = false;

  constructor(open: () => Promise<Workspace>, onChange: () => void) {
    this.#open = open;
    this.#onChange = onChange;
  }

  /** Follows the workspace that is open now. A workspace that cannot be opened is followed when this is called again. */
  follow(): void {
    void this.#open()
      .then((workspace) => {
        if (this.#closed || workspace === this.#workspace) return;
        this.#unlisten?.();
        this.#workspace = workspace;
        this.#unlisten = workspace.watch(this.#onChange);
      })
      .catch(() => undefined);
    this.#onChange();
  }

  close(): void {
    this.#closed = true;
    this.#unlisten?.();
  }
}
