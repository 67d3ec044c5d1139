import { digestBytes } from '../base/hash.ts';
import { ROOT, WorkspaceError, type Workspace } from './workspace.ts';

interface Written {
  readonly kind: 'file';
  readonly path: string;
  /** Reads again what was written. */
  readonly read: () => Promise<Uint8Array>;
  /** The content before; `null` if there was no file. */
  readonly before: Uint8Array | null;
}

interface Linked {
  readonly kind: 'link';
  readonly path: string;
  readonly target: string;
  /** The content of the file, or the target of the link, that was there before; `null` if nothing was. */
  readonly before: Uint8Array | string | null;
}

/** The files and folders that an import has made, so that an import that ends early can be taken back as a whole. */
export class CreatedPaths {
  readonly #workspace: Workspace;
  readonly #files: (Written | Linked)[] = [];
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
    this.#files.push({ kind: 'file', path, read, before });
  }

  /** Called before a link is made at this path, and after what was there is removed. */
  linked(path: string, target: string, before: Linked['before']): void {
    this.#files.push({ kind: 'link', path, target, before });
  }

  /** Makes a path as it was before a link was made there. */
  async takeBackLink(path: string): Promise<void> {
    const at = this.#files.findIndex((each) => each.kind === 'link' && each.path === path);
    const [link] = at < 0 ? [] : this.#files.splice(at, 1);
    if (link) await this.#restore(link);
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

  #restore(one: Written | Linked): Promise<void> {
    return one.kind === 'file' ? this.#restoreFile(one) : this.#restoreLink(one);
  }

  async #restoreLink({ path, target, before }: Linked): Promise<void> {
    const { files } = this.#workspace;
    const present = await files.readLink(path);
    if (present === target) await files.remove(path);
    else if (present !== null || (await files.stat(path))) throw new WorkspaceError('ECHANGED', path);
    if (typeof before === 'string') await files.makeLink(path, before);
    else if (before) await files.write(path, before, { expect: null });
  }

  async #restoreFile({ path, read, before }: Written): Promise<void> {
    const expect = await digestBytes(new Uint8Array(await read()));
    if (before) await this.#workspace.files.write(path, before, { expect });
    else await this.#workspace.files.remove(path, { expect });
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
