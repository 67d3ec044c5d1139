import { digestBytes, type Hash } from '../../../../base/hash.ts';
import { faultOf } from '../../../../base/fault.ts';
import { WorkspaceError, type Workspace } from '../../../../workspace/workspace.ts';
import type { Line } from '../../../kit/highlight.ts';
import { changedLines } from '../file-content.ts';
import type { Author } from '../open-file.svelte.ts';
import { isCode, type CodeHost } from './code/code-host.ts';
import { CodeTools } from './code/code-tools.svelte.ts';
import { editorWords as words } from './editor-words.ts';
import { formatOnSave } from './format/format-on-save.svelte.ts';
import { Formatting } from './format/formatting.svelte.ts';
import { TextEditor } from './text-editor.ts';
import { bytesOf, readText, type FormattedText } from './text-format.ts';

/** A version of the file, as its bytes and as the text in them; null if it cannot be edited as text. */
interface Version {
  readonly bytes: Uint8Array;
  readonly read: FormattedText | null;
}

/** A version that came while the person had unsaved edits, so that they must choose. */
export interface Conflict extends Version {
  readonly by: Author;
}

/** The parts of a file that the editor of its text needs. */
export interface EditedFileHost {
  readonly name: () => string;
  /** The path that people see. */
  readonly path: () => string;
  /** The absolute path. */
  readonly absolute: () => string;
  readonly files: Pick<Workspace['files'], 'list' | 'read'>;
  /** Undefined where there are no language services. */
  readonly code: CodeHost | undefined;
  readonly gone: () => boolean;
  readonly highlight: (text: string) => Promise<readonly Line[] | null>;
  /** Fails with `ECHANGED` if the file has another content now; null expects that there is no file. */
  readonly write: (bytes: Uint8Array<ArrayBuffer>, expect: Hash | null) => Promise<void>;
  /** Resolves when what was written survives a reload. */
  readonly durable: () => Promise<void>;
  readonly readAgain: () => Promise<void>;
  /** The person gives up their text for a version that is no text. */
  readonly drop: () => void;
}

/** Unsaved edits that outlive their workspace's runtime, to go on with in the next one. */
export interface Draft {
  readonly text: string;
  readonly base: FormattedText;
  readonly baseBytes: Uint8Array;
}

/** The text of a file in the editor, and the version of the file that it builds on. */
export class EditedFile {
  readonly editor: TextEditor;
  readonly formatting: Formatting;
  readonly #code: CodeTools | null;
  readonly #host: EditedFileHost;
  /** A save expects to find this version in the workspace. */
  #base: { readonly bytes: Uint8Array; readonly read: FormattedText };
  /** The base's text; null if it is no text, so that whatever is in the editor is unsaved. */
  #saved: TextEditor['document'] | null;
  #saving: Promise<void> | null = null;
  #unsaved = $state(false);
  #mixed = $state(false);
  #conflict = $state.raw<Conflict | null>(null);
  #problem = $state.raw<string | null>(null);

  constructor(host: EditedFileHost, bytes: Uint8Array, read: FormattedText) {
    this.#host = host;
    this.#base = { bytes, read };
    this.#mixed = read.mixed;
    this.#code =
      host.code === undefined
        ? null
        : new CodeTools(host.code, {
            path: host.absolute,
            document: () => this.editor.document,
            cursor: () => this.editor.cursor,
            gone: host.gone,
            focus: () => this.editor.focus(),
          });
    this.editor = new TextEditor({
      services: async () => (await this.code?.extension()) ?? [],
      text: read.text,
      path: host.path,
      highlight: host.highlight,
      onchange: () => this.#compare(),
    });
    this.formatting = new Formatting({ editor: this.editor, files: host.files, path: host.absolute });
    this.#saved = this.editor.document;
  }

