import type { Visibility } from './workspace.ts';

/** A test of absolute paths: the last entry whose wildcard matches decides, none means visible. */
export function visibilityTest(visibility: Visibility = []): (path: string) => boolean {
  const entries = visibility.map(({ pattern, visible }) => ({ matches: wildcard(pattern), visible }));
  if (entries.length === 0) return () => true;
  return (path) => {
    const name = path.normalize();
    return entries.findLast(({ matches }) => matches.test(name))?.visible ?? true;
  };
}

/** `*` is any text, slashes too, `?` any one character; everything else stands for itself, however it is composed. */
function wildcard(pattern: string): RegExp {
  const source = pattern
    .normalize()
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}
