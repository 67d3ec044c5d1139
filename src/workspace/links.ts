import { isInside } from '../protocol/paths.ts';
import { WorkspaceError, type Workspace } from './workspace.ts';

/** The longest target that a link may have, in bytes. */
export const MAX_TARGET = 4096;

/**
 * Whether a link's target, followed from the link's folder, never leaves `folder`. This looks at the text only: links on
 * the way are followed by {@link leadsOut}. All paths are absolute.
 */
export function staysInside(link: string, target: string, folder: string): boolean {
  if (target === '' || target.includes('\0')) return false;
  const isAbsolute = target.startsWith('/');
  if (isAbsolute && !isInside(target, folder)) return false;
  const way = isAbsolute ? target : `${link.slice(0, link.lastIndexOf('/'))}/${target}`;
  let depth = 0;
  for (const part of way.slice(folder.length).split('/')) {
    if (part === '' || part === '.') continue;
    depth += part === '..' ? -1 : 1;
    if (depth < 0) return false;
  }
  return true;
}

/** Whether a link that is there leads out of `folder`, a real path, through other links. One that leads nowhere does not. */
export async function leadsOut(workspace: Workspace, link: string, folder: string): Promise<boolean> {
  try {
    return !isInside(await workspace.files.resolve(link), folder);
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code === 'EGONE') throw error;
    return error.code === 'EACCES';
  }
}
