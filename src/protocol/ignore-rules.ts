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

/** The patterns of the ignore files in a tree of folders, applied as git and ripgrep do. Paths are absolute. */
export class IgnoreRules {
  readonly #kinds = new Map<string, Map<string, readonly IgnorePattern[]>>();
  readonly #weakest: { readonly folder: string; readonly patterns: readonly IgnorePattern[] }[] = [];

  /** Adds the text of an ignore file. `name` is one of {@link IGNORE_FILES}. */
  add(folder: string, name: string, text: string): void {
    const patterns = patternsOf(text);
    if (patterns.length === 0) return;
    const kind = this.#kinds.get(name) ?? new Map<string, readonly IgnorePattern[]>();
    kind.set(folder, patterns);
    this.#kinds.set(name, kind);
  }

  /** Adds patterns for everything below `folder` that every ignore file overrides. Those added first override later ones. */
  addWeakest(folder: string, text: string): void {
    this.#weakest.push({ folder, patterns: patternsOf(text) });
  }

  /** Whether the patterns ignore this path itself. A folder above it may be ignored too, which the caller has to check. */
  ignores(path: string, isDirectory: boolean): boolean {
    for (const name of IGNORE_FILES) {
      const kind = this.#kinds.get(name);
      for (let folder = parentOf(path); kind && folder !== null; folder = parentOf(folder)) {
        const verdict = judge(kind.get(folder), folder, path, isDirectory);
        if (verdict !== undefined) return verdict;
      }
    }
    for (const { folder, patterns } of this.#weakest) {
      const verdict = judge(patterns, folder, path, isDirectory);
      if (verdict !== undefined) return verdict;
    }
    return false;
  }
}

/** Whether the last matching pattern ignores the path. Undefined where no pattern matches. */
function judge(
  patterns: readonly IgnorePattern[] | undefined,
  folder: string,
  path: string,
  isDirectory: boolean,
): boolean | undefined {
  if (!patterns) return undefined;
  const relative = path.slice(folder === '/' ? 1 : folder.length + 1);
  return patterns.findLast((pattern) => pattern.matches(relative, isDirectory))?.ignores;
}

function patternsOf(text: string): readonly IgnorePattern[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line) => IgnorePattern.parse(line) ?? []);
}

function parentOf(path: string): string | null {
  if (path === '/') return null;
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
