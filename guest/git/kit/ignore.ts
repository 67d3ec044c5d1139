import { IgnoreRules, type IgnoreLine } from '../../../src/protocol/ignore-rules.ts';
import { folderOf, type Files } from './files.ts';

const NAME = '.gitignore';

/**
 * Knows what `.gitignore` files, `.git/info/exclude` and core.excludesFile leave out of a working tree. The files of a
 * folder are read when something in or below it is asked about. Paths are relative to the top of the tree.
 */
export class Ignores {
  readonly #files: Files;
  readonly #top: string;
  readonly #rules = new IgnoreRules();
  readonly #read = new Map<string, Promise<void>>();
  readonly #excludes: readonly string[];
  #started: Promise<void> | undefined;

  /** `excludes` are absolute paths of files with patterns for the whole tree, the strongest first. */
  constructor(files: Files, top: string, excludes: readonly string[]) {
    this.#files = files;
    this.#top = top;
    this.#excludes = excludes;
  }

  /** Reads the rules of a folder and of those above it; `path` is absolute. */
  async enter(folder: string): Promise<void> {
    this.#started ??= this.#start();
    await this.#started;
    let read = this.#read.get(folder);
    if (!read) {
      const above = folder === this.#top ? Promise.resolve() : this.enter(folderOf(folder));
      read = above.then(async () => {
        const text = await this.#files.text(`${folder}/${NAME}`);
        if (text !== undefined) this.#rules.add(folder, NAME, text);
      });
      this.#read.set(folder, read);
    }
    return read;
  }

  async #start(): Promise<void> {
    for (const path of this.#excludes) {
      const text = await this.#files.text(path);
      if (text !== undefined) this.#rules.addWeakest(this.#top, text, path);
    }
  }

  /** Whether the path itself is ignored; its folder must have been entered. */
  ignoresEntered(path: string, isFolder: boolean): boolean {
    return this.#rules.ignores(`${this.#top}/${path}`, isFolder);
  }

  /** Whether the path or a folder above it is ignored. */
  async ignores(path: string, isFolder: boolean): Promise<boolean> {
    return (await this.deciding(path, isFolder))?.pattern.ignores ?? false;
  }

  /** The line that ignores a folder above the path, or else the one that says whether the path itself is ignored. */
  async deciding(path: string, isFolder: boolean): Promise<IgnoreLine | undefined> {
    const parts = path.split('/');
    let line: IgnoreLine | undefined;
    for (let length = 1; length <= parts.length; length++) {
      const part = parts.slice(0, length).join('/');
      await this.enter(folderOf(`${this.#top}/${part}`));
      line = this.#rules.deciding(`${this.#top}/${part}`, length < parts.length || isFolder);
      if (line?.pattern.ignores) return line;
    }
    return line;
  }
}
