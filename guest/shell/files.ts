import { messageOf } from '../../src/base/message-of.ts';
/** The message of a failed file operation, as GNU tools word it. */
export function fileError(error: unknown): string {
  const text = messageOf(error);
  if (/ENOENT/.test(text)) return 'No such file or directory';
  if (/ENOTEMPTY/.test(text)) return 'Directory not empty';
  if (/EISDIR/.test(text)) return 'Is a directory';
  if (/ENOTDIR/.test(text)) return 'Not a directory';
  if (/EACCES|EPERM/.test(text)) return 'Permission denied';
  if (/EEXIST/.test(text)) return 'File exists';
  if (/EROFS/.test(text)) return 'Read-only file system';
  if (/ELOOP/.test(text)) return 'Too many levels of symbolic links';
  return text;
}

/** Whether an error comes from the file system, whose messages start with a code such as `ENOENT`. */
export function isFileError(error: unknown): error is Error {
  return error instanceof Error && /^E[A-Z]+/.test(error.message);
}
