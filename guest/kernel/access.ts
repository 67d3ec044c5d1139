import { isInside } from '../../src/workspace/paths.ts';
import { ROOT } from '../../src/workspace/workspace.ts';
import { FsError } from './errors.ts';

/** Who may do what where, asked with real paths at the time of use. */
export type Access = (path: string, use: 'read' | 'write') => void;

/** Where the app shows the full outputs of tools; nothing there can be changed from inside. */
export const OUTPUTS = '/home/.opencode/truncate';

const SCRATCH = ['/tmp', '/dev'];

/** The tools and the page: what is inside the root, nothing else. */
export const toolAccess: Access = (path) => {
  if (!isInside(path, ROOT)) throw new FsError('EACCES', path, 'outside the workspace');
};

/** A shell: the root and scratch; everything else can be read, not changed. */
export const shellAccess: Access = (path, use) => {
  if (use === 'read' || isInside(path, ROOT) || SCRATCH.some((folder) => isInside(path, folder))) return;
  throw new FsError('EACCES', path);
};
