import { HOME } from '../../src/base/places.ts';
import type { OutsideEntry } from '../../src/protocol/outside.ts';
import { isInside } from '../../src/protocol/paths.ts';
import { APP_FOLDERS } from './access.ts';
import { locate } from './locate.ts';
import { EMPTY, directoryNode, fileNode, folderOf, nodeAt } from './nodes.ts';
import type { FileTree } from './tree.ts';

/**
 * Shows the files that the app stores, read-only, below {@link APP_FOLDERS}. Before a process uses a path there, the app
 * is asked what is at that path, and the answer is put into the tree, where the operation finds it.
 */
export class OutsideMount {
  readonly #tree: FileTree;
  readonly #look: (path: string) => Promise<OutsideEntry | null>;

  constructor(tree: FileTree, look: (path: string) => Promise<OutsideEntry | null>) {
    this.#tree = tree;
    this.#look = look;
    this.forget();
  }

  /** Whether an operation on `path` has to wait for {@link refresh}. */
  covers(path: string): boolean {
    try {
      const { path: real } = locate(this.#tree.top, path, true);
      return APP_FOLDERS.some((folder) => isInside(real, folder));
    } catch {
      return false;
    }
  }

  async refresh(path: string): Promise<void> {
    const { path: real } = locate(this.#tree.top, path, true);
    const entry = await this.#look(real.slice(HOME.length + 1));
    if (entry?.type === 'file')
      this.#tree.plant(real, {
        ...fileNode(entry.bytes, entry.modified, 0o444),
        size: entry.bytes.byteLength,
      });
    else if (entry?.type === 'directory') this.#showDirectory(real, entry.entries);
    else if (!isAppFolder(real)) this.#tree.uproot(real);
  }

  /** Removes fetched contents from memory. */
  forget(): void {
    for (const folder of APP_FOLDERS) this.#tree.plant(folder, directoryNode(0, 0o555));
  }

  #showDirectory(path: string, entries: Extract<OutsideEntry, { type: 'directory' }>['entries']): void {
    if (!isAppFolder(path) && nodeAt(this.#tree.top, path)?.type !== 'directory')
      this.#tree.plant(path, directoryNode(0, 0o555));
    const names = new Set(entries.map(({ name }) => name));
    const shown = nodeAt(this.#tree.top, path);
    if (shown?.type !== 'directory') return;
    for (const name of shown.children.keys()) if (!names.has(name)) this.#tree.uproot(`${path}/${name}`);
    for (const { name, type, size } of entries) {
      if (shown.children.has(name) || folderOf(`${path}/${name}`) !== path) continue;
      const stub = type === 'file' ? { ...fileNode(EMPTY, 0, 0o444), size } : directoryNode(0, 0o555);
      this.#tree.plant(`${path}/${name}`, stub);
    }
  }
}

function isAppFolder(path: string): boolean {
  return APP_FOLDERS.some((folder) => folder === path);
}
