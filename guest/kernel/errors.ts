import { messageOf } from '../../src/base/message-of.ts';
import type { WorkspaceErrorCode } from '../../src/protocol/workspace-values.ts';

export type FsErrorCode = WorkspaceErrorCode | 'ENAMETOOLONG' | 'EIO' | 'EBADF' | 'EMFILE';

const MEANING: Readonly<Record<FsErrorCode, string>> = {
  ENOENT: 'no such file or directory',
  EISDIR: 'illegal operation on a directory',
  ENOTDIR: 'not a directory',
  EEXIST: 'file already exists',
  ENOTEMPTY: 'directory not empty',
  EACCES: 'permission denied',
  EINVAL: 'invalid argument',
  ELOOP: 'too many levels of symbolic links',
  ENOSPC: 'no space left on device',
  ECHANGED: 'the file has changed',
  EGONE: 'the workspace is gone',
  ECANCELED: 'canceled',
  ENAMETOOLONG: 'file name too long',
  EBADF: 'bad file descriptor',
  EMFILE: 'too many open files',
  EIO: 'input/output error',
};

/** An error of the file system, with Node's wording, which programs in the shell look for. */
export class FsError extends Error {
  readonly code: FsErrorCode;
  readonly path: string;
  constructor(code: FsErrorCode, path: string, detail?: string) {
    super(`${code}: ${detail ?? MEANING[code]}, '${path}'`);
    this.name = 'FsError';
    this.code = code;
    this.path = path;
  }
}

/** Turns anything thrown into the code and message of an answer. */
export function failureOf(error: unknown): { readonly code: FsErrorCode; readonly message: string } {
  const code = error instanceof FsError ? error.code : 'EIO';
  return { code, message: messageOf(error) };
}
