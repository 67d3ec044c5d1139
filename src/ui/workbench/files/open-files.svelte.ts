import { isInside } from '../../../protocol/paths.ts';
import { OpenFile, type OpenFileDeps } from './open-file.svelte.ts';
import { movedRecent, noteRecent } from './recent-files.ts';

/** The files that are open, in the order in which they were opened. One of them is shown. */
export class OpenFiles {
  readonly #deps: OpenFileDeps;
  #all = $state.raw<readonly OpenFile[]>([]);
  #active = $state.raw<OpenFile | null>(null);
  #closing = $state.raw<OpenFile | null>(null);

  constructor(deps: OpenFileDeps) {
    this.#deps = deps;
  }

  get all(): readonly OpenFile[] {
    return this.#all;
  }
  get active(): OpenFile | null {
    return this.#active;
  }
  /** The file about whose unsaved edits the person is asked, because they want to close it. */
  get closing(): OpenFile | null {
    return this.#closing?.unsaved ? this.#closing : null;
  }
  get unsaved(): readonly OpenFile[] {
    return this.#all.filter((file) => file.unsaved);
  }

  show(path: string): void {
    const open = this.#all.find((file) => file.path === path);
    if (open) this.activate(open);
    else this.#add(new OpenFile(this.#deps, path));
  }

  activate(file: OpenFile): void {
    this.#active = file;
    noteRecent(this.#deps.workspace.id, file.path);
    if (this.#closing !== file) this.#closing = null;
  }

  /** Closes the file, or asks first if that would lose edits. Returns whether it is closed. */
  ask(file: OpenFile): boolean {
    if (file.unsaved) {
      this.activate(file);
      this.#closing = file;
      return false;
    }
    this.discard(file);
    return true;
  }

  keepOpen(): void {
    this.#closing = null;
  }

  /** Closes the file with whatever was not saved. The one beside it is shown in its place. */
  discard(file: OpenFile): void {
    const at = this.#all.indexOf(file);
    this.#all = this.#all.filter((each) => each !== file);
    if (this.#active === file) this.#active = this.#all[at] ?? this.#all[at - 1] ?? null;
    if (this.#closing === file) this.#closing = null;
    file.close();
  }

  /** Saves and then closes the file, unless it could not be saved. */
  async saveAndClose(file: OpenFile): Promise<void> {
    this.#closing = null;
    await file.edited?.save();
    if (!file.unsaved) this.discard(file);
  }

  /** Notes that the file or folder at `from` was moved to `to`. */
  moved(from: string, to: string): void {
    movedRecent(this.#deps.workspace.id, from, to);
    for (const file of this.#all)
      if (isInside(file.path, from)) file.moveTo(to + file.path.slice(from.length));
  }

  /** Goes on with the unsaved edits of other open files of the same workspace. */
  resume(others: OpenFiles): void {
    for (const { path, draft } of others.all) if (draft) this.#add(new OpenFile(this.#deps, path, draft));
  }

  close(): void {
    for (const file of this.#all) file.close();
  }

  #add(file: OpenFile): void {
    this.#all = [...this.#all, file];
    this.activate(file);
  }
}
