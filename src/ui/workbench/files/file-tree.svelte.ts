/* eslint-disable svelte/prefer-svelte-reactivity -- these collections are never shown; what is shown is replaced whole */
import { messageOf } from '../../../base/message-of.ts';
import type { Unlisten } from '../../../base/listeners.ts';
import { isInside } from '../../../protocol/paths.ts';
import { ROOT, type Entry, type FileChange, type Workspace } from '../../../workspace/workspace.ts';
import { absolute, parentOf } from './paths.ts';

export interface Row {
  readonly path: string;
  readonly name: string;
  readonly type: Entry['type'];
  /** The depth of the row, from 1. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Undefined for a row that cannot be expanded. */
  readonly expanded?: boolean;
  /** True if searches leave the entry out, because of `.gitignore` and the like. */
  readonly ignored: boolean;
}

/**
 * The expanded folders with their entries. When the workspace reports a change, the folder of the changed
 * entry is listed again.
 */
export class FileTree {
  readonly #workspace: Workspace;
  /** The entries of listed folders. */
  readonly #folders = new Map<string, readonly Entry[]>();
  /** The names of ignored entries, keyed by folder. */
  readonly #ignored = new Map<string, ReadonlySet<string>>();
  readonly #expanded = new Set<string>([ROOT]);
  readonly #stale = new Set<string>();
  #refreshing: Promise<void> | null = null;
  #rows = $state.raw<readonly Row[]>([]);
  #active = $state.raw<string | null>(null);
  #problem = $state.raw<string | null>(null);
  #ready = $state.raw(false);
  readonly #unlisten: Unlisten;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#unlisten = workspace.watch((changes) => this.#changed(changes));
    void this.refresh(ROOT);
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** Path of the row that keys act on; null in an empty tree. */
  get active(): string | null {
    return this.#active;
  }

  /** The reason why the last folder could not be listed. */
  get problem(): string | null {
    return this.#problem;
  }

  /** True once the root has been listed. */
  get ready(): boolean {
    return this.#ready;
  }

  activate(path: string): void {
    this.#active = path;
  }

  async expand(path: string): Promise<void> {
    if (this.#expanded.has(path)) return;
    this.#expanded.add(path);
    await this.refresh(path);
  }

  collapse(path: string): void {
    this.#expanded.delete(path);
    if (this.#active !== null && this.#active !== path && isInside(this.#active, path)) this.#active = path;
    this.#lay();
  }

  /** Expands the folders above `path` and makes it active. */
  async reveal(path: string): Promise<void> {
    const folders: string[] = [];
    for (let folder = parentOf(path); isInside(folder, ROOT); folder = parentOf(folder)) folders.push(folder);
    for (const folder of folders.reverse()) {
      this.#expanded.add(folder);
      await this.refresh(folder);
    }
    this.#active = path;
  }

  /** Lists a folder again; resolves when the rows show the result. */
  refresh(folder: string): Promise<void> {
    this.#stale.add(folder);
    this.#refreshing ??= this.#refreshAll();
    return this.#refreshing;
  }

  close(): void {
    this.#unlisten();
  }

  #changed(changes: readonly FileChange[]): void {
    const folders = new Set(
      changes.map(({ path }) => nearestShown(parentOf(absolute(path)), (folder) => this.#isShown(folder))),
    );
    // The ignore rules apply to the folders below too.
    const rules = changes.some(({ path }) => /\/(\.gitignore|\.ignore|\.git\/info\/exclude)$/.test(path));
    for (const folder of rules ? [...folders, ...this.#folders.keys()] : folders) void this.refresh(folder);
  }

  async #refreshAll(): Promise<void> {
    // Changes that are reported while folders are being listed are handled in the next round.
    await Promise.resolve();
    while (this.#stale.size > 0) {
      const folders = [...this.#stale];
      this.#stale.clear();
      await Promise.all(folders.map((folder) => this.#list(folder)));
      this.#lay();
    }
    // Nothing is awaited between the last check and this line, so no folder that turns stale is forgotten.
    this.#refreshing = null;
    this.#ready = true;
  }

  /** Whether the folder was listed, or is being listed for the first time and may miss what changes now. */
  #isShown(folder: string): boolean {
    return this.#folders.has(folder) || this.#expanded.has(folder);
  }

  async #list(folder: string): Promise<void> {
    try {
      const entries = await this.#workspace.files.list(folder);
      const { ignoredEntries } = await import('../../../protocol/ignored.ts');
      this.#ignored.set(folder, await ignoredEntries(this.#workspace.files, folder, entries));
      this.#folders.set(folder, sorted(entries));
      this.#problem = null;
    } catch (error) {
      this.#folders.delete(folder);
      if (folder !== ROOT) this.#expanded.delete(folder);
      const gone = folder !== ROOT && (await this.#workspace.files.stat(folder).catch(() => null)) === null;
      if (!gone) this.#problem = messageOf(error);
    }
  }

  #lay(): void {
    const rows: Row[] = [];
    this.#layFolder(ROOT, 1, false, rows);
    this.#rows = rows;
    if (this.#active === null || !rows.some(({ path }) => path === this.#active)) {
      this.#active = nearestRow(this.#active, rows);
    }
  }

  #layFolder(folder: string, level: number, above: boolean, rows: Row[]): void {
    const entries = this.#folders.get(folder) ?? [];
    entries.forEach((entry, at) => {
      const path = `${folder}/${entry.name}`;
      const ignored = above || this.#ignored.get(folder)?.has(entry.name) === true;
      const row = {
        path,
        name: entry.name,
        type: entry.type,
        level,
        position: at + 1,
        siblings: entries.length,
        ignored,
      };
      const opens = entry.type === 'directory';
      const expanded = this.#expanded.has(path);
      rows.push(opens ? { ...row, expanded } : row);
      if (opens && expanded) this.#layFolder(path, level + 1, ignored, rows);
    });
  }
}

/**
 * The nearest folder above that is shown. A folder that is not shown yet can only change the entries of that
 * one, for example when it is created.
 */
function nearestShown(folder: string, isShown: (folder: string) => boolean): string {
  let here = folder;
  while (here !== ROOT && isInside(here, ROOT) && !isShown(here)) here = parentOf(here);
  return isInside(here, ROOT) ? here : ROOT;
}

/**
 * The row for the cursor if its own row disappeared: the nearest folder above that remains, else the first
 * row.
 */
function nearestRow(path: string | null, rows: readonly Row[]): string | null {
  const present = new Set(rows.map((row) => row.path));
  for (let above = path; above?.startsWith(`${ROOT}/`); above = parentOf(above)) {
    if (present.has(above)) return above;
  }
  return rows[0]?.path ?? null;
}

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function sorted(entries: readonly Entry[]): readonly Entry[] {
  const rank = (entry: Entry) => (entry.type === 'directory' ? 0 : 1);
  return [...entries].sort(
    (a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name) || (a.name < b.name ? -1 : 1),
  );
}
