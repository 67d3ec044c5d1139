import { nodeError } from '../builtins/internal/errors.ts';
import type { FsCore } from './core.ts';
import { pathOf } from './arguments.ts';
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

function refuse(code: string, text: string, path: string, errno: number): Error {
  const error = nodeError(code, `${text}: cp returned ${path}`, Error, { errno, syscall: 'cp', path });
  Object.defineProperty(error, 'name', { value: 'SystemError', configurable: true, writable: true });
  return error;
}

/** `cp`: what it copies next, one after the other, so that the asynchronous form can wait for its filter. */
export function* copySteps(
  core: FsCore,
  from: unknown,
  to: unknown,
  options: CpOptions = {},
): Generator<unknown, void, unknown> {
  const { recursive = false, force = true, errorOnExist = false, dereference = false } = options;
  const look = (path: string): Stats | undefined =>
    core[dereference ? 'stat' : 'lstat'](path, { throwIfNoEntry: false }) as Stats | undefined;

  function* copy(source: string, target: string, isTop: boolean): Generator<unknown, void, unknown> {
    if (options.filter && !(yield options.filter(source, target))) return;
    const stat = look(source);
    if (!stat) return void core[dereference ? 'stat' : 'lstat'](source);
    const there = look(target);
    if (stat.isDirectory()) {
      if (!recursive)
        throw refuse(
          'ERR_FS_EISDIR',
          'Recursive option not enabled, cannot copy a directory',
          `EISDIR (${source} is a directory (not copied)) ${source}`,
          21,
        );
      if (there && !there.isDirectory())
        throw refuse(
          'ERR_FS_CP_DIR_TO_NON_DIR',
          'Cannot overwrite non-directory with directory',
          `EISDIR (cannot overwrite non-directory ${target} with directory ${source}) ${target}`,
          21,
        );
      const inside = `${core.absolute(target)}/`.startsWith(`${core.absolute(source)}/`);
      if (isTop && inside)
        throw refuse(
          'ERR_FS_CP_EINVAL',
          'Invalid src or dest',
          `EINVAL (cannot copy ${source} to a subdirectory of self ${target}) ${target}`,
          22,
        );
      const names = core.readdir(source) as string[];
      if (!there) core.mkdir(target, { recursive: true });
      for (const name of names) yield* copy(`${source}/${name}`, `${target}/${name}`, false);
    } else {
      if (there?.isDirectory())
        throw refuse(
          'ERR_FS_CP_NON_DIR_TO_DIR',
          'Cannot overwrite directory with non-directory',
          `ENOTDIR (cannot overwrite directory ${target} with non-directory ${source}) ${target}`,
          20,
        );
      if (there && !force) {
        if (errorOnExist)
          throw refuse(
            'ERR_FS_CP_EEXIST',
            'Target already exists',
            `EEXIST (${target} already exists) ${target}`,
            17,
          );
        return;
      }
      if (!there && isTop) core.mkdir(`${core.absolute(target)}/..`, { recursive: true });
      if (stat.isSymbolicLink()) {
        const leads = core.readlink(source) as string;
        const isKept = options.verbatimSymlinks || leads.startsWith('/');
        if (there) core.unlink(target);
        core.symlink(isKept ? leads : core.absolute(`${core.absolute(source)}/../${leads}`), target);
        return;
      }
      core.copyFile(source, target, options.mode ?? 0);
    }
    if (options.preserveTimestamps) {
      const { atime, mtime } = stat;
      core.utimes(target, atime, mtime);
    }
  }
  yield* copy(pathOf(from, 'src'), pathOf(to, 'dest'), true);
}

export function cpSync(core: FsCore, from: unknown, to: unknown, options?: CpOptions): void {
  const steps = copySteps(core, from, to, options);
  for (let step = steps.next(); !step.done; step = steps.next(step.value));
}

export async function cp(core: FsCore, from: unknown, to: unknown, options?: CpOptions): Promise<void> {
  const steps = copySteps(core, from, to, options);
  for (let step = steps.next(); !step.done; step = steps.next(await step.value));
}
