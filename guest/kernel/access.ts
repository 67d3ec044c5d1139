import { HOME, OWN_FILES } from '../../src/base/places.ts';
import { lockTest, visibilityTest } from '../../src/protocol/visibility.ts';
import type { ReadLimits } from '../../src/protocol/workspace-values.ts';
import { isInside } from '../../src/protocol/paths.ts';
import { ROOT } from '../../src/base/places.ts';
import { FsError } from './errors.ts';

/**
 * Throws where an operation on a path is not allowed. It is asked with the real path, at the time of use. `content` is
 * reading a file's content; `read` is reading anything else about the path.
 */
export type Access = (path: string, use: 'read' | 'content' | 'write') => void;

/**
 * Folders in which the app shows files that it stores itself: the full outputs of tools, and the person's own files.
 * Processes cannot change anything there.
 */
export const APP_FOLDERS = [`${HOME}/.opencode`, OWN_FILES] as const;

/** Folders outside the root that shells may write. */
export const SCRATCH = ['/tmp', '/dev', HOME];

/** For the tools and the page: they may use everything inside the root, and nothing else. */
export const toolAccess: Access = (path) => {
  if (!isInside(path, ROOT)) throw new FsError('EACCES', path, 'outside the workspace');
};

/** For processes: they may change the root and the scratch folders, and read everything. */
export const shellAccess: Access = (path, use) => {
  if (use !== 'write' || isInside(path, ROOT)) return;
  const isIn = (folder: string) => isInside(path, folder);
  if (!SCRATCH.some(isIn) || APP_FOLDERS.some(isIn) || path === HOME) throw new FsError('EACCES', path);
};

/** Thrown where limits on reading keep a file from being opened. */
export class ReadRefused extends FsError {
  constructor(path: string) {
    super('EACCES', path);
  }
}

/** Thrown where locks keep a file from being changed. */
export class WriteRefused extends FsError {
  constructor(path: string) {
    super('EACCES', path);
  }
}

/** For processes that may not open every file, or may not change files. */
export function limitedShell(limits: ReadLimits): Access {
  const isVisible = visibilityTest(limits.visibility);
  const isLocked = lockTest(limits.locks);
  const except = new Set(limits.except);
  return (path, use) => {
    shellAccess(path, use);
    // Programs read settings in HOME, so writing there could change how other programs run.
    if (use === 'write' && limits.readOnly === true && isInside(path, HOME))
      throw new FsError('EACCES', path);
    if (use === 'write' && isInside(path, ROOT) && isLocked(path)) throw new WriteRefused(path);
    if (use !== 'content' || !isInside(path, ROOT) || except.has(path) || isVisible(path)) return;
    throw new ReadRefused(path);
  };
}
