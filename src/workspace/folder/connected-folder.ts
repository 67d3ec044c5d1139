import { FaultError, faultOf, type Fault } from '../../base/fault.ts';
import { digestBytes, type Hash } from '../../base/hash.ts';
import { listFiles } from '../snapshot.ts';
import { ROOT, WorkspaceError, type Workspace } from '../workspace.ts';
import type { DiskFile, DiskFolder, ReadOptions } from './disk-folder.ts';
import { compareSides, type Side, type SideChange } from './sides.ts';

/** The outcome of changes that were to be carried out. */
export interface SyncReport {
  readonly done: number;
  readonly refused: readonly Fault[];
}

export interface SyncOptions {
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** The files as both held them when they were last equal. */
export type Base = ReadonlyMap<string, DiskFile>;

/**
 * A folder of the disk that belongs to a workspace. Nothing is ever carried from one to the other but the changes that
 * the caller names, and each of them only where both files still are what the change says.
 */
export class ConnectedFolder {
  readonly #workspace: Workspace;
  readonly #disk: DiskFolder;
  readonly #keep: (base: Base) => Promise<void>;
  #base: Map<string, DiskFile>;

  /** `keep` stores the base whenever it has changed. */
  constructor(workspace: Workspace, disk: DiskFolder, base: Base, keep: (base: Base) => Promise<void>) {
    this.#workspace = workspace;
    this.#disk = disk;
    this.#base = new Map(base);
    this.#keep = keep;
  }

  /** How many files of the workspace have changed since both were equal. Does not touch the disk. */
  async changedHere(): Promise<number> {
    const { files, isUnknown } = await this.#side();
    const changed = [...files].filter(([path, hash]) => this.#base.get(path)?.hash !== hash);
    const gone = [...this.#base.keys()].filter((path) => !files.has(path) && !isUnknown(path));
    return changed.length + gone.length;
  }

  /** Reads both, and lists the paths at which they differ. */
  async compare(options: Omit<ReadOptions, 'known'> = {}): Promise<readonly SideChange[]> {
    const reading = await this.#disk.list({ ...options, known: this.#base });
    const here = await this.#side();
    const there: Side = {
      files: new Map([...reading.files].map(([path, { hash }]) => [path, hash])),
      isUnknown: (path) => isBelow(reading.leftOut, path),
    };
    await this.#noteEqual(here.files, reading.files);
    const base = new Map([...this.#base].map(([path, { hash }]) => [path, hash]));
    return compareSides(base, here, there);
  }

  /** Writes these files of the workspace to the disk. */
  toDisk(changes: readonly SideChange[], options: SyncOptions = {}): Promise<SyncReport> {
    return this.#each(changes, options, async ({ path, here, there }) => {
      const present = await this.#disk.read(path);
      if ((present && (await digest(present))) !== there) throw changedSince(path, 'on your disk');
      if (here === null) {
        await this.#disk.remove(path);
        this.#base.delete(path);
        return;
      }
      const content = await this.#workspace.files.read(`${ROOT}/${path}`, { real: true });
      if ((await digest(content)) !== here) throw changedSince(path, 'in the workspace');
      this.#base.set(path, await this.#disk.write(path, content));
    });
  }

  /** Brings these files of the disk into the workspace. */
  async fromDisk(changes: readonly SideChange[], options: SyncOptions = {}): Promise<SyncReport> {
    const report = await this.#each(changes, options, async ({ path, here, there }) => {
      const content = await this.#disk.read(path);
      if ((content && (await digest(content))) !== there) throw changedSince(path, 'on your disk');
      const target = `${ROOT}/${path}`;
      if (content) await this.#workspace.files.write(target, content, { expect: here, real: true });
      else if (here !== null) await this.#workspace.files.remove(target, { expect: here, real: true });
      if (content && there !== null)
        // The time is not known here: the next comparison reads the file once more.
        this.#base.set(path, { hash: there, size: content.length, modified: 0 });
      else this.#base.delete(path);
    });
    await this.#workspace.durable();
    return report;
  }

  async #each(
    changes: readonly SideChange[],
    { onProgress, signal }: SyncOptions,
    carryOut: (change: SideChange) => Promise<void>,
  ): Promise<SyncReport> {
    const refused: Fault[] = [];
    let done = 0;
    try {
      for (const change of changes) {
        if (signal?.aborted) break;
        try {
          await carryOut(change);
          done += 1;
        } catch (error) {
          const isChanged = error instanceof WorkspaceError && error.code === 'ECHANGED';
          const why = isChanged ? changedSince(change.path, 'in the workspace') : error;
          refused.push({ ...faultOf(why), where: change.path });
        }
        onProgress?.(done + refused.length, changes.length);
      }
    } finally {
      await this.#keep(this.#base);
    }
    return { done, refused };
  }

  async #side(): Promise<Side> {
    const files = new Map<string, Hash>();
    const unknown = new Set<string>();
    for (const entry of await listFiles(this.#workspace)) {
      if (entry.type === 'file') files.set(entry.path, entry.hash);
      // The disk has no links that the browser could make.
      else if (entry.type !== 'directory') unknown.add(entry.path);
    }
    return { files, isUnknown: (path) => isBelow(unknown, path) };
  }

  /** Files that are equal in both are part of the base from now on, however that came about. */
  async #noteEqual(here: ReadonlyMap<string, Hash>, there: Base): Promise<void> {
    let changed = false;
    for (const [path, file] of there) {
      if (here.get(path) !== file.hash || this.#base.get(path) === file) continue;
      this.#base.set(path, file);
      changed = true;
    }
    for (const path of [...this.#base.keys()])
      if (!here.has(path) && !there.has(path)) changed = this.#base.delete(path) || changed;
    if (changed) await this.#keep(this.#base);
  }
}

function digest(bytes: Uint8Array): Promise<Hash> {
  return digestBytes(new Uint8Array(bytes));
}

function isBelow(paths: ReadonlySet<string>, path: string): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (paths.has(path.slice(0, end))) return true;
  return false;
}

function changedSince(path: string, where: string): FaultError {
  return new FaultError({
    code: 'changed-since',
    what: `It was changed again ${where}, so it was left as it is.`,
    where: path,
    next: 'Compare again.',
  });
}
