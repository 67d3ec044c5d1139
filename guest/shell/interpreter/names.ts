import type { Shell } from './shell.ts';
import { isMagic, matches, patternSource, regexOf } from './patterns.ts';
import { Interrupted, Killed, wait, type Task } from './task.ts';

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/**
 * The sorted names of the files that a pattern matches. A backslash in the pattern quotes the next character.
 */
export function* fileNames(shell: Shell, pattern: string): Task<string[]> {
  yield* shell.world.flush();
  const absolute = /^\/+/.exec(pattern)?.[0] ?? '';
  const parts = pattern.slice(absolute.length).split(/\/+/);
  let found: string[] = [absolute];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const next: string[] = [];
    for (const base of found) {
      if (part === '') {
        // A pattern that ends in a slash matches folders only.
        if (yield* isFolder(shell, base)) next.push(base);
      } else if (part === '**' && shell.shopt.get('globstar')) {
        yield* below(shell, base, isLast, next);
      } else if (!isMagic(part)) {
        const name = base + part.replace(/\\([^])/g, '$1');
        if (isLast ? yield* exists(shell, name) : yield* isFolder(shell, name))
          next.push(isLast ? name : `${name}/`);
      } else {
        const regex = regexOf(
          `^${patternSource(part, { path: true })}$`,
          shell.shopt.get('nocaseglob') === true,
        );
        for (const entry of yield* entries(shell, base)) {
          if (!shows(shell, entry.name, part) || !regex.test(entry.name)) continue;
          if (isLast) next.push(base + entry.name);
          else if (entry.isFolder || (entry.isLink && (yield* isFolder(shell, base + entry.name))))
            next.push(`${base}${entry.name}/`);
        }
      }
    }
    found = next;
  }
  const ignored = shell.variables.get('GLOBIGNORE');
  const names = [...new Set(found)].sort(byCode);
  if (!ignored) return names;
  return names.filter((name) => !ignored.split(':').some((each) => matches(name, each)));
}

function byCode(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Names that start with a dot are matched only by a pattern that starts with one. */
function shows(shell: Shell, name: string, pattern: string): boolean {
  if (name === '.' || name === '..') return false;
  return (
    !name.startsWith('.') ||
    pattern.startsWith('.') ||
    pattern.startsWith('\\.') ||
    shell.shopt.get('dotglob') === true
  );
}

function* below(shell: Shell, base: string, withFiles: boolean, out: string[]): Task<void> {
  if (!withFiles || base !== '') out.push(base);
  for (const entry of yield* entries(shell, base)) {
    if (!shows(shell, entry.name, '*')) continue;
    if (withFiles) out.push(base + entry.name);
    if (!entry.isFolder) continue;
    const found: string[] = [];
    yield* below(shell, `${base}${entry.name}/`, withFiles, found);
    out.push(...(withFiles ? found.slice(1) : found));
  }
}

function* entries(shell: Shell, base: string): Task<Entry[]> {
  const { files } = shell.world;
  const path = shell.absolute(base === '' ? '.' : base);
  try {
    if (files.readdirWithFileTypes) {
      const all = yield* wait(files.readdirWithFileTypes(path));
      return all.map((entry) => ({
        name: entry.name,
        isFolder: entry.isDirectory,
        isLink: entry.isSymbolicLink,
      }));
    }
    const names = yield* wait(files.readdir(path));
    const all: Entry[] = [];
    for (const name of names) {
      const stat = yield* wait(files.lstat(path === '/' ? `/${name}` : `${path}/${name}`));
      all.push({ name, isFolder: stat.isDirectory, isLink: stat.isSymbolicLink });
    }
    return all;
  } catch (error) {
    passOn(error);
    return [];
  }
}

/** Rethrows the end of a process. Callers treat every other failure as a missing file. */
function passOn(error: unknown): void {
  if (error instanceof Killed || error instanceof Interrupted) throw error;
}

function* isFolder(shell: Shell, name: string): Task<boolean> {
  try {
    return (yield* wait(shell.world.files.stat(shell.absolute(name === '' ? '.' : name)))).isDirectory;
  } catch (error) {
    passOn(error);
    return false;
  }
}

function* exists(shell: Shell, name: string): Task<boolean> {
  try {
    yield* wait(shell.world.files.lstat(shell.absolute(name)));
    return true;
  } catch (error) {
    passOn(error);
    return false;
  }
}
