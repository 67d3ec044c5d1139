/* eslint-disable svelte/prefer-svelte-reactivity -- these collections are never shown; what is shown is replaced whole */
import { messageOf } from '../../../base/message-of.ts';
import { faultOf } from '../../../base/fault.ts';
import { exportZip, importEntries, isOverLimits, type ImportEntry } from '../../../workspace/transfer.ts';
import { isInside } from '../../../protocol/paths.ts';
import { ROOT, type FileChange, type Workspace } from '../../../workspace/workspace.ts';
import type { Place } from '../../state/finding.svelte.ts';
import { showName } from '../show-name.ts';
import { benchWords as words } from '../workbench-words.ts';
import { create, move, remove, removeWithUndo, rename, type Undo } from './changes.ts';
import type { CodeHost } from './editor/code/code-host.ts';
import { FileTree } from './file-tree.svelte.ts';
import type { Author, Highlighter, OpenFile } from './open-file.svelte.ts';
import { OpenFiles } from './open-files.svelte.ts';
import { absolute, nameOf, parentOf, shortPath } from './paths.ts';
import { saveBlob } from './save-blob.ts';
import type { TextSearch } from './search/text-search.svelte.ts';

export interface Notice {
  readonly text: string;
  readonly failed?: boolean;
  /** Lines below the text, for example the reasons why files were left out. */
  readonly details?: readonly string[];
  readonly actions?: readonly { readonly title: string; readonly run: () => void }[];
  /** Takes back the action that the notice tells of. Ctrl+Z in the tree calls it while the notice is shown. */
  readonly undo?: () => void;
  /** True while work is going on; the notice cannot be dismissed then. */
  readonly busy?: boolean;
}

/** A name that the person is typing, for a new file in a folder or for an existing one. */
export type Naming =
  { readonly for: 'new'; readonly folder: string } | { readonly for: 'rename'; readonly path: string };

const DETAILS = 5;

/** Removes the single top folder that contains all entries. */
function withoutTop(entries: readonly ImportEntry[], top: string): readonly ImportEntry[] {
  return entries.flatMap((entry) =>
    entry.path === top ? [] : { ...entry, path: entry.path.slice(top.length + 1) },
  );
}

