import { HOME, OWN_FILES } from '../../src/base/places.ts';
import { visibilityTest } from '../../src/workspace/visibility.ts';
import type { ReadLimits } from '../../src/workspace/workspace.ts';
import { isInside } from '../../src/workspace/paths.ts';
import { ROOT } from '../../src/workspace/workspace.ts';
import { FsError } from './errors.ts';

/**
 * Who may do what where, asked with real paths at the time of use: `content` for what a file holds, `read` for anything
 * else that can be known of it.
 */
export type Access = (path: string, use: 'read' | 'content' | 'write') => void;

/** Where the app shows what it keeps: the full outputs of tools, the person's own files. None of it can be changed from inside. */
export const SHOWN = [`${HOME}/.opencode`, OWN_FILES] as const;

const SCRATCH = ['/tmp', '/dev'];

/** The tools and the page: what is inside the root, nothing else. */
export const toolAccess: Access = (path) => {
  if (!isInside(path, ROOT)) throw new FsError('EACCES', path, 'outside the workspace');
};

/** A shell: the root and scratch; everything else can be read, not changed. */
export const shellAccess: Access = (path, use) => {
  if (use !== 'write' || isInside(path, ROOT) || SCRATCH.some((folder) => isInside(path, folder))) return;
  throw new FsError('EACCES', path);
};

/** A file was not opened because of limits on reading. */
export class ReadRefused extends FsError {
  constructor(path: string) {
    super('EACCES', path);
  }
}

/** A process that may not open every file, or change none. */
export function limitedShell(limits: ReadLimits): Access {
  const isVisible = visibilityTest(limits.visibility);
  const except = new Set(limits.except);
  return (path, use) => {
    shellAccess(path, use);
    if (use === 'write' && limits.readOnly === true && isInside(path, ROOT))
      throw new FsError('EACCES', path);
    if (use !== 'content' || !isInside(path, ROOT) || except.has(path) || isVisible(path)) return;
    throw new ReadRefused(path);
  };
}
