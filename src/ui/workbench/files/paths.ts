import { ROOT } from '../../../workspace/workspace.ts';

export function absolute(path: string): string {
  return path.startsWith('/') ? path : `${ROOT}/${path}`;
}

/** A path for people, relative to the root; the root itself appears as its last name. */
export function shortPath(path: string): string {
  return path === ROOT ? nameOf(ROOT) : path.slice(ROOT.length + 1);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
