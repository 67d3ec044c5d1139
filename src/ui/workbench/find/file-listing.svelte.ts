import { faultOf } from '../../../base/fault.ts';
import { fitting } from '../../kit/fitting.ts';
import { LISTED, listFiles, listNamed } from '../../kit/listed-files.ts';
import { fromRoot } from '../../../protocol/paths.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { recentFiles } from '../files/recent-files.ts';

/** The paths of each workspace as they were listed last, so that the next list is there at once. */
const known = new WeakMap<Workspace, readonly string[]>();

/** The files of a workspace, for choosing one by its name. */
export class FileListing {
  readonly #workspace: Workspace;
  #paths = $state.raw<readonly string[]>([]);
  /** Ignored files that were named. */
  #named = $state.raw<readonly string[]>([]);
  #ready = $state.raw(false);
  #problem = $state.raw<string | null>(null);
  readonly #recent: readonly string[];

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#recent = recentFiles(workspace.id).map(fromRoot);
    const paths = known.get(workspace);
    if (paths) this.#paths = paths;
  }

  /** Whether the files were listed since this was made. */
  get ready(): boolean {
    return this.#ready;
  }
  get problem(): string | null {
    return this.#problem;
  }
  get empty(): boolean {
    return this.#paths.length === 0;
  }
  /** Whether there may be more files than are offered. */
  get full(): boolean {
    return this.#paths.length >= LISTED;
  }

  async list(): Promise<void> {
    try {
      const paths = await listFiles(this.#workspace.search);
      known.set(this.#workspace, paths);
      this.#paths = paths;
    } catch (error) {
      this.#problem = faultOf(error).what;
    }
    this.#ready = true;
  }

  /** The best matches of a name, best first. For no name: the files that were opened last, then the newest. */
  matching(name: string, limit: number): readonly string[] {
    if (name !== '') {
      const found = fitting(this.#paths, name, limit);
      return found.length > 0 ? found : fitting(this.#named, name, limit);
    }
    const recent = this.recent;
    const more = this.#paths.slice(0, limit + recent.length).filter((path) => !recent.includes(path));
    return [...recent, ...more].slice(0, limit);
  }

  /** The files that were opened last. The one that is shown, which was opened last of all, comes after the others. */
  get recent(): readonly string[] {
    const [shown, ...others] = this.#recent.filter((path) => !this.#ready || this.#paths.includes(path));
    return shown === undefined ? [] : [...others, shown];
  }

  /** The file that is shown. */
  get shown(): string | undefined {
    return this.#recent[0];
  }

  /** Ignored files are offered only once their folder, or their whole name, is typed. */
  async listNamed(name: string): Promise<void> {
    if (fitting(this.#paths, name, 1).length > 0) return;
    const named = await listNamed(this.#workspace.search, name).catch(() => []);
    if (named.length > 0) this.#named = named;
  }
}
