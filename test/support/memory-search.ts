import picomatch from 'picomatch';
import type {
  GlobQuery,
  GlobResult,
  GrepMatch,
  GrepQuery,
  GrepResult,
  Search,
  Visibility,
} from '../../src/workspace/workspace.ts';
import { ROOT } from '../../src/workspace/workspace.ts';
import type { MemoryFiles } from './memory-files.ts';

/** Search over {@link MemoryFiles}, plain and slow. */
export class MemorySearch implements Search {
  /** Set to make searches end as if they had run out of time. */
  timedOut = false;
  readonly #files: MemoryFiles;
  constructor(files: MemoryFiles) {
    this.#files = files;
  }

  async glob(query: GlobQuery): Promise<GlobResult> {
    const { paths, hidden } = await this.#candidates(query.path, query.pattern, query.visibility);
    paths.sort((a, b) => this.#modified(b) - this.#modified(a));
    return {
      paths: paths.slice(0, query.limit),
      truncated: paths.length > query.limit,
      timedOut: this.timedOut,
      hidden,
    };
  }

  async grep(query: GrepQuery): Promise<GrepResult> {
    const expression = new RegExp(query.pattern, query.ignoreCase ? 'i' : '');
    const found = query.texts
      ? { paths: query.texts.map(({ path }) => path), hidden: 0 }
      : await this.#candidates(query.path, query.include, query.visibility);
    const { paths, hidden } = found;
    const texts = new Map(query.texts?.map(({ path, text }) => [path, text]));
    const matches: GrepMatch[] = [];
    for (const path of paths) {
      for (const [index, line] of (texts.get(path) ?? this.#files.text(path)).split('\n').entries()) {
        if (expression.test(line)) matches.push({ path, line: index + 1, text: line.slice(0, 2000) });
      }
    }
    return {
      matches: matches.slice(0, query.limit),
      truncated: matches.length > query.limit,
      timedOut: this.timedOut,
      hidden,
    };
  }

  async #candidates(
    start: string | undefined,
    glob: string | undefined,
    visibility: Visibility = [],
  ): Promise<{ paths: string[]; hidden: number }> {
    const base = await this.#files.resolve(start ?? ROOT);
    const matches = glob === undefined ? () => true : picomatch(glob, { dot: true });
    const below = [...this.#files.nodes]
      .filter(([path, node]) => node.type === 'file' && (path === base || path.startsWith(`${base}/`)))
      .map(([path]) => path)
      .filter((path) => !path.includes('/.git/'));
    const visible = below.filter((path) => isVisible(path, visibility));
    const paths = visible.filter((path) => {
      const relative = path === base ? (path.split('/').at(-1) ?? '') : path.slice(base.length + 1);
      return matches(relative) || (glob !== undefined && !glob.includes('/') && matches(baseName(path)));
    });
    return { paths, hidden: below.length - visible.length };
  }

  #modified(path: string): number {
    return this.#files.nodes.get(path)?.modified ?? 0;
  }
}

function isVisible(path: string, visibility: Visibility): boolean {
  return visibility.findLast(({ pattern }) => wildcard(pattern).test(path))?.visible ?? true;
}

function wildcard(pattern: string): RegExp {
  const source = pattern
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
