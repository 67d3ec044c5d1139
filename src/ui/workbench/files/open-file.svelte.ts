import type { Unlisten } from '../../../base/listeners.ts';
import { isInside } from '../../../protocol/paths.ts';
import { WorkspaceError, type Workspace } from '../../../workspace/workspace.ts';
import type { Line } from '../../kit/highlight.ts';
import { absolute } from './paths.ts';
import { changedLines, contentOf, type FileContent } from './file-content.ts';

/** The last author of a change to a file, as far as the page can tell. */
export type Author = 'agent' | 'you' | 'other';

export type Highlighter = (text: string, path: string) => Promise<readonly Line[] | null>;

/** The file in the viewer, which is read again whenever it changes. */
export class OpenFile {
  readonly path: string;
  readonly #workspace: Workspace;
  readonly #highlight: Highlighter;
  readonly #unlisten: Unlisten;
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
  #content = $state.raw<FileContent | null>(null);
  #coloured = $state.raw<readonly Line[] | null>(null);
  #changed = $state.raw<{ readonly by: Author; readonly from: number; readonly to: number } | null>(null);
  #imageAddress = $state.raw<string | null>(null);
  #problem = $state.raw<string | null>(null);
  #gone = $state.raw(false);
  #showLarge = $state.raw(false);
  #reading: Promise<void> | null = null;
  #again: Author | null = null;
  #closed = false;

  constructor(workspace: Workspace, path: string, author: (path: string) => Author, highlight: Highlighter) {
    this.path = path;
    this.#workspace = workspace;
    this.#highlight = highlight;
    this.#unlisten = workspace.watch((changes) => {
      if (!changes.some((change) => isInside(path, absolute(change.path)))) return;
      this.#again = author(path);
      this.#reading ??= this.#keepReading();
    });
    this.#reading = this.#keepReading();
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

  showAnyway(): void {
    this.#showLarge = true;
  }

  blob(): Blob {
    return new Blob([this.#bytes]);
  }

  close(): void {
    this.#closed = true;
    this.#unlisten();
    this.#dropImage();
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
    try {
      const bytes = new Uint8Array(await this.#workspace.files.read(this.path));
      if (this.#closed) return;
      this.#show(bytes, author);
      this.#problem = null;
      this.#gone = false;
    } catch (error) {
      this.#gone = error instanceof WorkspaceError && error.code === 'ENOENT';
      this.#problem = this.#gone ? null : error instanceof Error ? error.message : String(error);
    }
  }

  #show(bytes: Uint8Array<ArrayBuffer>, author: Author | null): void {
    const before = this.#content;
    const content = contentOf(this.path, bytes);
    this.#bytes = bytes;
    this.#content = content;
    if (author && before?.kind === 'text' && content.kind === 'text') {
      const lines = changedLines(before.text, content.text);
      if (lines) this.#changed = { by: author, ...lines };
    } else if (author) {
      this.#changed = { by: author, from: 0, to: 0 };
    }
    this.#dropImage();
    if (content.kind === 'image') {
      this.#imageAddress = URL.createObjectURL(new Blob([bytes], { type: content.mediaType }));
    }
    this.#coloured = null;
    if (content.kind === 'text' && !content.large) void this.#colour(content.text);
  }

  async #colour(text: string): Promise<void> {
    const lines = await this.#highlight(text, this.path).catch(() => null);
    const content = this.#content;
    if (content?.kind === 'text' && content.text === text) this.#coloured = lines;
  }

  #dropImage(): void {
    if (this.#imageAddress) URL.revokeObjectURL(this.#imageAddress);
    this.#imageAddress = null;
  }
}
