import { messageOf } from '../../../base/message-of.ts';
import type { Unlisten } from '../../../base/listeners.ts';
import type { Hash } from '../../../base/hash.ts';
import { isInside } from '../../../protocol/paths.ts';
import { WorkspaceError, type Workspace } from '../../../workspace/workspace.ts';
import type { Line } from '../../kit/highlight.ts';
import { showName } from '../show-name.ts';
import type { CodeHost } from './editor/code/code-host.ts';
import type { Draft, EditedFile, EditedFileHost } from './editor/edited-file.svelte.ts';
import { readText, type FormattedText } from './editor/text-format.ts';
import { absolute, nameOf, shortPath } from './paths.ts';
import { changedLines, contentOf, type FileContent } from './file-content.ts';

/** The last author of a change to a file, as far as the page can tell. */
export type Author = 'agent' | 'you' | 'other';

export type Highlighter = (text: string, path: string) => Promise<readonly Line[] | null>;

/** Parts that all open files share. */
export interface OpenFileDeps {
  readonly workspace: Workspace;
  readonly authorOf: (path: string) => Author;
  readonly highlight: Highlighter;
  /** Undefined where there are no language services. */
  readonly code: CodeHost | undefined;
  /** Runs a change that the person makes to the file. */
  readonly own: <T>(path: string, change: () => Promise<T>) => Promise<T>;
}

/** Why a text can be looked at but not edited. */
export type ReadOnly = 'large' | 'not-utf8' | 'not-loaded';

/** An open file, which is read again whenever it changes. A text gets an editor, once that is loaded. */
export class OpenFile {
  readonly #deps: OpenFileDeps;
  readonly #unlisten: Unlisten;
  #path = $state('');
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
  #content = $state.raw<FileContent | null>(null);
  #coloured = $state.raw<readonly Line[] | null>(null);
  #changed = $state.raw<{ readonly by: Author; readonly from: number; readonly to: number } | null>(null);
  #imageAddress = $state.raw<string | null>(null);
  #problem = $state.raw<string | null>(null);
  #gone = $state.raw(false);
  #showLarge = $state.raw(false);
  #edited = $state.raw<EditedFile | null>(null);
  #readOnly = $state.raw<ReadOnly | null>(null);
  #line = $state.raw<number | null>(null);
  /** Moves to the asked line as soon as the editor is there. */
  #goal: (() => void) | null = null;
  #draft: Draft | null;
  #reading: Promise<void> | null = null;
  #again: Author | null = null;
  /** A write that is under way, and the number of those that are done. */
  #writing: Promise<void> | null = null;
  #writes = 0;
  #closed = false;

