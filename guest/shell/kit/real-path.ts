import type { ShellFs } from '../shell-fs.ts';

const MOST_LINKS = 40;

/** The parts of a path that may be missing. */
export type Missing = 'none' | 'last' | 'all';

/** Resolves the links in a path. Fails like the file system where a part is missing that must exist. */
export async function realPath(files: ShellFs, path: string, missing: Missing): Promise<string> {
  try {
    return await files.realpath(path);
  } catch (error) {
    if (missing === 'none') throw error;
  }
  let done: string[] = [];
  let isGone = false;
  let links = 0;
  const left = path.split('/').filter((part) => part !== '');
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === '.') continue;
    if (part === '..') {
      done.pop();
      continue;
    }
    done.push(part);
    if (isGone) continue;
    const at = `/${done.join('/')}`;
    try {
      const stat = await files.lstat(at);
      if (!stat.isSymbolicLink) {
        if (!stat.isDirectory && left.length > 0 && missing !== 'all')
          throw new Error(`ENOTDIR: not a directory, '${at}'`);
        continue;
      }
    } catch (error) {
      if (missing !== 'all' && left.length > 0) throw error;
      isGone = true;
      continue;
    }
    if (++links > MOST_LINKS) throw new Error(`ELOOP: too many levels of symbolic links, '${path}'`);
    const target = await files.readlink(at);
    done = target.startsWith('/') ? [] : done.slice(0, -1);
    left.unshift(...target.split('/').filter((name) => name !== ''));
  }
  return `/${done.join('/')}`;
}
