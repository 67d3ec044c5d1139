import { messageOf } from '../../../../../base/message-of.ts';
import { ROOT } from '../../../../../base/places.ts';
import { showName } from '../../../show-name.ts';
import { shortPath } from '../../paths.ts';
import type { Workspace } from '../../../../../workspace/workspace.ts';
import type { TextEditor } from '../text-editor.ts';
import { formatWords as words } from './format-words.ts';
import { parserOf } from './names.ts';
import type { FormatOutcome, FormatRequest } from './protocol.ts';
import { settingsFor } from './settings-files.ts';

export interface FormattingHost {
  readonly editor: TextEditor;
  readonly files: Pick<Workspace['files'], 'list' | 'read'>;
  /** The absolute path, at any time. */
  readonly path: () => string;
}

/** Formats the text of one open file, and says how that went. */
export class Formatting {
  readonly #host: FormattingHost;
  #running: Promise<void> | null = null;
  #message = $state.raw<{ readonly text: string; readonly failed: boolean } | null>(null);

  constructor(host: FormattingHost) {
    this.#host = host;
  }

  get possible(): boolean {
    return parserOf(this.#host.path()) !== undefined;
  }

  /** The message of the last formatting. */
  get message(): { readonly text: string; readonly failed: boolean } | null {
    return this.#message;
  }

  /** Resolves when the text is formatted, or when it is said why it is not. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  forget(): void {
    this.#message = null;
  }

  async #run(): Promise<void> {
    const { editor, files, path } = this.#host;
    if (!this.possible) return;
    this.#message = { text: words.formatting, failed: false };
    const before = editor.document;
    const settings = await settingsFor(files, path(), ROOT);
    const outcome = await outcomeOf({
      ...{ path: path(), root: ROOT, text: before.toString(), cursor: editor.cursor },
      settings,
    });
    if (outcome.kind !== 'formatted') return this.#say(problemOf(outcome), true);
    if (!before.eq(editor.document)) return this.#say(words.changedMeanwhile, true);
    const isSame = outcome.text === before.toString();
    if (!isSame) editor.rewrite(outcome.text, outcome.cursor);
    const notes = outcome.notes.map((note) => words.note(note, showName(shortPath(note.path))));
    this.#say([isSame ? words.unchanged : words.formatted, ...notes].join(' '), false);
  }

  #say(text: string, failed: boolean): void {
    this.#message = { text, failed };
  }
}

type Request = Omit<FormatRequest, 'id'>;

async function outcomeOf(request: Request): Promise<FormatOutcome> {
  try {
    const { format } = await import('./formatter.ts');
    return await format(request);
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}

function problemOf(outcome: Exclude<FormatOutcome, { readonly kind: 'formatted' }>): string {
  switch (outcome.kind) {
    case 'ignored':
      return words.ignored;
    case 'syntax':
      return words.syntax(outcome.line, outcome.column, outcome.message);
    case 'failed':
      return words.failed(outcome.message);
  }
}
