import { IGNORE_FILES, IgnoreRules } from '../../../src/protocol/ignore-rules.ts';
import type { ShellFs } from '../shell-fs.ts';

/**
 * Knows the rules of `.gitignore` and `.ignore` files. Each file is read when something in or below its
 * folder is asked about.
 */
export class IgnoreFiles {
  readonly #files: ShellFs;
  readonly #rules = new IgnoreRules();
  readonly #read = new Map<string, Promise<void>>();

  constructor(files: ShellFs) {
    this.#files = files;
  }

  async ignores(path: string, isDirectory: boolean): Promise<boolean> {
    await this.#enter(parentOf(path));
    return this.#rules.ignores(path, isDirectory);
  }

  /** Reads the ignore files of a folder, after those of the folders above it. */
  #enter(folder: string): Promise<void> {
    let read = this.#read.get(folder);
    if (!read) {
      const above = folder === '/' ? Promise.resolve() : this.#enter(parentOf(folder));
      read = above.then(() => this.#readIn(folder));
      this.#read.set(folder, read);
    }
    return read;
  }

  async #readIn(folder: string): Promise<void> {
    for (const name of IGNORE_FILES) {
      const text = await this.#files.readFile(`${folder === '/' ? '' : folder}/${name}`).catch(() => '');
      this.#rules.add(folder, name, text);
    }
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
