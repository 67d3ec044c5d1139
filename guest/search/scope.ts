import { Ignored, ignoreRules, isIgnoreFile } from '../../src/protocol/ignored.ts';
import { visibilityTest } from '../../src/protocol/visibility.ts';
import type { GlobQuery } from '../../src/protocol/workspace-values.ts';
import type { SearchQuery } from '../shared/protocol.ts';
import { candidateTest } from './candidates.ts';
import type { IndexedFile, Replica } from './replica.ts';

/** The files that a query may show, and whether there are others that it may not. */
export class Scope {
  hidden = 0;
  ignored = false;
  readonly #files: readonly IndexedFile[];
  readonly #isBelow: (path: string) => boolean;
  readonly #isVisible: (path: string) => boolean;
  readonly #ignored: Ignored | undefined;

  /** `glob` is the query's path pattern; names that it spells out are found even if they are ignored. */
  constructor(replica: Replica, query: Omit<SearchQuery<GlobQuery>, 'pattern'>, glob: string | undefined) {
    this.#files = replica.files();
    this.#isBelow = candidateTest(query.path, undefined);
    this.#isVisible = visibilityTest(query.visibility);
    this.#ignored = query.skipIgnored ? ignoredBy(this.#files, query.path, glob) : undefined;
  }

  *files(): Generator<IndexedFile> {
    for (const file of this.#files) {
      if (!this.#isBelow(file.path)) continue;
      if (this.#ignored?.has(file.path, false)) this.ignored = true;
      else if (this.#isVisible(file.path)) yield file;
      else this.hidden++;
    }
  }
}

export function ignoredBy(files: readonly IndexedFile[], base: string, pattern: string | undefined): Ignored {
  const texts = files.flatMap(({ path, text }) =>
    text !== null && isIgnoreFile(path) ? { path, text } : [],
  );
  return new Ignored(ignoreRules(texts), { base, pattern });
}
