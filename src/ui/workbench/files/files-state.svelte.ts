/* eslint-disable svelte/prefer-svelte-reactivity -- these collections are never shown; what is shown is replaced whole */
import { exportZip, importEntries, type ImportEntry } from '../../../workspace/transfer.ts';
import { isInside } from '../../../protocol/paths.ts';
import { ROOT, type FileChange, type Workspace } from '../../../workspace/workspace.ts';
import { showName } from '../show-name.ts';
import { benchWords as words } from '../workbench-words.ts';
import { create, remove, removeWithUndo, rename, type Undo } from './changes.ts';
import { FileTree } from './file-tree.svelte.ts';
import { OpenFile, type Author, type Highlighter } from './open-file.svelte.ts';
import { absolute, nameOf, parentOf, shortPath } from './paths.ts';
import { saveBlob } from './save-blob.ts';

export interface Notice {
  readonly text: string;
  readonly failed?: boolean;
  /** Lines below the text, for example the reasons why files were left out. */
  readonly details?: readonly string[];
  readonly actions?: readonly { readonly title: string; readonly run: () => void }[];
  /** True while work is going on; the notice cannot be dismissed then. */
  readonly busy?: boolean;
}

/** A name that the person is typing, for a new file in a folder or for an existing one. */
export type Naming =
  { readonly for: 'new'; readonly folder: string } | { readonly for: 'rename'; readonly path: string };

const DETAILS = 5;

/** Removes the single top folder that contains all entries, if there is one. */
function withoutTop(entries: readonly ImportEntry[]): readonly ImportEntry[] {
  const top = topOf(entries);
  if (top === undefined) return entries;
  return entries.flatMap((entry) =>
    entry.path === top ? [] : { ...entry, path: entry.path.slice(top.length + 1) },
  );
}

function topOf(entries: readonly ImportEntry[]): string | undefined {
  const [top = ''] = entries[0]?.path.split('/') ?? [];
  const isOne = entries.every(
    ({ type, path }) => path.startsWith(`${top}/`) || (path === top && type === 'directory'),
  );
  return top !== '' && isOne ? top : undefined;
}

/** The name of the folder that the files were added to, as the person sees it. */
function placeName(entries: readonly ImportEntry[], into: string): string {
  const top = topOf(entries);
  return showName(shortPath(top === undefined ? into : `${into}/${top}`));
}

/** The state of the Files tab, and the person's actions in it. */
export class FilesState {
  readonly tree: FileTree;
  readonly #workspace: Workspace;
  readonly #agentActive: () => boolean;
  readonly #highlight: Highlighter;
  readonly #unlisten: () => void;
  /** Paths that this tab itself changed, and whose change the workspace has not reported yet. */
  readonly #mine = new Set<string>();
  #open = $state.raw<OpenFile | null>(null);
  #touched = $state.raw<ReadonlySet<string>>(new Set());
  #notice = $state.raw<Notice | null>(null);
  #naming = $state.raw<Naming | null>(null);

  constructor(workspace: Workspace, agentActive: () => boolean, highlight: Highlighter) {
    this.#workspace = workspace;
    this.#agentActive = agentActive;
    this.#highlight = highlight;
    this.tree = new FileTree(workspace);
    this.#unlisten = workspace.watch((changes) => this.#note(changes));
  }

  get open(): OpenFile | null {
    return this.#open;
  }
  /** Files that the agent changed and the person has not opened since. */
  get touched(): ReadonlySet<string> {
    return this.#touched;
  }
  get notice(): Notice | null {
    return this.#notice;
  }
  get naming(): Naming | null {
    return this.#naming;
  }

  close(): void {
    this.#unlisten();
    this.tree.close();
    this.#open?.close();
  }

  show(path: string): void {
    this.#touched = without(this.#touched, path);
    if (this.#open?.path === path) return;
    this.#open?.close();
    this.#open = new OpenFile(this.#workspace, path, (changed) => this.#authorOf(changed), this.#highlight);
  }

  closeFile(): void {
    this.#open?.close();
    this.#open = null;
  }

  dismiss(): void {
    this.#notice = null;
  }

  say(text: string): void {
    this.#notice = { text };
  }

  startNew(): void {
    this.#naming = { for: 'new', folder: this.folder };
  }

  startRename(path: string): void {
    this.#naming = { for: 'rename', path };
  }

  stopNaming(): void {
    this.#naming = null;
  }

  /** The folder for new files: the active folder, or the folder of the active file. */
  get folder(): string {
    const active = this.tree.rows.find(({ path }) => path === this.tree.active);
    if (!active) return ROOT;
    return active.expanded === undefined ? parentOf(active.path) : active.path;
  }

  /** Completes the naming. Rejects with the reason if the name is not valid, and the naming continues. */
  async name(naming: Naming, name: string): Promise<void> {
    if (naming.for === 'new') {
      const path = await this.#own(`${naming.folder}/${name.replace(/\/+$/, '')}`, () =>
        create(this.#workspace, naming.folder, name),
      );
      this.#naming = null;
      await this.tree.reveal(path);
      if (!name.endsWith('/')) this.show(path);
      return;
    }
    const { path, undo } = await rename(this.#workspace, naming.path, name);
    this.#naming = null;
    await this.tree.reveal(path);
    if (this.#open?.path === naming.path) this.show(path);
    if (path !== naming.path) this.#offerUndo(words.renamed(showName(nameOf(path))), naming.path, undo);
  }

  async delete(path: string): Promise<void> {
    const name = showName(nameOf(path));
    await this.#try(async () => {
      const undo = await removeWithUndo(this.#workspace, path);
      if (undo) return this.#offerUndo(words.deleted(name), path, undo);
      const forGood = () =>
        void this.#try(async () => {
          await remove(this.#workspace, path);
          this.#notice = { text: words.deleted(name) };
        });
      this.#notice = {
        text: words.deleteForGood(name),
        actions: [
          { title: words.delete, run: forGood },
          { title: words.cancel, run: () => this.dismiss() },
        ],
      };
    });
  }

