import { nodeError } from '../../builtins/internal/errors.ts';
import { folderOf } from '../../loader/files.ts';
import type { FsCore } from '../core.ts';
import type { CpOptions } from './options.ts';
import { CopyRefusals } from './refusals.ts';

type FileStats = NonNullable<ReturnType<FsCore['lstat']>>;

/** One call of `cp`. Its steps are the results of the filter, for which the asynchronous form waits. */
export class CopyRun {
  readonly #core: FsCore;
  readonly #options: CpOptions;
  readonly #isSync: boolean;
  readonly #refusals: CopyRefusals;

  constructor(core: FsCore, options: CpOptions, isSync: boolean) {
    this.#core = core;
    this.#options = options;
    this.#isSync = isSync;
    this.#refusals = new CopyRefusals(isSync);
  }

  *copy(source: string, target: string, isTop: boolean): Generator<unknown, void, unknown> {
    const core = this.#core;
    const { force = true, errorOnExist = false, preserveTimestamps } = this.#options;
    if (this.#options.filter) {
      const chosen = this.#options.filter(source, target);
      if (this.#isSync && chosen instanceof Promise)
        throw nodeError(
          'ERR_INVALID_RETURN_VALUE',
          'Expected boolean to be returned from the "filter" function but got an instance of Promise.',
          TypeError,
        );
      if (!(yield chosen)) return;
    }
    const stat = this.#statOf(source, true);
    // The call above throws where nothing is there.
    if (!stat) return;
    const there = this.#statOf(target, false);
    this.#check(source, target, stat, there, isTop);
    if (stat.isDirectory()) {
      const names = core.readdir(source);
      if (there && errorOnExist && !force && !this.#isSync) throw this.#refusals.exists(target);
      if (!there) core.mkdir(target, { recursive: true });
      for (const name of names)
        yield* this.copy(`${source}/${String(name)}`, `${target}/${String(name)}`, false);
    } else {
      if (there && !force) {
        if (errorOnExist) throw this.#refusals.exists(target);
        return;
      }
      if (!there && isTop && target.includes('/'))
        core.mkdir(target.slice(0, target.lastIndexOf('/')) || '/', { recursive: true });
      if (stat.isSymbolicLink()) {
        this.#copyLink(source, target, there);
        return;
      }
      if (there) core.unlink(target);
      core.copyFile(source, target, this.#options.mode ?? 0);
    }
    if (preserveTimestamps) {
      const { atime, mtime } = stat;
      core.utimes(target, atime, mtime);
    }
  }

  #statOf(path: string, throwIfNoEntry: boolean): FileStats | undefined {
    return this.#core[this.#options.dereference ? 'stat' : 'lstat'](path, { throwIfNoEntry });
  }

  #check(
    source: string,
    target: string,
    stat: FileStats,
    there: FileStats | undefined,
    isTop: boolean,
  ): void {
    const refusals = this.#refusals;
    const isFolder = stat.isDirectory();
    if (there && there.ino === stat.ino) throw refusals.same(target);
    if (isFolder && there && !there.isDirectory()) throw refusals.folderOverFile(source, target);
    if (!isFolder && there?.isDirectory()) throw refusals.fileOverFolder(source, target);
    if (isFolder && (this.#isWithin(target, source) || (isTop && this.#isBelow(target, stat))))
      throw refusals.folderIntoItself(source, target);
    if (isFolder && !this.#options.recursive) throw refusals.notRecursive(source);
  }

  #isWithin(path: string, folder: string): boolean {
    return `${this.#core.absolute(path)}/`.startsWith(`${this.#core.absolute(folder)}/`);
  }

  /** Whether the folder with these stats is one of the parents of a path, possibly by another name. */
  #isBelow(path: string, { ino }: FileStats): boolean {
    for (let at = folderOf(this.#core.absolute(path)); at !== '/'; at = folderOf(at))
      if (this.#core.lookAt(at)?.inode === ino) return true;
    return false;
  }

  #copyLink(source: string, target: string, there: FileStats | undefined): void {
    const core = this.#core;
    const goal = this.#targetOf(source, this.#options.verbatimSymlinks);
    if (there?.isSymbolicLink()) {
      const before = this.#targetOf(target);
      if (core.lookAt(source)?.type === 'directory') {
        if (this.#isWithin(before, goal)) throw this.#refusals.linkIntoItself(target, goal, before);
        if (this.#isWithin(goal, before)) throw this.#refusals.linkOverParent(target, goal, before);
      }
      core.unlink(target);
    }
    core.symlink(goal, target);
  }

  /** The target of a symlink, as an absolute path unless `isKept`. */
  #targetOf(link: string, isKept = false): string {
    const goal = String(this.#core.readlink(link));
    return isKept || goal.startsWith('/')
      ? goal
      : this.#core.absolute(`${this.#core.absolute(link)}/../${goal}`);
  }
}
