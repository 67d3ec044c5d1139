import { ROOT } from './workspace.ts';

/** An absolute path as its components; relative ones start at `base`. `.` and empty components are dropped, `..` is kept. */
export function components(path: string, base: string = ROOT): string[] {
  const full = path.startsWith('/') ? path : `${base}/${path}`;
  return full.split('/').filter((part) => part !== '' && part !== '.');
}

/** Whether `path` is `folder` or below it; both absolute. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** `path`, which is inside {@link ROOT}, without the root and its slash; the root itself is ''. */
export function fromRoot(path: string): string {
  return path.slice(ROOT.length + 1);
}

/** Whether `path` can name a node of a journal or snapshot: relative, canonical, and nothing in it climbs. */
export function isCanonicalRelative(path: string): boolean {
  return (
    path !== '' &&
    !path.includes('\0') &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
