import {
  argTypeError,
  needFunction,
  needInteger,
  needObject,
  nodeError,
  plainError,
} from '../builtins/internal/errors.ts';
import type { FsCore } from './core.ts';
import { pathOf } from './arguments.ts';
import { fsRefusal } from './errors.ts';
import { folderOf } from '../loader/files.ts';
import type { Stats } from './shape.ts';

interface CpOptions {
  readonly recursive?: boolean;
  readonly force?: boolean;
  readonly errorOnExist?: boolean;
  readonly dereference?: boolean;
  readonly preserveTimestamps?: boolean;
  readonly verbatimSymlinks?: boolean;
  readonly mode?: number;
  readonly filter?: (source: string, target: string) => unknown;
}

interface CopyFailure {
  readonly code: string;
  readonly path: string;
  readonly errno: number;
  /** `text` and `detail` are the wording of the asynchronous form, `plain` that of the synchronous form. */
  readonly text: string;
  readonly detail: string;
  readonly plain: string;
}

function refusal({ code, path, errno, text, detail, plain }: CopyFailure, isSync: boolean): Error {
  if (isSync) return plainError(code, plain);
  return fsRefusal(code, `${text}: cp returned ${detail} ${path}`, { errno, syscall: 'cp', path });
}

/** Throws where options have the wrong type. */
export function checkOptions(options: unknown): asserts options is CpOptions {
  needObject(options, 'options');
  const given = options;
  for (const name of [
    'dereference',
    'errorOnExist',
    'force',
    'preserveTimestamps',
    'recursive',
    'verbatimSymlinks',
  ])
    if (name in given && typeof given[name] !== 'boolean')
      throw argTypeError(`options.${name}`, 'boolean', given[name]);
  if (given.dereference === true && given.verbatimSymlinks === true)
    throw nodeError(
      'ERR_INCOMPATIBLE_OPTION_PAIR',
      'Option "dereference" cannot be used in combination with option "verbatimSymlinks"',
      TypeError,
    );
  needInteger(given.mode ?? 0, 'mode', 0, 7);
  if (given.filter !== undefined) needFunction(given.filter, 'options.filter');
}