  /** Answers of the language service about the text; null where it does not know the language. */
  get code(): CodeTools | null {
    return isCode(this.#host.absolute()) ? this.#code : null;
  }
  get unsaved(): boolean {
    return this.#unsaved;
  }
  get conflict(): Conflict | null {
    return this.#conflict;
  }
  /** Why the text could not be saved. */
  get problem(): string | null {
    return this.#problem;
  }
  /** The name of the line end that saving gives to all lines; null if they all have it. */
  get newLineEnd(): 'LF' | 'CRLF' | null {
    if (!this.#mixed) return null;
    return this.#base.read.format.lineEnd === '\n' ? 'LF' : 'CRLF';
  }

  get draft(): Draft | null {
    if (!this.#unsaved) return null;
    return { text: this.editor.text, base: this.#base.read, baseBytes: this.#base.bytes };
  }

  /** Goes on with unsaved edits. */
  resume({ text }: Draft): void {
    this.editor.take(text, null, false);
  }

  /** Resolves when the text is saved, or when it is clear why it is not. */
  save(): Promise<void> {
    this.#saving = (this.#saving ?? Promise.resolve()).then(() => this.#save());
    return this.#saving;
  }

  async #save(): Promise<void> {
    if (this.#conflict || (!this.#unsaved && !this.#host.gone())) return;
    // A text that cannot be formatted is saved as it is.
    if (formatOnSave.on) await this.formatting.run();
    if (this.#conflict) return;
    const written = this.editor.document;
    const { format } = this.#base.read;
    const text = written.toString();
    const bytes = bytesOf(text, format);
    try {
      await this.#host.write(bytes, this.#host.gone() ? null : await digestBytes(this.#base.bytes));
      this.#base = { bytes, read: { text, format, mixed: false } };
      this.#settle(written);
      this.editor.unmark();
    } catch (error) {
      return this.#notSaved(error);
    }
    await this.#host.durable().catch((error: unknown) => {
      this.#problem = words.notDurable(this.#host.name(), faultOf(error).what);
    });
  }

  async #notSaved(error: unknown): Promise<void> {
    const changed = error instanceof WorkspaceError && error.code === 'ECHANGED';
    // Reading the version that is there now lets the person choose.
    if (changed) await this.#host.readAgain();
    const why = changed ? words.changedAgain : faultOf(error).what;
    this.#problem = this.#conflict || !this.#unsaved ? null : words.notSaved(this.#host.name(), why);
  }

  /** The file has this content now. */
  arrived(bytes: Uint8Array, by: Author): void {
    if (equal(bytes, this.#base.bytes)) {
      this.#conflict = null;
      return;
    }
    // The person has been asked about this one.
    if (this.#conflict && equal(bytes, this.#conflict.bytes)) return;
    const read = readText(bytes);
    if (read?.text === this.editor.text) this.#adopt(bytes, read);
    else if (read && !this.#unsaved) this.#take(bytes, read, false);
    else this.#conflict = { by, bytes, read };
  }

  /** The file was deleted, so there is no other version to choose; saving writes it again. */
  vanished(): void {
    this.#conflict = null;
    this.#code?.vanished();
  }

  /** The next save replaces the version that the person was asked about, and no later one. */
  keepMine(): void {
    const other = this.#conflict;
    if (!other) return;
    const { format } = this.#base.read;
    this.#base = { bytes: other.bytes, read: { text: other.read?.text ?? '', format, mixed: false } };
    this.#settle(other.read && this.editor.documentOf(other.read.text));
  }

  takeTheirs(): void {
    const other = this.#conflict;
    if (other?.read) this.#take(other.bytes, other.read, true);
    else if (other) this.#host.drop();
  }

  #take(bytes: Uint8Array, read: FormattedText, chosen: boolean): void {
    const changed = changedLines(this.#base.read.text, read.text);
    this.editor.take(read.text, changed, chosen);
    this.#adopt(bytes, read);
  }

  #adopt(bytes: Uint8Array, read: FormattedText): void {
    this.#base = { bytes, read };
    this.#settle(this.editor.document);
  }

  /** The workspace has this document now, as far as is known. */
  #settle(saved: TextEditor['document'] | null): void {
    this.#saved = saved;
    this.#mixed = this.#base.read.mixed;
    this.#conflict = null;
    this.#problem = null;
    this.#compare();
  }

  #compare(): void {
    this.#unsaved = !this.#saved?.eq(this.editor.document);
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