/** The name of the single top folder that contains all entries, if there is one. */
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
  /** The files that are open, each as a tab. */
  readonly openFiles: OpenFiles;
  readonly #workspace: Workspace;
  /** Whether a change is probably the agent's. Nobody knows while the tab is not shown. */
  agentActive: () => boolean = () => false;
  readonly #unlisten: () => void;
  /** Paths that this tab itself changed, and whose change the workspace has not reported yet. */
  readonly #mine = new Set<string>();
  #touched = $state.raw<ReadonlySet<string>>(new Set());
  #notice = $state.raw<Notice | null>(null);
  #naming = $state.raw<Naming | null>(null);
  /** The path of the file or folder that was cut and waits to be pasted. */
  #cut = $state.raw<string | null>(null);
  #searching = $state(false);
  #searchAsked = $state(0);
  /** The search in the files, once there was one. */
  search: TextSearch | null = null;

  constructor(workspace: Workspace, highlight: Highlighter, language?: CodeHost['language']) {
    this.#workspace = workspace;
    this.tree = new FileTree(workspace);
    this.openFiles = new OpenFiles({
      workspace,
      highlight,
      authorOf: (path) => this.#authorOf(path),
      own: (path, change) => this.own(path, change),
      code: language && this.#codeHost(language),
    });
    this.#unlisten = workspace.watch((changes) => this.#note(changes));
  }

  #codeHost(language: CodeHost['language']): CodeHost {
    const { files } = this.#workspace;
    return {
      language,
      files,
      watch: (listener) => this.#workspace.watch(listener),
      goTo: (path, position) => {
        this.show(path);
        this.open?.goTo(position.line + 1, position.character);
      },
      isUnsaved: (path) => this.openFiles.unsaved.some((file) => file.path === path),
      own: (path, change) => this.own(path, change),
    };
  }

  /** The open file that is shown. */
  get open(): OpenFile | null {
    return this.openFiles.active;
  }
  get workspace(): Workspace {
    return this.#workspace;
  }
  /** Files that the agent changed and the person has not opened since. */
  get touched(): ReadonlySet<string> {
    return this.#touched;
  }
  get notice(): Notice | null {
    return this.#notice;
  }
  /** The path of what waits to be moved. */
  get waiting(): string | null {
    return this.#cut;
  }
  /** Whether the search is shown in the place of the tree. */
  get searching(): boolean {
    return this.#searching;
  }
  /** A counter that grows each time the person asks for the search. */
  get searchAsked(): number {
    return this.#searchAsked;
  }
  get naming(): Naming | null {
    return this.#naming;
  }

  close(): void {
    this.#unlisten();
    this.search?.close();
    this.tree.close();
    this.openFiles.close();
  }

  show(path: string): void {
    this.#touched = without(this.#touched, path);
    this.openFiles.show(path);
  }

  /** Shows a place in a file and its row in the tree, and gives its text the keyboard. */
  goTo({ path, line, from, to }: Place): void {
    this.show(path);
    if (isInside(path, ROOT)) void this.tree.reveal(path);
    this.open?.goTo(line, from, to);
  }

  dismiss(): void {
    this.#cut = null;
    this.#notice = null;
  }

  say(text: string): void {
    this.tell({ text });
  }

  tell(notice: Notice): void {
    this.#notice = notice;
  }

  /** Shows the search in the place of the tree, with the keyboard in its field. */
  startSearch(): void {
    this.#searching = true;
    this.#searchAsked++;
  }

  stopSearch(): void {
    this.#searching = false;
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
      const path = await this.own(`${naming.folder}/${name.replace(/\/+$/, '')}`, () =>
        create(this.#workspace, naming.folder, name),
      );
      this.#naming = null;
      await this.tree.reveal(path);
      if (!name.endsWith('/')) this.show(path);
      return;
    }
    const run = () => rename(this.#workspace, naming.path, name);
    const { path, undo } = await this.#ownMove(naming.path, `${parentOf(naming.path)}/${name}`, run);
    this.#naming = null;
    await this.tree.reveal(path);
    if (path !== naming.path) this.#moved(naming.path, path, words.renamed(showName(nameOf(path))), undo);
  }

  /** Takes a file or a folder, for putting it somewhere else. It stays where it is until then. */
  cut(path: string): void {
    this.#cut = path;
    this.#notice = {
      text: words.cut(showName(nameOf(path))),
      actions: [
        { title: words.moveHere, run: () => void this.paste(this.folder) },
        { title: words.moveToTop(shortPath(ROOT)), run: () => void this.paste(ROOT) },
        { title: words.cancel, run: () => this.stopCut() },
      ],
    };
  }

  stopCut(): void {
    this.#cut = null;
    this.#notice = null;
  }

  /** Moves what was cut. */
  async paste(folder: string): Promise<void> {
    if (this.#cut !== null) await this.move(this.#cut, folder);
  }

  /** Moves a file or a folder into a folder, or says why that is not possible. */
  async move(from: string, folder: string): Promise<void> {
    this.#cut = null;
    this.#notice = null;
    await this.#try(async () => {
      const run = () => move(this.#workspace, from, folder);
      const { path, undo } = await this.#ownMove(from, `${folder}/${nameOf(from)}`, run);
      if (path === from) return;
      await this.tree.reveal(path);
      const text = words.moved(showName(nameOf(path)), showName(shortPath(folder)));
      this.#moved(from, path, text, undo);
    });
  }

  /** A move to where the file is already changes nothing, so the workspace will report nothing. */
  #ownMove<T>(from: string, to: string, run: () => Promise<T>): Promise<T> {
    return from === to ? run() : this.own(to, run);
  }

  #moved(from: string, to: string, text: string, undo: Undo): void {
    this.openFiles.moved(from, to);
    this.#offerUndo(text, from, async () => {
      await undo();
      this.openFiles.moved(to, from);
    });
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
      const bytes = await zip.read();
      try {
        await this.#addTo(await entriesOfZip(bytes), into);
      } catch (error) {
        const fault = faultOf(error);
        if (fault.code !== 'zip-too-large') throw error;
        const run = () =>
          void this.#try(async () => this.#addTo(await entriesOfZip(bytes, { leaveOutIgnored: true }), into));
        this.#notice = { text: fault.what, failed: true, actions: [{ title: words.leaveOutIgnored, run }] };
      }
    });
  }

  async #addTo(entries: readonly ImportEntry[], into: string): Promise<void> {
    const isEmpty = into === ROOT && this.tree.rows.length === 0;
    const top = isEmpty ? topOf(entries) : undefined;
    if (top === undefined) return this.add(entries, into);
    await this.add(withoutTop(entries, top), into);
    const notice = this.#notice;
    if (notice) this.#notice = { ...notice, text: `${notice.text} ${words.openedTop(showName(top))}` };
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
      actions: [
        ...(kept.length > 0 && !stopped
          ? [{ title: words.replace, run: () => void this.add(kept, into, 'replace') }]
          : []),
        ...(isOverLimits(stopped)
          ? [{ title: words.leaveOutIgnored, run: () => void this.#addWithoutIgnored(entries, into) }]
          : []),
      ],
    };
  }

  #addWithoutIgnored(entries: readonly ImportEntry[], into: string): Promise<void> {
    return this.#try(async () => {
      const { withoutIgnoredEntries } = await import('../../../workspace/leave-out.ts');
      await this.add(await withoutIgnoredEntries(entries), into);
    });
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
        await this.own(path, undo);
        await this.tree.reveal(path);
        this.#notice = { text: words.restored(showName(nameOf(path))) };
      });
    this.#notice = { text, actions: [{ title: words.undo, run }], undo: run };
  }

  async #try(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      const why = messageOf(error);
      this.#notice = { text: words.refused(why), failed: true };
    }
  }

  /** Runs a change that the person makes to a file, so that nobody else is named as its author. */
  async own<T>(path: string, action: () => Promise<T>): Promise<T> {
    this.#mine.add(path);
    try {
      return await action();
    } catch (error) {
      // Nothing was changed, so the workspace will report nothing.
      this.#mine.delete(path);
      throw error;
    }
  }

  #authorOf(path: string): Author {
    for (let at = path; isInside(at, ROOT); at = parentOf(at)) if (this.#mine.has(at)) return 'you';
    return this.agentActive() ? 'agent' : 'other';
  }

  #note(changes: readonly FileChange[]): void {
    const touched = new Set(this.#touched);
    for (const change of changes) {
      const path = absolute(change.path);
      if (change.change === 'removed') touched.delete(path);
      else if (this.#authorOf(path) === 'agent' && this.open?.path !== path) touched.add(path);
    }
    this.#touched = touched;
    // The viewer gets the same changes, and asks for their author before this task ends.
    queueMicrotask(() => changes.forEach(({ path }) => this.#mine.delete(absolute(path))));
  }
}

function without(set: ReadonlySet<string>, path: string): ReadonlySet<string> {
  return new Set([...set].filter((each) => each !== path));
}
