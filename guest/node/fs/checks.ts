import { fdOf, pathOf } from './arguments.ts';
import { partToRead, partToWrite, vectorsOf } from './parts.ts';

const TWO_PATHS: Readonly<Record<string, readonly [string, string]>> = {
  rename: ['oldPath', 'newPath'],
  copyFile: ['src', 'dest'],
  link: ['existingPath', 'newPath'],
  symlink: ['target', 'path'],
};
const BY_NUMBER = /^(?:f(?!s)|fs(?:tat|ync)$|close$|readv?$|writev?$)/;
/** A path or the number of an open file. */
const EITHER = new Set(['readFile', 'writeFile', 'appendFile', 'truncate']);

/** Throws where the file that a call is for is none, before the call is put off: programs catch it where they call. */
export function checkFirst(name: string, args: readonly unknown[]): void {
  const operation = name.replace(/Sync$/, '');
  const paths = TWO_PATHS[operation];
  if (paths) paths.forEach((what, index) => pathOf(args[index], what));
  else if (BY_NUMBER.test(operation)) {
    fdOf(args[0]);
    checkBytes(operation, args.slice(1));
  } else if (!(EITHER.has(operation) && typeof args[0] === 'number') && !FREE.has(operation))
    pathOf(args[0], operation === 'mkdtemp' ? 'prefix' : 'path');
}

function checkBytes(operation: string, [data, ...rest]: readonly unknown[]): void {
  if (operation === 'read') partToRead(data, rest);
  else if (operation === 'write' && typeof data !== 'string') partToWrite(data, rest);
  else if (operation.endsWith('v')) vectorsOf(data);
}

/** Their first argument is checked as they are called, or is no file. */
const FREE = new Set(['glob', 'realpath']);
