import { digestBytes } from '../base/hash.ts';
import { ROOT, type Workspace } from './workspace.ts';

interface Written {
  readonly path: string;
  /** Reads again what was written. */
  readonly read: () => Promise<Uint8Array>;
  /** The content before; `null` if there was no file. */
  readonly before: Uint8Array | null;
}

/** The files and folders that an import has made, so that an import that ends early can be taken back as a whole. */
export class CreatedPaths {
  readonly #workspace: Workspace;
  readonly #files: Written[] = [];
  readonly #folders: string[] = [];
  /** Folders that exist, so that none is asked about twice. */
  readonly #known = new Set<string>([ROOT]);

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Called before something is made at this path: remembers which folders above it are not there yet. */
  async expectFolders(path: string): Promise<void> {
    const missing: string[] = [];
    for (let at = parentOf(path); at.startsWith(ROOT) && !this.#known.has(at); at = parentOf(at)) {
      this.#known.add(at);
      if (await this.#workspace.files.stat(at)) break;
      missing.unshift(at);
    }
    this.#folders.push(...missing);
  }

  wrote(path: string, read: () => Promise<Uint8Array>, before: Uint8Array | null): void {
    this.#files.push({ path, read, before });
  }

  /**
   * Makes everything as it was before. Files that were changed again stay, and so do folders that hold something else.
   * Resolves to the number of files that stay.
   */
  async takeBack(): Promise<number> {
    let left = 0;
    for (const file of this.#files.reverse()) {
      const done = await this.#restore(file).then(
        () => true,
        () => false,
      );
      if (!done) left += 1;
    }
    // A folder that is not empty is refused, and stays.
    for (const folder of this.#folders.reverse()) await this.#workspace.files.remove(folder).catch(() => {});
    await this.#workspace.durable();
    return left;
  }

  async #restore({ path, read, before }: Written): Promise<void> {
    const expect = await digestBytes(new Uint8Array(await read()));
    if (before) await this.#workspace.files.write(path, before, { expect });
    else await this.#workspace.files.remove(path, { expect });
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
