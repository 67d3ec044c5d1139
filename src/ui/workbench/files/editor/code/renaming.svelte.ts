import { faultOf } from '../../../../../base/fault.ts';
import type { OpenLanguage, Position, WorkspaceEdit } from '../../../../../language/language.ts';
import { showName } from '../../../show-name.ts';
import { shortPath } from '../../paths.ts';
import { applyRename } from './apply-rename.ts';
import type { CodeHost } from './code-host.ts';
import { codeWords as words } from './code-words.ts';

interface RenamingOptions {
  readonly host: CodeHost;
  readonly path: string;
  readonly name: string;
  readonly position: Position;
  readonly language: () => Promise<OpenLanguage>;
  /** Called when it is over, with what is to be said. */
  readonly onend: (said: string | null) => void;
}

/** A name that gets another one: first its places are shown, then all of them are changed. */
export class Renaming {
  readonly name: string;
  readonly #options: RenamingOptions;
  #plan = $state.raw<{ readonly newName: string; readonly edit: WorkspaceEdit } | null>(null);
  #problem = $state.raw<string | null>(null);
  #busy = $state.raw(false);

  constructor(options: RenamingOptions) {
    this.#options = options;
    this.name = options.name;
  }

  get problem(): string | null {
    return this.#problem;
  }
  get busy(): boolean {
    return this.#busy;
  }
  /** The files that would change, with how many places in each; null before they are known. */
  get files(): readonly { readonly path: string; readonly places: number }[] | null {
    const files = this.#plan?.edit.files;
    return files?.map(({ path, edits }) => ({ path: shown(path), places: edits.length })) ?? null;
  }

  /** The name that was looked for is another one now. */
  edited(): void {
    this.#plan = null;
    this.#problem = null;
  }

  async look(newName: string): Promise<void> {
    await this.#do(async () => {
      const { host, path, position, language } = this.#options;
      // Places in a text that is not saved are not those of the file.
      if (host.isUnsaved(path)) return words.saveFirst(shown(path));
      const asked = { path, position, newName, everywhere: true };
      const edit = await (await language()).request('rename', asked);
      if (edit.files.length === 0) return words.nothing;
      this.#plan = { newName, edit };
      return this.#unsavedIn(edit);
    });
  }

  async apply(): Promise<void> {
    const plan = this.#plan;
    if (!plan) return;
    await this.#do(async () => {
      const problem = this.#unsavedIn(plan.edit) ?? (await applyRename(this.#options.host, plan.edit));
      if (problem !== null) {
        this.#plan = null;
        return problem;
      }
      const places = plan.edit.files.reduce((sum, { edits }) => sum + edits.length, 0);
      this.#options.onend(words.renamed(plan.newName, places));
      return null;
    });
  }

  cancel(): void {
    this.#options.onend(null);
  }

  #unsavedIn(edit: WorkspaceEdit): string | null {
    const unsaved = edit.files.find(({ path }) => this.#options.host.isUnsaved(path));
    return unsaved ? words.saveFirst(shown(unsaved.path)) : null;
  }

  async #do(action: () => Promise<string | null>): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    this.#problem = null;
    try {
      this.#problem = await action();
    } catch (error) {
      this.#problem = faultOf(error).what;
    } finally {
      this.#busy = false;
    }
  }
}

function shown(path: string): string {
  return showName(shortPath(path));
}