  constructor(deps: OpenFileDeps, path: string, draft: Draft | null = null) {
    this.#deps = deps;
    this.#path = path;
    this.#draft = draft;
    this.#unlisten = deps.workspace.watch((changes) => {
      if (!changes.some((change) => isInside(this.#path, absolute(change.path)))) return;
      void this.#readAgain(deps.authorOf(this.#path));
    });
    this.#reading = this.#keepReading();
  }

  get path(): string {
    return this.#path;
  }
  /** The name as people see it. */
  get name(): string {
    return showName(nameOf(this.#path));
  }
  /** The editor of the text; null for what is not edited, and while it is loading. */
  get edited(): EditedFile | null {
    return this.#edited;
  }
  get readOnly(): ReadOnly | null {
    return this.#readOnly;
  }
  get unsaved(): boolean {
    return this.#edited?.unsaved ?? this.#draft !== null;
  }
  /** Unsaved edits, for another object that goes on with them. */
  get draft(): Draft | null {
    return this.#edited ? this.#edited.draft : this.#draft;
  }
  /** Null until the file was read. */
  get content(): FileContent | null {
    return this.#content;
  }
  /** Coloured lines of the text; null if there are none, or not yet. */
  get coloured(): readonly Line[] | null {
    return this.#coloured;
  }
  /** The lines that the last change touched, from 0, end exclusive. */
  get changed(): { readonly by: Author; readonly from: number; readonly to: number } | null {
    return this.#changed;
  }
  get imageAddress(): string | null {
    return this.#imageAddress;
  }
  get problem(): string | null {
    return this.#problem;
  }
  get gone(): boolean {
    return this.#gone;
  }
  /** The size in bytes. */
  get size(): number {
    return this.#content ? this.#bytes.length : 0;
  }
  /** True if the person asked to see a large text. */
  get showLarge(): boolean {
    return this.#showLarge;
  }

  /** The line to show of a text that is not edited, from 1. */
  get line(): number | null {
    return this.#line;
  }

  /** Gives the text the keyboard, and shows a line of it, from 1, with a part of it selected. */
  goTo(line?: number, from?: number, to?: number): void {
    this.#line = line ?? null;
    this.#goal = () => {
      const editor = this.#edited?.editor;
      if (line !== undefined) editor?.goTo(line, from, to);
      editor?.focus();
    };
    if (this.#edited) this.#reach();
  }

  #reach(): void {
    this.#goal?.();
    this.#goal = null;
  }

  showAnyway(): void {
    this.#showLarge = true;
  }

  blob(): Blob {
    return new Blob([this.#bytes]);
  }

  /** The file has another path now. */
  moveTo(path: string): void {
    this.#path = path;
    this.#edited?.editor.renamed();
    void this.#readAgain('you');
  }

  /** Tries again to load what could not be loaded. */
  startEditing(): void {
    void this.#edit();
  }

  close(): void {
    this.#closed = true;
    this.#unlisten();
    this.#drop();
    this.#dropImage();
  }

  #readAgain(author: Author): Promise<void> {
    this.#again = author;
    return (this.#reading ??= this.#keepReading());
  }

  async #keepReading(): Promise<void> {
    do {
      const author = this.#again;
      this.#again = null;
      await this.#read(author);
    } while (this.#again !== null && !this.#closed);
    this.#reading = null;
  }

  async #read(author: Author | null): Promise<void> {
    await this.#writing;
    const writes = this.#writes;
    const read = await this.#deps.workspace.files.read(this.#path).catch((error: unknown) => ({ error }));
    if (this.#closed) return;
    // The content that was read may be older than one that was written meanwhile.
    if (this.#writing || this.#writes > writes) this.#again ??= author ?? 'you';
    else if (read instanceof Uint8Array) this.#arrived(new Uint8Array(read), author);
    else this.#missing(read.error);
  }

  #missing(error: unknown): void {
    this.#gone = error instanceof WorkspaceError && error.code === 'ENOENT';
    this.#problem = this.#gone ? null : messageOf(error);
    if (this.#gone) this.#edited?.vanished();
    if (this.#draft) void this.#edit();
  }

  #arrived(bytes: Uint8Array<ArrayBuffer>, author: Author | null): void {
    const before = this.#content;
    const isSame = before !== null && isEqual(bytes, this.#bytes);
    this.#problem = null;
    this.#gone = false;
    if (!isSame) {
      this.#show(bytes);
      if (author) this.#mark(author, before);
    }
    this.#edited?.arrived(bytes, author ?? 'other');
    if (isSame) return;
    if (this.#editable() || this.#draft) void this.#edit();
    else if (!this.#edited?.unsaved) this.#drop();
  }

  #mark(author: Author, before: FileContent | null): void {
    const content = this.#content;
    if (before?.kind === 'text' && content?.kind === 'text') {
      const lines = changedLines(before.text, content.text);
      if (lines) this.#changed = { by: author, ...lines };
    } else this.#changed = { by: author, from: 0, to: 0 };
  }

  #show(bytes: Uint8Array<ArrayBuffer>): void {
    const content = contentOf(this.#path, bytes);
    this.#bytes = bytes;
    this.#content = content;
    this.#dropImage();
    if (content.kind === 'image') {
      this.#imageAddress = URL.createObjectURL(new Blob([bytes], { type: content.mediaType }));
    }
    this.#coloured = null;
  }

  /** The text that can be edited. If there is none, but a text that can be looked at, says why. */
  #editable(): FormattedText | null {
    const content = this.#content;
    this.#readOnly = null;
    if (content?.kind !== 'text') return null;
    const read = content.large ? null : readText(this.#bytes);
    if (!read) this.#readOnly = content.large ? 'large' : 'not-utf8';
    if (this.#readOnly === 'not-utf8') void this.#colour(content.text);
    return read;
  }

  async #edit(): Promise<void> {
    if (this.#edited) return;
    try {
      const { EditedFile } = await import('./editor/edited-file.svelte.ts');
      if (this.#edited || this.#closed) return;
      const read = this.#editable();
      if (this.#draft) this.#resume(EditedFile, this.#draft);
      else if (read) this.#edited = new EditedFile(this.#host(), this.#bytes, read);
      if (this.#edited) this.#reach();
    } catch {
      this.#readOnly = 'not-loaded';
      if (this.#content?.kind === 'text') void this.#colour(this.#content.text);
    }
  }

  #resume(Edited: typeof EditedFile, draft: Draft): void {
    const edited = new Edited(this.#host(), draft.baseBytes, draft.base);
    edited.resume(draft);
    if (this.#content) edited.arrived(this.#bytes, 'other');
    this.#draft = null;
    this.#edited = edited;
  }

  #drop(): void {
    this.#edited?.editor.close();
    this.#edited = null;
  }

  #host(): EditedFileHost {
    return {
      name: () => this.name,
      path: () => showName(shortPath(this.#path)),
      absolute: () => this.#path,
      files: this.#deps.workspace.files,
      code: this.#deps.code,
      gone: () => this.#gone,
      highlight: (text) => this.#deps.highlight(text, this.#path),
      write: (bytes, expect) => this.#write(bytes, expect),
      durable: () => this.#deps.workspace.durable(),
      readAgain: () => this.#readAgain(this.#deps.authorOf(this.#path)),
      drop: () => this.#drop(),
    };
  }

  async #write(bytes: Uint8Array<ArrayBuffer>, expect: Hash | null): Promise<void> {
    const { workspace, own } = this.#deps;
    const writing = own(this.#path, () => workspace.files.write(this.#path, bytes, { expect }));
    this.#writing = writing
      .catch(() => undefined)
      .then(() => {
        this.#writing = null;
      });
    await writing;
    this.#writes += 1;
    this.#show(bytes);
    this.#changed = null;
    this.#gone = false;
  }

  async #colour(text: string): Promise<void> {
    const lines = await this.#deps.highlight(text, this.#path).catch(() => null);
    const content = this.#content;
    if (content?.kind === 'text' && content.text === text) this.#coloured = lines;
  }

  #dropImage(): void {
    if (this.#imageAddress) URL.revokeObjectURL(this.#imageAddress);
    this.#imageAddress = null;
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
