import { messageOf } from '../../base/message-of.ts';
import { FILE_ERROR_CODES, WorkspaceError, type WorkspaceErrorCode } from '../workspace.ts';

const CODES: ReadonlySet<string> = new Set(FILE_ERROR_CODES);

function isCode(code: string): code is WorkspaceErrorCode {
  return CODES.has(code);
}

/** Converts an error of the runtime. It has no `code`, but Node's message, which begins with the code. */
export function workspaceErrorOf(error: unknown, path: string): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const message = messageOf(error);
  const given = error instanceof Error && 'code' in error ? String(error.code) : '';
  const code = isCode(given) ? given : (/\bE[A-Z]{3,}\b/.exec(message)?.[0] ?? '');
  if (code === 'EPERM' || code === 'EROFS') return new WorkspaceError('EACCES', path, message);
  return new WorkspaceError(isCode(code) ? code : 'EINVAL', path, message);
}
