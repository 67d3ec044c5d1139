import { systemErrors } from '../builtins/internal/errno.ts';
import { nodeError } from '../builtins/internal/errors.ts';
import { CallFailed } from '../../shared/shared-answer.ts';

const known = new Map(systemErrors.map(({ code, number, message }) => [code, { number, message }]));

/** An error for a failed call, with libuv's wording: `ENOENT: no such file or directory, open '/x'`. */
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

/** Runs a call on the kernel's files. If it fails, throws an error with node's wording. */
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

class SystemError extends Error {
  override readonly name = 'SystemError';
}

/** An error for operations that node itself refuses, although the system would allow them. */
export function fsRefusal(
  code: string,
  message: string,
  extra: { readonly errno: number; readonly syscall: string; readonly path: string },
): Error {
  return nodeError(code, message, SystemError, extra);
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
