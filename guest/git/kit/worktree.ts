import type { FsStat } from '../../shell/shell-fs.ts';
import { decode, encode } from '../../shell/kit/io.ts';
import { comparePaths, idOf } from './bytes.ts';
import { folderOf, type Files } from './files.ts';
import type { Ignores } from './ignore.ts';
import type { IndexEntry, StatData } from './index-file.ts';
import { MODE, type Objects } from './objects.ts';
import type { Version } from './trees.ts';

/** A file or link in the working tree. */
export interface Found {
  readonly path: string;
  readonly stat: FsStat;
}

export function statDataOf({ mtime, size, inode = 0 }: FsStat): StatData {
  const ms = mtime.getTime();
  const seconds = Math.floor(ms / 1000);
  return {
    seconds: seconds >>> 0,
    nanoseconds: Math.round((ms - seconds * 1000) * 1e6) % 1e9,
    inode: inode >>> 0,
    size: size >>> 0,
  };
}

export function modeOf({ isSymbolicLink, mode }: FsStat): number {
  return isSymbolicLink ? MODE.link : mode & 0o100 ? MODE.executable : MODE.file;
}

/** Whether the file can be taken for unchanged without reading it. `indexTime` is when the index was written, in ms. */
export function isKnownSame(entry: IndexEntry, stat: FsStat, indexTime: number): boolean {
  const now = statDataOf(stat);
  // A file that changed in the very moment the index was written looks unchanged.
  const isSettled = stat.mtime.getTime() < indexTime - 10;
  return (
    isSettled &&
    entry.seconds === now.seconds &&
    entry.nanoseconds === now.nanoseconds &&
    entry.size === now.size &&
    (entry.inode === now.inode || now.inode === 0) &&
    entry.mode === modeOf(stat)
  );
}

/** The files of a working tree. Paths are relative to its top, except for `top`. */
export class Worktree {
  readonly files: Files;
  readonly top: string;

  constructor(files: Files, top: string) {
    this.files = files;
    this.top = top;
  }

  absolute(path: string): string {
    return path === '' ? this.top : `${this.top}/${path}`;
  }

  async lstat(path: string): Promise<FsStat | undefined> {
    const stat = await this.files.lstat(this.absolute(path));
    return stat?.isDirectory ? undefined : stat;
  }

  /** The content that git would store for a file: its bytes, or the target of a link. */
  async bytes(path: string, stat: FsStat): Promise<Uint8Array> {
    if (stat.isSymbolicLink) return encode(await this.files.fs.readlink(this.absolute(path)));
    return this.files.fs.readFileBuffer(this.absolute(path));
  }

  async version(path: string, stat: FsStat): Promise<Version> {
    return { mode: modeOf(stat), oid: idOf('blob', await this.bytes(path, stat)) };
  }

  /** The stats of many files; each folder is asked once. Paths without a file are left out. */
  async stats(paths: readonly string[]): Promise<Map<string, FsStat>> {
    const folders = new Map<string, string[]>();
    for (const path of paths) {
      const slash = path.lastIndexOf('/');
      const folder = slash < 0 ? '' : path.slice(0, slash);
      const names = folders.get(folder) ?? [];
      names.push(path.slice(slash + 1));
      folders.set(folder, names);
    }
    const found = new Map<string, FsStat>();
    await Promise.all(
      [...folders].map(async ([folder, names]) => {
        const wanted = new Set(names);
        for (const { name, stat } of await this.files.list(this.absolute(folder)))
          if (wanted.has(name) && !stat.isDirectory)
            found.set(folder === '' ? name : `${folder}/${name}`, stat);
      }),
    );
    return found;
  }

  /** Writes a version of a file into the working tree, in place of whatever is there. */
  async write(path: string, { mode, oid }: Version, objects: Objects): Promise<void> {
    const full = this.absolute(path);
    if (mode === MODE.submodule) {
      await this.files.fs.mkdir(full, { recursive: true });
      return;
    }
    const bytes = await objects.blob(oid);
    const present = await this.files.lstat(full);
    if (present && (present.isSymbolicLink || present.isDirectory || mode === MODE.link))
      await this.files.remove(full);
    if (!present) await this.#clearWay(path);
    if (mode === MODE.link) {
      await this.files.fs.mkdir(folderOf(full), { recursive: true });
      await this.files.fs.symlink(decode(bytes), full);
      return;
    }
    await this.files.write(full, bytes);
    const wanted = mode === MODE.executable ? 0o755 : 0o644;
    const is = present && present.isFile ? present.mode & 0o777 : 0o644;
    if (((is & 0o100) !== 0) !== ((wanted & 0o100) !== 0)) await this.files.fs.chmod(full, wanted);
  }

