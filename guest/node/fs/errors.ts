import { systemErrors } from '../builtins/internal/errno.ts';
import { CallFailed } from '../shared-answer.ts';

const known = new Map(systemErrors.map(({ code, number, message }) => [code, { number, message }]));

/** A failed call in the words of libuv: `ENOENT: no such file or directory, open '/x'`. */
export function systemError(
  code: string,
  syscall: string,
  path?: string,
  dest?: string,
): NodeJS.ErrnoException {
  const { number, message } = known.get(code) ?? { number: 5, message: 'unknown error' };
  const where = path === undefined ? '' : ` '${path}'${dest === undefined ? '' : ` -> '${dest}'`}`;
  const error = new Error(`${code}: ${message}, ${syscall}${where}`);
  return Object.assign(error, {
    errno: -number,
    code,
    syscall,
    ...(path !== undefined && { path }),
    ...(dest !== undefined && { dest }),
  });
}

/** Runs a call on the kernel's files; what it refuses is thrown in node's words. */
export function named<T>(
  syscall: string,
  path: string | undefined,
  dest: string | undefined,
  run: () => T,
): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof CallFailed) throw systemError(error.code, syscall, path, dest);
    throw error;
  }
}
