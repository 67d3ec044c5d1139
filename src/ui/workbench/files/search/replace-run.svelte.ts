import { faultOf } from '../../../../base/fault.ts';
import { showName } from '../../show-name.ts';
import type { FilesState } from '../files-state.svelte.ts';
import { shortPath } from '../paths.ts';
import type { Match } from './matches.ts';
import { replaceMatches, type Left, type Replaced } from './replacing.ts';
import type { Replacement } from './replacement.ts';
import { searchWords as words } from './search-words.ts';

/** So many of the files that were left are named. */
const NAMED = 8;

/** Replaces matches for the tab Files, which then says what was done and offers to take it back. */
export class ReplaceRun {
  readonly #files: FilesState;
  #busy = $state(false);

  constructor(files: FilesState) {
    this.#files = files;
  }

  get busy(): boolean {
    return this.#busy;
  }

  async replace(matches: readonly Match[], replacement: Replacement): Promise<void> {
    await this.#attempt(async () => {
      const { workspace, openFiles } = this.#files;
      const deps = {
        workspace,
        unsaved: (path: string) => openFiles.unsaved.some((file) => file.path === path),
        own: <T>(path: string, change: () => Promise<T>) => this.#files.own(path, change),
      };
      this.#tell(await replaceMatches(deps, matches, replacement));
    });
  }

  #tell({ matches, files, left, undo }: Replaced): void {
    const done = files > 0 ? words.replaced(matches, files) : words.notReplaced;
    this.#files.tell({
      text: left.length > 0 ? `${done} ${words.left(left.length)}` : done,
      failed: left.length > 0,
      details: named(left, words.why.changed),
      actions: files > 0 ? [{ title: words.undo, run: () => void this.#undo(undo) }] : [],
    });
  }

  async #undo(undo: Replaced['undo']): Promise<void> {
    await this.#attempt(async () => {
      const left = await undo();
      const text = left.length > 0 ? `${words.undone} ${words.left(left.length)}` : words.undone;
      this.#files.tell({ text, failed: left.length > 0, details: named(left, words.changedSince) });
    });
  }

  async #attempt(action: () => Promise<void>): Promise<void> {
    this.#busy = true;
    try {
      await action();
    } catch (error) {
      this.#files.tell({ text: faultOf(error).what, failed: true });
    }
    this.#busy = false;
  }
}

function named(left: readonly Left[], changed: string): readonly string[] {
  return left
    .slice(0, NAMED)
    .map(({ path, why }) =>
      words.leftFile(showName(shortPath(path)), why === 'changed' ? changed : words.why[why]),
    );
}
