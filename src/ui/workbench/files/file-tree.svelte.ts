/* eslint-disable svelte/prefer-svelte-reactivity -- these collections are never shown; what is shown is replaced whole */
import type { Unlisten } from '../../../base/listeners.ts';
import { isInside } from '../../../workspace/paths.ts';
import { ROOT, type Entry, type FileChange, type Workspace } from '../../../workspace/workspace.ts';
import { absolute, parentOf } from './paths.ts';

export interface Row {
  readonly path: string;
  readonly name: string;
  readonly type: Entry['type'];
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Undefined for what cannot be opened. */
  readonly expanded?: boolean;
}

/**
 * The folders that were opened, listed when they are, and kept true by the workspace's own notices: whatever was
 * changed, its folder is listed again.
 */
export class FileTree {
  readonly #workspace: Workspace;
  /** Listed folders. */
  readonly #folders = new Map<string, readonly Entry[]>();
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

  /** Why the last folder could not be listed. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The root has been listed once. */
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

  /** Opens the folders above `path` and makes it active. */
  async reveal(path: string): Promise<void> {
    const folders: string[] = [];
    for (let folder = parentOf(path); isInside(folder, ROOT); folder = parentOf(folder)) folders.push(folder);
    for (const folder of folders.reverse()) {
      this.#expanded.add(folder);
      await this.refresh(folder);
    }
    this.#active = path;
  }

  /** Lists a folder again; resolves when the rows are true to it. */
  refresh(folder: string): Promise<void> {
    this.#stale.add(folder);
    this.#refreshing ??= this.#refreshAll().finally(() => (this.#refreshing = null));
    return this.#refreshing;
  }

  close(): void {
    this.#unlisten();
  }

  #changed(changes: readonly FileChange[]): void {
    const folders = new Set(
      changes.map(({ path }) => nearestListed(parentOf(absolute(path)), this.#folders)),
    );
    for (const folder of folders) void this.refresh(folder);
  }

  async #refreshAll(): Promise<void> {
    // Notices that come while folders are listed are gathered into the next round.
    await Promise.resolve();
    while (this.#stale.size > 0) {
      const folders = [...this.#stale];
      this.#stale.clear();
      await Promise.all(folders.map((folder) => this.#list(folder)));
      this.#lay();
    }
    this.#ready = true;
  }

  async #list(folder: string): Promise<void> {
    try {
      this.#folders.set(folder, sorted(await this.#workspace.files.list(folder)));
      this.#problem = null;
    } catch (error) {
      this.#folders.delete(folder);
      if (folder !== ROOT) this.#expanded.delete(folder);
      const gone = folder !== ROOT && (await this.#workspace.files.stat(folder).catch(() => null)) === null;
      if (!gone) this.#problem = error instanceof Error ? error.message : String(error);
    }
  }

  #lay(): void {
    const rows: Row[] = [];
    this.#layFolder(ROOT, 1, rows);
    this.#rows = rows;
    if (this.#active === null || !rows.some(({ path }) => path === this.#active)) {
      this.#active = nearestRow(this.#active, rows);
    }
  }

  #layFolder(folder: string, level: number, rows: Row[]): void {
    const entries = this.#folders.get(folder) ?? [];
    entries.forEach((entry, at) => {
      const path = `${folder}/${entry.name}`;
      const row = {
        path,
        name: entry.name,
        type: entry.type,
        level,
        position: at + 1,
        siblings: entries.length,
      };
      const opens = entry.type === 'directory';
      const expanded = this.#expanded.has(path);
      rows.push(opens ? { ...row, expanded } : row);
      if (opens && expanded) this.#layFolder(path, level + 1, rows);
    });
  }
}

/** A folder that is not shown yet changes what is above it at most, as when it is made. */
function nearestListed(folder: string, listed: ReadonlyMap<string, unknown>): string {
  let here = folder;
  while (here !== ROOT && isInside(here, ROOT) && !listed.has(here)) here = parentOf(here);
  return isInside(here, ROOT) ? here : ROOT;
}

/** Where the cursor goes when its row is gone: up to a folder that is left, else to the first row. */
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