  /**
   * Adds files that the person chose or dropped. For a zip, offers to unpack it. If a single folder is added
   * to an empty workspace, its content becomes the root's.
   */
  async take(entries: readonly ImportEntry[], into: string): Promise<void> {
    const [only] = entries;
    if (!only) {
      this.#notice = { text: words.nothingToAdd, failed: true };
    } else if (entries.length === 1 && only.type === 'file' && /\.zip$/i.test(only.path)) {
      this.#notice = {
        text: words.zipFound(showName(only.path)),
        actions: [
          { title: words.unpack, run: () => void this.#unpack(only, into) },
          { title: words.addAsFile, run: () => void this.add(entries, into) },
        ],
      };
    } else await this.#addTo(entries, into);
  }

  async #unpack(zip: ImportEntry & { type: 'file' }, into: string): Promise<void> {
    await this.#try(async () => {
      this.#notice = { text: words.unpacking, busy: true };
      const { entriesOfZip } = await import('../../../workspace/unzip.ts');
      await this.#addTo(entriesOfZip(await zip.read()), into);
    });
  }

  #addTo(entries: readonly ImportEntry[], into: string): Promise<void> {
    const isEmpty = into === ROOT && this.tree.rows.length === 0;
    return this.add(isEmpty ? withoutTop(entries) : entries, into);
  }

  async add(
    entries: readonly ImportEntry[],
    into: string,
    existing: 'keep' | 'replace' = 'keep',
  ): Promise<void> {
    const stop = new AbortController();
    const actions = [{ title: words.stop, run: () => stop.abort() }];
    this.#notice = { text: words.adding(0, entries.length), busy: true, actions };
    for (const { path } of entries) this.#mine.add(`${into}/${path}`);
    const report = await importEntries(this.#workspace, entries, {
      into,
      existing,
      signal: stop.signal,
      onProgress: ({ files, totalFiles }) => {
        this.#notice = { text: words.adding(files, totalFiles), busy: true, actions };
      },
    });
    const { files, kept, refused, stopped } = report;
    // Nothing was changed there, so the workspace will report nothing.
    for (const { path } of kept) this.#mine.delete(`${into}/${path}`);
    const text = [
      ...(stopped ? [[stopped.what, stopped.next].filter(Boolean).join(' ')] : []),
      ...(files > 0 || !stopped ? [words.added(files, placeName(entries, into))] : []),
      ...(kept.length > 0 ? [words.kept(kept.length)] : []),
      ...(refused.length > 0 ? [words.refusedFiles(refused.length)] : []),
    ].join(' ');
    this.#notice = {
      text,
      failed: stopped !== null || refused.length > 0,
      details: refused.slice(0, DETAILS).map(({ where, what }) => `${showName(where ?? '')}: ${what}`),
      actions:
        kept.length > 0 ? [{ title: words.replace, run: () => void this.add(kept, into, 'replace') }] : [],
    };
  }

  async downloadZip(folder: string): Promise<void> {
    await this.#try(async () => {
      this.#notice = { text: words.packing(0), busy: true };
      const { zip, files, skipped } = await exportZip(this.#workspace, {
        from: folder,
        onProgress: (packed) => (this.#notice = { text: words.packing(packed), busy: true }),
      });
      saveBlob(zip, `${nameOf(folder)}.zip`);
      const left = skipped.length > 0 ? ` ${words.skipped(skipped.length)}` : '';
      this.#notice = { text: words.zipped(files) + left, details: skipped.slice(0, DETAILS).map(showName) };
    });
  }

  async download(path: string): Promise<void> {
    await this.#try(async () => {
      saveBlob(new Blob([new Uint8Array(await this.#workspace.files.read(path))]), nameOf(path));
    });
  }

  async copyPath(path: string): Promise<void> {
    await this.#try(async () => {
      await navigator.clipboard.writeText(shortPath(path));
      this.#notice = { text: words.copied };
    });
  }

  #offerUndo(text: string, path: string, undo: Undo): void {
    const run = () =>
      void this.#try(async () => {
        await this.#own(path, undo);
        await this.tree.reveal(path);
        this.#notice = { text: words.restored(showName(nameOf(path))) };
      });
    this.#notice = { text, actions: [{ title: words.undo, run }] };
  }

  async #try(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#notice = { text: words.refused(why), failed: true };
    }
  }

  async #own<T>(path: string, action: () => Promise<T>): Promise<T> {
    this.#mine.add(path);
    return action();
  }

  #authorOf(path: string): Author {
    for (let at = path; isInside(at, ROOT); at = parentOf(at)) if (this.#mine.has(at)) return 'you';
    return this.#agentActive() ? 'agent' : 'other';
  }

  #note(changes: readonly FileChange[]): void {
    const touched = new Set(this.#touched);
    for (const change of changes) {
      const path = absolute(change.path);
      if (change.change === 'removed') touched.delete(path);
      else if (this.#authorOf(path) === 'agent' && this.#open?.path !== path) touched.add(path);
    }
    this.#touched = touched;
    // The viewer gets the same changes, and asks for their author before this task ends.
    queueMicrotask(() => changes.forEach(({ path }) => this.#mine.delete(absolute(path))));
  }
}

function without(set: ReadonlySet<string>, path: string): ReadonlySet<string> {
  return new Set([...set].filter((each) => each !== path));
}
