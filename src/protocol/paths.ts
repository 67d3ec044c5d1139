import { ROOT } from '../base/places.ts';

/** Splits a path into components. Relative paths start at `base`. `.` and empty components are dropped, `..` is kept. */
export function components(path: string, base: string = ROOT): string[] {
  const full = path.startsWith('/') ? path : `${base}/${path}`;
  return full.split('/').filter((part) => part !== '' && part !== '.');
}

/** Whether `path` is `folder` or below it. Both are absolute. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** A path inside {@link ROOT}, relative to the root. The root itself is ''. */
export function fromRoot(path: string): string {
  return path.slice(ROOT.length + 1);
}

/** Whether `path` can be that of an entry in a journal or snapshot: relative, canonical and without `..`. */
export function isCanonicalRelative(path: string): boolean {
  return (
    path !== '' &&
    !path.includes('\0') &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