  /** A file in the place of a folder has to go before something can be written below it. */
  async #clearWay(path: string): Promise<void> {
    const parts = path.split('/').slice(0, -1);
    for (let length = 1; length <= parts.length; length++) {
      const full = this.absolute(parts.slice(0, length).join('/'));
      const stat = await this.files.lstat(full);
      if (!stat) return;
      if (!stat.isDirectory) return this.files.remove(full);
    }
  }

  /** Removes files, and the folders that are empty then. Answers which files could not be removed. */
  async remove(paths: readonly string[]): Promise<string[]> {
    const kept: string[] = [];
    await Promise.all(
      paths.map((path) =>
        this.files.fs.rm(this.absolute(path), { force: true }).catch(() => void kept.push(path)),
      ),
    );
    const folders = new Set(
      paths.flatMap((path) => (path.includes('/') ? [path.slice(0, path.lastIndexOf('/'))] : [])),
    );
    for (const folder of [...folders].sort((a, b) => b.length - a.length)) await this.#removeEmpty(folder);
    return kept;
  }

  async #removeEmpty(folder: string): Promise<void> {
    for (let at = folder; at !== ''; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '') {
      const full = this.absolute(at);
      if (!(await this.files.isFolder(full)) || (await this.files.list(full)).length > 0) return;
      await this.files.remove(full);
    }
  }

  /**
   * Lists what the index does not have, folders with a slash at their end where they hold nothing that is tracked.
   * `all` goes into these folders. What is ignored is answered apart.
   */
  async untracked(
    tracked: ReadonlySet<string>,
    ignores: Ignores | undefined,
    options: { readonly all: boolean; readonly wanted?: (path: string, isFolder: boolean) => boolean },
  ): Promise<{ readonly untracked: string[]; readonly ignored: string[] }> {
    const folders = new Set<string>();
    for (const path of tracked)
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
        folders.add(path.slice(0, at));
    const scan = new Scan(this, { tracked, folders, ignores, ...options });
    await scan.visit('');
    return { untracked: scan.untracked.sort(comparePaths), ignored: scan.ignored.sort(comparePaths) };
  }
}

interface ScanOptions {
  readonly tracked: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  readonly ignores: Ignores | undefined;
  readonly all: boolean;
  readonly wanted?: (path: string, isFolder: boolean) => boolean;
  /** The scan of an untracked folder, of which all files count as one. */
  readonly isInner?: boolean;
}

class Scan {
  readonly untracked: string[] = [];
  readonly ignored: string[] = [];
  readonly #tree: Worktree;
  readonly #options: ScanOptions;

  constructor(tree: Worktree, options: ScanOptions) {
    this.#tree = tree;
    this.#options = options;
  }

  async visit(folder: string): Promise<void> {
    const { tracked, folders, ignores, all, wanted } = this.#options;
    const full = this.#tree.absolute(folder);
    const [entries] = await Promise.all([this.#tree.files.list(full), ignores?.enter(full)]);
    await Promise.all(
      entries.map(async ({ name, isDirectory }) => {
        const path = folder === '' ? name : `${folder}/${name}`;
        if (name === '.git' || tracked.has(path)) return;
        if (wanted && !wanted(path, isDirectory)) return;
        if (isDirectory && folders.has(path)) return this.visit(path);
        if (ignores?.ignoresEntered(path, isDirectory)) {
          this.ignored.push(isDirectory ? `${path}/` : path);
          return;
        }
        if (!isDirectory) {
          this.untracked.push(path);
          return;
        }
        if (await this.#isRepository(path)) {
          this.untracked.push(`${path}/`);
          return;
        }
        if (all && !this.#options.isInner) return this.visit(path);
        await this.#folder(path);
      }),
    );
  }

  /** An untracked folder counts as one entry where it holds something, and as ignored where all in it is. */
  async #folder(path: string): Promise<void> {
    const inner = new Scan(this.#tree, { ...this.#options, isInner: true });
    await inner.visit(path);
    if (inner.untracked.length > 0) {
      this.untracked.push(`${path}/`);
      this.ignored.push(...inner.ignored);
    } else if (inner.ignored.length > 0) this.ignored.push(`${path}/`);
  }

  #isRepository(path: string): Promise<boolean> {
    return this.#tree.files.exists(`${this.#tree.absolute(path)}/.git/HEAD`);
  }
}
