import { ROOT } from '../../../base/places.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

const MOST_SITES = 8;
const SEARCH_MS = 10_000;
const INDEX = /(^|\/)index\.html$/;

/** The folders of a workspace that have an `index.html`, as paths below the root; the root itself is `''`. */
export class Sites {
  #folders = $state.raw<readonly string[]>([]);
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  get folders(): readonly string[] {
    return this.#folders;
  }

  /** Follows the files until the returned function is called. */
  follow(): () => void {
    void this.#find();
    return this.#workspace.watch((changes) => {
      if (changes.some(({ path, change }) => change !== 'modified' && INDEX.test(path))) void this.#find();
    });
  }

  async #find(): Promise<void> {
    try {
      const { paths } = await this.#workspace.search.glob({
        pattern: '**/index.html',
        limit: 200,
        timeoutMs: SEARCH_MS,
      });
      this.#folders = paths
        .map((path) => path.slice(ROOT.length + 1).replace(INDEX, ''))
        .filter((folder) => !/(^|\/)(node_modules|\.[^/]+)(\/|$)/.test(folder))
        .sort((one, other) => depth(one) - depth(other) || one.localeCompare(other))
        .slice(0, MOST_SITES);
    } catch {
      // A workspace that is gone has nothing to show, and says so itself.
    }
  }
}

function depth(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}