/** Runs `cp` step by step. It yields the results of the filter, so that the asynchronous form can wait for them. */
export function* copySteps(
  core: FsCore,
  from: unknown,
  to: unknown,
  options: CpOptions,
  isSync: boolean,
): Generator<unknown, void, unknown> {
  const { recursive = false, force = true, errorOnExist = false, dereference = false } = options;
  const refuse = (what: CopyFailure) => refusal(what, isSync);
  const look = (path: string, isThere = false): Stats | undefined =>
    core[dereference ? 'stat' : 'lstat'](path, { throwIfNoEntry: isThere }) as Stats | undefined;

  const isWithin = (path: string, folder: string) =>
    `${core.absolute(path)}/`.startsWith(`${core.absolute(folder)}/`);
  /** Whether the folder with these stats is one of the parents of a path, possibly by another name. */
  function isBelow(path: string, { ino }: Stats): boolean {
    for (let at = folderOf(core.absolute(path)); at !== '/'; at = folderOf(at))
      if (core.lookAt(at)?.inode === ino) return true;
    return false;
  }

  function check(
    source: string,
    target: string,
    stat: Stats,
    there: Stats | undefined,
    isTop: boolean,
  ): void {
    if (there && there.ino === stat.ino)
      throw refuse({
        code: 'ERR_FS_CP_EINVAL',
        path: target,
        errno: 22,
        text: 'Invalid src or dest',
        detail: 'EINVAL (src and dest cannot be the same)',
        plain: `src and dest cannot be the same ${target}`,
      });
    if (stat.isDirectory() && there && !there.isDirectory())
      throw refuse({
        code: 'ERR_FS_CP_DIR_TO_NON_DIR',
        path: target,
        errno: 21,
        text: 'Cannot overwrite non-directory with directory',
        detail: `EISDIR (cannot overwrite non-directory ${target} with directory ${source})`,
        plain: `Cannot overwrite non-directory ${target} with directory ${source}`,
      });
    if (!stat.isDirectory() && there?.isDirectory())
      throw refuse({
        code: 'ERR_FS_CP_NON_DIR_TO_DIR',
        path: target,
        errno: 20,
        text: 'Cannot overwrite directory with non-directory',
        detail: `ENOTDIR (cannot overwrite directory ${target} with non-directory ${source})`,
        plain: `Cannot overwrite directory ${target} with non-directory ${source}`,
      });
    if (stat.isDirectory() && (isWithin(target, source) || (isTop && isBelow(target, stat))))
      throw refuse({
        code: 'ERR_FS_CP_EINVAL',
        path: target,
        errno: 22,
        text: 'Invalid src or dest',
        detail: `EINVAL (cannot copy ${source} to a subdirectory of self ${target})`,
        plain: `Cannot copy ${source}/ to a subdirectory of self ${target}`,
      });
    if (stat.isDirectory() && !recursive)
      throw refuse({
        code: 'ERR_FS_EISDIR',
        path: source,
        errno: 21,
        text: 'Path is a directory',
        detail: `EISDIR (${source} is a directory (not copied))`,
        plain: `Recursive option not enabled, cannot copy a directory: ${source}/`,
      });
  }

  const exists = (path: string) =>
    fsRefusal(
      'ERR_FS_CP_EEXIST',
      `Target already exists: cp returned EEXIST (${path} already exists) ${path}`,
      {
        errno: 17,
        syscall: 'cp',
        path,
      },
    );

  /** The target of a symlink, as an absolute path unless `isKept`. */
  function targetOf(link: string, isKept = false): string {
    const goal = core.readlink(link) as string;
    return isKept || goal.startsWith('/') ? goal : core.absolute(`${core.absolute(link)}/../${goal}`);
  }

  function copyLink(source: string, target: string, there: Stats | undefined): void {
    const goal = targetOf(source, options.verbatimSymlinks);
    if (there?.isSymbolicLink()) {
      const before = targetOf(target);
      if (core.lookAt(source)?.type === 'directory') {
        const refuseLink = (code: string, text: string, detail: string) =>
          refuse({ code, path: target, errno: 22, text, detail: `EINVAL (${detail})`, plain: detail });
        if (isWithin(before, goal))
          throw refuseLink(
            'ERR_FS_CP_EINVAL',
            'Invalid src or dest',
            `cannot copy ${goal} to a subdirectory of self ${before}`,
          );
        if (isWithin(goal, before))
          throw refuseLink(
            'ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY',
            'Cannot overwrite symlink in subdirectory of self',
            `cannot overwrite ${before} with ${goal}`,
          );
      }
      core.unlink(target);
    }
    core.symlink(goal, target);
  }

  function* copy(source: string, target: string, isTop: boolean): Generator<unknown, void, unknown> {
    if (options.filter) {
      const chosen = options.filter(source, target);
      if (isSync && chosen instanceof Promise)
        throw nodeError(
          'ERR_INVALID_RETURN_VALUE',
          'Expected boolean to be returned from the "filter" function but got an instance of Promise.',
          TypeError,
        );
      if (!(yield chosen)) return;
    }
    const stat = look(source, true) as Stats;
    const there = look(target);
    check(source, target, stat, there, isTop);
    if (stat.isDirectory()) {
      const names = core.readdir(source) as string[];
      if (there && errorOnExist && !force && !isSync) throw exists(target);
      if (!there) core.mkdir(target, { recursive: true });
      for (const name of names) yield* copy(`${source}/${name}`, `${target}/${name}`, false);
    } else {
      if (there && !force) {
        if (errorOnExist) throw exists(target);
        return;
      }
      if (!there && isTop && target.includes('/'))
        core.mkdir(target.slice(0, target.lastIndexOf('/')) || '/', { recursive: true });
      if (stat.isSymbolicLink()) {
        copyLink(source, target, there);
        return;
      }
      if (there) core.unlink(target);
      core.copyFile(source, target, options.mode ?? 0);
    }
    if (options.preserveTimestamps) {
      const { atime, mtime } = stat;
      core.utimes(target, atime, mtime);
    }
  }
  yield* copy(pathOf(from, 'src'), pathOf(to, 'dest'), true);
}

export function cpSync(core: FsCore, from: unknown, to: unknown, options: unknown = {}): void {
  checkOptions(options);
  const steps = copySteps(core, from, to, options, true);
  for (let step = steps.next(); !step.done; step = steps.next(step.value));
}

export async function cp(core: FsCore, from: unknown, to: unknown, options: unknown = {}): Promise<void> {
  checkOptions(options);
  const steps = copySteps(core, from, to, options, false);
  for (let step = steps.next(); !step.done; step = steps.next(await step.value));
}
