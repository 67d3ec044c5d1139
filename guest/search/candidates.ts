import picomatch from 'picomatch';
import { isInside } from '../../src/protocol/paths.ts';

/**
 * Makes a test for absolute paths: they must be below `base`, outside any `.git`, and match `glob` relative to `base`. A
 * glob without a slash matches names at any depth.
 */
export function candidateTest(base: string, glob: string | undefined): (path: string) => boolean {
  const matches = glob === undefined ? () => true : globTest(glob, base);
  return (path) =>
    isInside(path, base) && !path.includes('/.git/') && !path.endsWith('/.git') && matches(path);
}

function globTest(glob: string, base: string): (path: string) => boolean {
  const pattern = glob.startsWith(`${base}/`) ? glob.slice(base.length + 1) : glob.replace(/^\.?\/+/, '');
  const matches = picomatch(pattern, {
    dot: true,
    basename: !pattern.includes('/'),
    // Names may contain line breaks.
    flags: 's',
  });
  return (path) => matches(path === base ? nameOf(path) : path.slice(base.length + 1));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
