import type { DiffOptions, Format } from '../diff/options.ts';
import { readsShown, type Change } from '../diff/renames.ts';
import { changesFor, showChanges, wantedOf } from '../diff/show.ts';
import type { Git } from '../kit/git.ts';
import type { Commit } from '../kit/objects.ts';
import type { Pathspec } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';
import { treePairs } from '../kit/trees.ts';
import { combinedText } from '../diff/combined.ts';
import { isEmptyFormat, prettyCommit, separates, type Pretty } from './pretty.ts';

export interface Printing {
  readonly pretty: Pretty;
  readonly diff: DiffOptions;
  readonly formats: readonly Format[];
  readonly paths: Pathspec | undefined;
  /** How the changes of a merge are shown: not at all, against the first parent, against each, or against all at once. */
  readonly merges: 'no' | 'first' | 'each' | 'combined';
  /** The changes of commits that are known already, because a file was followed. */
  readonly known: Map<string, readonly Change[]>;
}

/** The text of a commit without a line end of its own, and that of its changes with the line before them. */
export interface CommitText {
  readonly message: string;
  readonly changes: string;
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

  async print(commit: Commit, pretty: Pretty = this.#how.pretty): Promise<void> {
    this.#git.out(await this.text(commit, pretty));
    await this.#git.ready();
  }

  async text(commit: Commit, pretty: Pretty = this.#how.pretty): Promise<string> {
    const parts = await this.parts(commit, pretty);
    return parts.map(({ message, changes }) => this.#ended(message, pretty) + changes).join('');
  }

  /** Makes the texts of a commit: one, or one for each parent of a merge whose changes are shown against each. */
  async parts(commit: Commit, pretty: Pretty = this.#how.pretty): Promise<CommitText[]> {
    const { merges, formats } = this.#how;
    const isMerge = commit.parents.length > 1;
    const message = prettyCommit(commit, pretty);
    if (formats.length === 0 || (isMerge && merges === 'no')) return [{ message, changes: '' }];
    if (isMerge && merges === 'combined') {
      const text = formats.includes('patch')
        ? await combinedText(this.#repo, commit, this.#how.diff, this.#how.paths)
        : '';
      const stats = formats.filter((format) => format !== 'patch');
      const stat =
        stats.length > 0 ? await this.#textOf(await this.#changes(commit, commit.parents[0]), stats) : '';
      const gap = stat !== '' && text !== '' ? '\n' : '';
      return [{ message, changes: this.#gap(formats, true) + stat + gap + text }];
    }
    const isEach = isMerge && merges === 'each';
    const parents = isEach ? commit.parents : commit.parents.slice(0, 1);
    const parts: CommitText[] = [];
    for (const parent of parents.length > 0 ? parents : [undefined]) {
      const changes = await this.#changes(commit, parent);
      const from = isEach ? `${commit.oid} (from ${parent ?? ''})` : commit.oid;
      parts.push({
        message: message.replace(commit.oid, from),
        changes: this.#gap(formats, changes.length > 0) + (await this.#textOf(changes, formats)),
      });
    }
    return parts;
  }

  #ended(message: string, pretty: Pretty): string {
    const separator = this.#isFirst || !separates(this.#how.pretty.format) ? '' : '\n';
    this.#isFirst = false;
    if (message === '' && isEmptyFormat(pretty.format)) return '';
    const end = pretty.format.startsWith('format:') ? '' : '\n';
    return separator + message + end;
  }

  /** The text between a commit and its changes. */
  #gap(formats: readonly Format[], hasChanges: boolean): string {
    const { format } = this.#how.pretty;
    if (!hasChanges || format === 'oneline' || isEmptyFormat(format)) return '';
    return formats.includes('patch') && formats.includes('stat') ? '---\n' : '\n';
  }

  #changes(commit: Commit, parent: string | undefined): Promise<Change[]> {
    return shownChanges(this.#repo, commit, parent, this.#how);
  }

  async #textOf(changes: readonly Change[], formats: readonly Format[]): Promise<string> {
    const parts: string[] = [];
    const collecting = Object.create(this.#git) as Git;
    Object.defineProperty(collecting, 'out', { value: (text: string) => void parts.push(text) });
    await showChanges(collecting, changes, readsShown(this.#repo), this.#how.diff, formats);
    return parts.join('');
  }
}

/** The changes of a commit that the options ask for. */
export async function shownChanges(
  repo: Repo,
  commit: Commit,
  parent: string | undefined,
  { diff, paths, known }: Pick<Printing, 'diff' | 'paths' | 'known'>,
): Promise<Change[]> {
  const followed = known.get(commit.oid);
  if (followed) return wantedOf(followed, readsShown(repo), diff);
  return changesIn(repo, commit, parent, diff, paths);
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
  const pairs = await treePairs(repo.objects, before, commit.tree, paths);
  return changesFor(pairs, readsShown(repo), options);
}
