import { DIFF_WORDS, diffOptions, type Format } from '../diff/options.ts';
import type { Command, Git } from '../kit/git.ts';
import type { Commit } from '../kit/objects.ts';
import { parse, type Given } from '../kit/options.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Repo } from '../kit/repo.ts';
import { reachable, walk } from '../kit/walk.ts';
import { rangeOf, REVISION_WORDS, withHead, type Range } from '../log/arguments.ts';
import { countOf, FILTER_WORDS, filterOf } from '../log/filter.ts';
import { followed } from '../log/follow.ts';
import { Graph } from '../log/graph.ts';
import { CommitPrinter, changesIn, type Printing } from '../log/print.ts';
import { BLOCKS } from '../log/pretty.ts';
import { PRETTY_WORDS, prettyOf } from '../log/setup.ts';
import { showReflog } from '../log/reflog.ts';

export const LOG_WORDS = `${DIFF_WORDS} ${PRETTY_WORDS} ${FILTER_WORDS} ${REVISION_WORDS} graph no-graph reverse topo-order
  date-order author-date-order first-parent follow full-history simplify-merges simplify-by-decoration dense sparse
  ancestry-path? g|walk-reflogs left-only right-only cherry boundary source no-walk? show-linear-break? remove-empty`;

export const log: Command = async (git, args) => {
  const given = parse('log', args, LOG_WORDS, { number: 'max-count' });
  const repo = await git.repo();
  git.page();
  if (given.has('walk-reflogs')) return showReflog(git, repo, given);
  const range = await withHead(repo, await rangeOf(git, repo, given));
  const printing = await printingOf(git, repo, given, range);
  const commits = selected(git, repo, given, range, printing);
  await printAll(git, repo, given, range, commits, printing);
  return 0;
};

/** How the commits and their changes are to be shown. */
export async function printingOf(
  git: Git,
  repo: Repo,
  given: Given,
  range: Range,
  byDefault: readonly Format[] = [],
): Promise<Printing> {
  const diff = await diffOptions(git, given);
  const pretty = await prettyOf(git, repo, given, diff);
  const formats = diff.isSilent ? [] : diff.formats.length > 0 ? diff.formats : byDefault;
  const modes = given.value('diff-merges');
  const merges =
    given.has('cc') || given.has('c') || modes === 'cc' || modes === 'dense-combined'
      ? 'combined'
      : given.has('first-parent') || modes === 'first-parent' || modes === '1' || modes === 'on'
        ? 'first'
        : given.has('m') || modes === 'separate' || modes === 'm'
          ? 'each'
          : 'no';
  const paths = range.paths.length > 0 ? repo.pathspec(range.paths) : undefined;
  const mark = given.has('left-right') && range.sides ? await sideMarks(repo, range.sides) : undefined;
  return { pretty: { ...pretty, ...(mark && { mark }) }, diff, formats, paths, merges };
}

async function sideMarks(repo: Repo, [left]: readonly [string, string]): Promise<(commit: Commit) => string> {
  const ofLeft = await reachable(repo, [left]);
  return ({ oid }) => (ofLeft.has(oid) ? '<' : '>');
}

/** The commits that the options ask for, in order. */
export async function* selected(
  git: Git,
  repo: Repo,
  given: Given,
  range: Range,
  { paths, diff }: Pick<Printing, 'paths' | 'diff'>,
): AsyncGenerator<Commit> {
  const passes = filterOf(given, git.zone);
  const most = countOf(given, 'max-count') ?? Infinity;
  const skip = Number(given.value('skip') ?? 0);
  const isTopo = given.has('graph') || given.has('topo-order') || given.has('simplify-merges');
  const order = isTopo
    ? 'topo'
    : given.has('date-order') || given.has('author-date-order')
      ? 'dates-topo'
      : 'date';
  const follows = given.has('follow');
  if (follows && range.paths.length !== 1) throw new Fatal('--follow requires exactly one pathspec');
  const { include, exclude } = range;
  if (given.has('no-walk')) {
    for (const oid of include) yield await repo.objects.commit(oid);
    return;
  }
  const commits = follows
    ? followed(repo, { include, exclude }, repo.pathspec(range.paths).patterns[0]?.literal ?? '', diff)
    : walk(repo, {
        include,
        exclude,
        order,
        firstParent: given.has('first-parent'),
        full: given.has('full-history'),
        ...(paths && { paths }),
      });
  let [seen, shown] = [0, 0];
  if (most === 0) return;
  const left =
    range.sides && (given.has('left-only') || given.has('right-only') || given.has('cherry'))
      ? await reachable(repo, [range.sides[0]])
      : undefined;
  for await (const commit of commits) {
    if (!passes(commit)) continue;
    if (left && left.has(commit.oid) !== given.has('left-only')) continue;
    if (
      (diff.pickaxe || diff.filter !== '') &&
      (await changesIn(repo, commit, commit.parents[0], diff, paths)).length === 0
    )
      continue;
    if (diff.pickaxe && commit.parents.length > 1) continue;
    if (seen++ < skip) continue;
    yield commit;
    if (++shown >= most) return;
  }
}

async function printAll(
  git: Git,
  repo: Repo,
  given: Given,
  range: Range,
  commits: AsyncGenerator<Commit>,
  printing: Printing,
): Promise<void> {
  const printer = new CommitPrinter(git, repo, printing);
  const ordered = given.has('reverse') ? (await all(commits)).reverse() : commits;
  if (!given.has('graph')) {
    for await (const commit of ordered) {
      await printer.print(commit);
      if (git.call.signal.aborted) return;
    }
    return;
  }
  const list = await all(commits);
  const hidden = range.exclude.length > 0 ? await reachable(repo, range.exclude) : new Set<string>();
  const graph = new Graph(list, hidden, printing.paths !== undefined);
  const isSeparated = BLOCKS.has(printing.pretty.format) || printing.pretty.format.startsWith('format:');
  for (const commit of list) {
    const text = await printer.text(commit);
    git.out(graph.lines(commit, isSeparated ? text.replace(/^\n/, '') : text, isSeparated));
  }
}

async function all(commits: AsyncGenerator<Commit>): Promise<Commit[]> {
  const found: Commit[] = [];
  for await (const commit of commits) found.push(commit);
  return found;
}
