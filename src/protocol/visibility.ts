import type { Locks, Visibility } from './workspace-values.ts';

/** Makes a test for absolute paths. The last entry whose wildcard matches decides; without one the path is visible. */
export function visibilityTest(visibility: Visibility = []): (path: string) => boolean {
  const entries = visibility.map(({ pattern, visible }) => ({ matches: wildcard(pattern), visible }));
  if (entries.length === 0) return () => true;
  return (path) => {
    const name = path.normalize();
    return entries.findLast(({ matches }) => matches.test(name))?.visible ?? true;
  };
}

/** Makes a test for absolute paths that may not be changed. The last entry whose wildcard matches decides. */
export function lockTest(locks: Locks = []): (path: string) => boolean {
  const isFree = visibilityTest(locks.map(({ pattern, locked }) => ({ pattern, visible: !locked })));
  return (path) => !isFree(path);
}

/** `*` matches any text, including slashes, and `?` any character. Everything else matches itself in any Unicode form. */
function wildcard(pattern: string): RegExp {
  const source = pattern
    .normalize()
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}
