import { IgnorePattern } from './ignore-pattern.ts';

/** The names of ignore files, in order of precedence: any `.ignore` overrides any `.gitignore`. */
export const IGNORE_FILES = ['.ignore', '.gitignore'] as const;

/** The path, relative to the root, of the patterns that git keeps for one clone of a repository. */
export const EXCLUDE_FILE = '.git/info/exclude';

/** Folders and files that tools make and nobody edits. They are ignored unless an ignore file includes them again. */
export const ALWAYS_IGNORED = [
  '.git/',
  '.hg/',
  '.svn/',
  'node_modules/',
  'bower_components/',
  '.pnpm-store/',
  '__pycache__/',
  '.venv/',
  '.next/',
  '.nuxt/',
  '.svelte-kit/',
  '.turbo/',
  '.parcel-cache/',
  '.cache/',
  '.DS_Store',
].join('\n');

/** The line of an ignore file that decides about a path. */
export interface IgnoreLine {
  readonly pattern: IgnorePattern;
  /** The absolute path of the ignore file. */
  readonly source: string;
  /** The first line is 1. */
  readonly number: number;
}

/** The patterns of the ignore files in a tree of folders, applied as git and ripgrep do. Paths are absolute. */
export class IgnoreRules {
  readonly #kinds = new Map<string, Map<string, readonly IgnoreLine[]>>();
  readonly #weakest: { readonly folder: string; readonly lines: readonly IgnoreLine[] }[] = [];

  /** Adds the text of an ignore file. `name` is one of {@link IGNORE_FILES}. */
  add(folder: string, name: string, text: string): void {
    const lines = linesOf(text, `${folder === '/' ? '' : folder}/${name}`);
    if (lines.length === 0) return;
    const kind = this.#kinds.get(name) ?? new Map<string, readonly IgnoreLine[]>();
    kind.set(folder, lines);
    this.#kinds.set(name, kind);
  }

  /** Adds patterns for everything below `folder` that every ignore file overrides. Those added first override later ones. */
  addWeakest(folder: string, text: string, source = ''): void {
    this.#weakest.push({ folder, lines: linesOf(text, source) });
  }

  /** Whether the patterns ignore this path itself. A folder above it may be ignored too, which the caller has to check. */
  ignores(path: string, isDirectory: boolean): boolean {
    return this.deciding(path, isDirectory)?.pattern.ignores ?? false;
  }

  /** The line that says whether this path itself is ignored. Undefined where none matches. */
  deciding(path: string, isDirectory: boolean): IgnoreLine | undefined {
    for (const name of IGNORE_FILES) {
      const kind = this.#kinds.get(name);
      for (let folder = parentOf(path); kind && folder !== null; folder = parentOf(folder)) {
        const line = lastMatching(kind.get(folder), folder, path, isDirectory);
        if (line) return line;
      }
    }
    for (const { folder, lines } of this.#weakest) {
      const line = lastMatching(lines, folder, path, isDirectory);
      if (line) return line;
    }
    return undefined;
  }
}

function lastMatching(
  lines: readonly IgnoreLine[] | undefined,
  folder: string,
  path: string,
  isDirectory: boolean,
): IgnoreLine | undefined {
  if (!lines) return undefined;
  const relative = path.slice(folder === '/' ? 1 : folder.length + 1);
  return lines.findLast(({ pattern }) => pattern.matches(relative, isDirectory));
}

function linesOf(text: string, source: string): readonly IgnoreLine[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, at) => {
      const pattern = IgnorePattern.parse(line);
      return pattern ? { pattern, source, number: at + 1 } : [];
    });
}

function parentOf(path: string): string | null {
  if (path === '/') return null;
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
