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
import { Ignored, ignoreRules, isIgnoreFile } from '../../src/protocol/ignored.ts';
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
    const { paths, hidden, ignored } = await this.#candidates(query, query.pattern);
    paths.sort((a, b) => this.#modified(b) - this.#modified(a));
    return {
      paths: paths.slice(0, query.limit),
      truncated: paths.length > query.limit,
      timedOut: this.timedOut,
      hidden,
      ignored,
    };
  }

  async grep(query: GrepQuery): Promise<GrepResult> {
    const expression = new RegExp(query.pattern, query.ignoreCase ? 'i' : '');
    const found = query.texts
      ? { paths: query.texts.map(({ path }) => path), hidden: 0, ignored: false }
      : await this.#candidates(query, query.include);
    const { paths, hidden, ignored } = found;
    const texts = new Map(query.texts?.map(({ path, text }) => [path, text]));
    const matches: GrepMatch[] = [];
    for (const path of paths) {
      const lines = (texts.get(path) ?? this.#files.text(path)).replace(/\r?\n$/, '').split(/\r?\n/);
      const { context = 0 } = query;
      for (const [index, line] of lines.entries()) {
        const match = { path, line: index + 1, text: line.slice(0, 2000) };
        const before = lines.slice(Math.max(index - context, 0), index);
        const after = lines.slice(index + 1, index + 1 + context);
        if (expression.test(line)) matches.push(context > 0 ? { ...match, before, after } : match);
      }
    }
    return {
      matches: matches.slice(0, query.limit),
      truncated: matches.length > query.limit,
      timedOut: this.timedOut,
      hidden,
      ignored,
    };
  }

  async #candidates(
    { path: start, visibility = [], skipIgnored = false }: Omit<GlobQuery, 'pattern'>,
    glob: string | undefined,
  ): Promise<{ paths: string[]; hidden: number; ignored: boolean }> {
    const base = await this.#files.resolve(start ?? ROOT);
    const ignored = new Ignored(ignoreRules(this.#ignoreFiles()), { base, pattern: glob });
    const matches = glob === undefined ? () => true : picomatch(glob, { dot: true });
    const below = [...this.#files.nodes]
      .filter(([path, node]) => node.type === 'file' && (path === base || path.startsWith(`${base}/`)))
      .map(([path]) => path)
      .filter((path) => !path.includes('/.git/'));
    const kept = below.filter((path) => !skipIgnored || !ignored.has(path, false));
    const visible = kept.filter((path) => isVisible(path, visibility));
    const paths = visible.filter((path) => {
      const relative = path === base ? (path.split('/').at(-1) ?? '') : path.slice(base.length + 1);
      return matches(relative) || (glob !== undefined && !glob.includes('/') && matches(baseName(path)));
    });
    return { paths, hidden: kept.length - visible.length, ignored: kept.length < below.length };
  }

  #ignoreFiles(): { path: string; text: string }[] {
    const paths = [...this.#files.nodes].flatMap(([path, { type }]) =>
      type === 'file' && isIgnoreFile(path) ? path : [],
    );
    return paths.map((path) => ({ path, text: this.#files.text(path) }));
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
