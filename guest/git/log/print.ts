import type { DiffOptions, Format } from '../diff/options.ts';
import { readsObjects, type Change } from '../diff/renames.ts';
import { changesFor, showChanges } from '../diff/show.ts';
import type { Git } from '../kit/git.ts';
import type { Commit } from '../kit/objects.ts';
import type { Pathspec } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';
import { treePairs } from '../kit/trees.ts';
import { combinedText } from '../diff/combined.ts';
import { BLOCKS, isUserFormat, prettyCommit, type Pretty } from './pretty.ts';

export interface Printing {
  readonly pretty: Pretty;
  readonly diff: DiffOptions;
  readonly formats: readonly Format[];
  readonly paths: Pathspec | undefined;
  /** How the changes of a merge are shown: not at all, against the first parent, against each, or against all at once. */
  readonly merges: 'no' | 'first' | 'each' | 'combined';
}

/** Prints commits one after the other, with their changes. */
export class CommitPrinter {
  readonly #git: Git;
  readonly #repo: Repo;
  readonly #how: Printing;
  #isFirst = true;

  constructor(git: Git, repo: Repo, how: Printing) {
    this.#git = git;
    this.#repo = repo;
    this.#how = how;
  }

  /** Whether commits end with a line end, rather than being separated by one. */
  get #terminates(): boolean {
    const { format } = this.#how.pretty;
    return !(BLOCKS.has(format) || format.startsWith('format:'));
  }

  async print(commit: Commit, pretty: Pretty = this.#how.pretty): Promise<void> {
    this.#git.out(await this.text(commit, pretty));
    await this.#git.ready();
  }

  async text(commit: Commit, pretty: Pretty = this.#how.pretty): Promise<string> {
    const texts: string[] = [];
    const { merges, formats } = this.#how;
    const isMerge = commit.parents.length > 1;
    if (formats.length === 0 || (isMerge && merges === 'no')) texts.push(this.#head(commit, pretty), '');
    else if (isMerge && merges === 'combined') {
      const text = formats.includes('patch')
        ? await combinedText(this.#repo, commit, this.#how.diff, this.#how.paths)
        : '';
      const stats = formats.filter((format) => format !== 'patch');
      const stat = stats.length > 0 ? await this.#changes(commit, commit.parents[0], stats) : '';
      const gap = stat !== '' && text !== '' ? '\n' : '';
      texts.push(this.#head(commit, pretty), this.#gap(formats, true), stat, gap, text);
    } else {
      const parents = isMerge && merges === 'each' ? commit.parents : commit.parents.slice(0, 1);
      for (const parent of parents.length > 0 ? parents : [undefined]) {
        const text = await this.#changes(commit, parent, formats);
        const from = isMerge && merges === 'each' ? ` (from ${(parent ?? '').slice(0, 40)})` : '';
        texts.push(this.#head(commit, pretty, from), this.#gap(formats, text !== ''), text);
      }
    }
    return texts.join('');
  }

  #head(commit: Commit, pretty: Pretty, from = ''): string {
    const text = prettyCommit(commit, pretty);
    const separator = this.#isFirst || this.#terminates ? '' : '\n';
    this.#isFirst = false;
    const shown = from === '' ? text : text.replace(commit.oid, `${commit.oid}${from}`);
    if (isUserFormat(pretty.format) && text === '' && /^t?format:$/.test(pretty.format)) return '';
    const end = this.#terminates || BLOCKS.has(pretty.format) ? '\n' : '';
    return separator + shown + end;
  }

  /** The text between a commit and its changes. */
  #gap(formats: readonly Format[], hasChanges: boolean): string {
    const { format } = this.#how.pretty;
    if (!hasChanges || format === 'oneline' || /^t?format:$/.test(format)) return '';
    return formats.includes('patch') && formats.includes('stat') ? '---\n' : '\n';
  }

  async #changes(commit: Commit, parent: string | undefined, formats: readonly Format[]): Promise<string> {
    const changes = await changesIn(this.#repo, commit, parent, this.#how.diff, this.#how.paths);
    const parts: string[] = [];
    const collecting = Object.create(this.#git) as Git;
    Object.defineProperty(collecting, 'out', { value: (text: string) => void parts.push(text) });
    await showChanges(collecting, changes, readsObjects(this.#repo.objects), this.#how.diff, formats);
    return parts.join('');
  }
}

/** The changes that a commit makes to a parent. */
export async function changesIn(
  repo: Repo,
  commit: Commit,
  parent: string | undefined,
  options: DiffOptions,
  paths?: Pathspec,
): Promise<Change[]> {
  const before = parent === undefined ? undefined : (await repo.objects.commit(parent)).tree;
  const pairs = await treePairs(repo.objects, before, commit.tree);
  const wanted = paths ? pairs.filter(({ path }) => paths.matches(path)) : pairs;
  return changesFor(wanted, readsObjects(repo.objects), options);
}
