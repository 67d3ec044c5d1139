import { messageOf } from '../../../../base/message-of.ts';
import { faultOf } from '../../../../base/fault.ts';
import { fromRoot } from '../../../../protocol/paths.ts';
import type { GrepQuery, GrepResult, Workspace } from '../../../../workspace/workspace.ts';
import { expressionOf, patternOf, type SearchOptions } from './expression.ts';
import { excluder, globOf } from './globs.ts';
import { foundFiles, type FoundFile } from './matches.ts';
import type { Replacement } from './replacement.ts';
import { searchWords as words } from './search-words.ts';

/** A search begins when nothing was typed for this long, in milliseconds. */
const PAUSE_MS = 150;
/** Several changes of files in a row lead to one search. */
const SETTLE_MS = 400;
const TIMEOUT_MS = 15_000;

/** The first matches are asked for by themselves, so that they are there while the rest is looked for. */
const FIRST = 100;
export const MOST = 2_000;
/** Excluded files are left out by the page, so more lines are asked for than are shown. */
const MOST_WITH_EXCLUDED = 20_000;

/**
 * A search for a text in the files of a workspace, and what it found. It has no derived state, which would end with the first
 * component that shows the search.
 */
export class TextSearch {
  text = $state('');
  by = $state('');
  regexp = $state(false);
  matchCase = $state(false);
  words = $state(false);
  include = $state('');
  exclude = $state('');
  ignoredToo = $state(false);
  /** Whether the person wants to replace what is found. */
  replacing = $state(false);
  readonly #workspace: Workspace;
  #files = $state.raw<readonly FoundFile[]>([]);
  #searched = $state.raw<SearchOptions | null>(null);
  #busy = $state(false);
  #problem = $state.raw<string | null>(null);
  #limits = $state.raw<readonly string[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop = new AbortController();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  get files(): readonly FoundFile[] {
    return this.#files;
  }
  /** Whether what is shown is the result of a search that is over. */
  get done(): boolean {
    return this.#searched !== null && !this.#busy;
  }
  get problem(): string | null {
    return this.#problem;
  }
  /** Sentences about what was not searched or is not shown. */
  get limits(): readonly string[] {
    return this.#limits;
  }
  /** The search that found the shown matches, with its replacement. */
  get replacement(): Replacement | null {
    return this.#searched && { ...this.#searched, by: this.by };
  }

  /** Searches soon, for what is in the fields then. */
  soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.search(), PAUSE_MS);
  }

  /** Searches again whenever files change, until the returned function is called. */
  follow(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unlisten = this.#workspace.watch(() => {
      clearTimeout(timer);
      if (this.text !== '') timer = setTimeout(() => void this.search(), SETTLE_MS);
    });
    return () => {
      clearTimeout(timer);
      unlisten();
    };
  }

  /** Resolves when all is found, or when another search has begun. */
  async search(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    const stop = (this.#stop = new AbortController());
    const { text, regexp, matchCase, words: whole } = this;
    const options: SearchOptions = { text, regexp, matchCase, words: whole };
    this.#problem = null;
    if (text === '' || !this.#isValid(options)) return this.#clear();
    this.#busy = true;
    try {
      for (const limit of [FIRST, this.exclude.trim() === '' ? MOST : MOST_WITH_EXCLUDED]) {
        const result = await this.#workspace.search.grep(this.#query(options, limit, stop.signal));
        if (stop.signal.aborted) return;
        const isAll = !result.truncated || limit !== FIRST;
        this.#show(options, result, isAll);
        if (isAll) break;
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      this.#clear();
      this.#problem = words.failed(faultOf(error).what);
    }
    this.#busy = false;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  #query(options: SearchOptions, limit: number, signal: AbortSignal): GrepQuery {
    const include = globOf(this.include);
    return {
      pattern: patternOf(options),
      limit,
      timeoutMs: TIMEOUT_MS,
      ignoreCase: !options.matchCase,
      skipIgnored: !this.ignoredToo,
      signal,
      ...(include !== undefined && { include }),
    };
  }

  #show(options: SearchOptions, result: GrepResult, isAll: boolean): void {
    const isExcluded = excluder(this.exclude);
    const lines = result.matches.filter(({ path }) => !isExcluded(fromRoot(path)));
    const files = foundFiles(lines, options, MOST + 1);
    const count = files.reduce((sum, { matches }) => sum + matches.length, 0);
    this.#files = count > MOST ? foundFiles(lines, options, MOST) : files;
    this.#searched = options;
    this.#limits = isAll
      ? [
          ...(count > MOST || result.truncated ? [words.more(Math.min(count, MOST))] : []),
          ...(result.timedOut ? [words.timedOut] : []),
          ...(result.ignored ? [words.ignoredLeftOut] : []),
        ]
      : [];
  }

  #isValid(options: SearchOptions): boolean {
    try {
      expressionOf(options, 'g');
      return true;
    } catch (error) {
      this.#problem = words.invalid(messageOf(error));
      return false;
    }
  }

  #clear(): void {
    this.#files = [];
    this.#searched = null;
    this.#limits = [];
    this.#busy = false;
  }
}
