import { DIFF_WORDS, diffOptions, type Format } from '../diff/options.ts';
import type { Command, Git } from '../kit/git.ts';
import type { Commit } from '../kit/objects.ts';
import { parse, type Given } from '../kit/options.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Repo } from '../kit/repo.ts';
import { hiddenFrom } from '../kit/sides.ts';
import { reachable, walk } from '../kit/walk.ts';
import { rangeOf, REVISION_WORDS, withHead, type Range } from '../log/arguments.ts';
import { countOf, FILTER_WORDS, filterOf } from '../log/filter.ts';
import { followed } from '../log/follow.ts';
import { Graph } from '../log/graph.ts';
import { CommitPrinter, shownChanges, type Printing } from '../log/print.ts';
import { BLOCKS, isEmptyFormat, isUserFormat, separates } from '../log/pretty.ts';
import { PRETTY_WORDS, prettyOf } from '../log/setup.ts';
import { showReflog } from '../log/reflog.ts';

export const LOG_WORDS = `${DIFF_WORDS} ${PRETTY_WORDS} ${FILTER_WORDS} ${REVISION_WORDS} no-show-signature no-use-mailmap graph no-graph reverse topo-order
  date-order first-parent follow full-history dense ancestry-path g|walk-reflogs left-only right-only boundary no-walk?`;

const LINES =
  '-L is not there in this workspace. git blame -L START,END -- FILE names the commits that lines come from, and git log -p -- FILE shows how a file changed.';

export const log: Command = async (git, args) => {
  const end = args.indexOf('--');
  if (args.slice(0, end < 0 ? args.length : end).some((arg) => arg.startsWith('-L'))) throw new Fatal(LINES);
  const given = parse('log', args, LOG_WORDS, { number: 'max-count' });
  const repo = await git.repo();
  git.page();
  if (given.has('walk-reflogs')) return showReflog(git, repo, given);
  const range = await withHead(repo, await rangeOf(git, repo, given));
  const printing = await printingOf(git, repo, given, range);
  const boundary = new Set<string>();
  const commits = selected(git, repo, given, range, printing);
  const extended = given.has('boundary') ? withBoundary(repo, commits, boundary) : commits;
  await printAll(git, repo, given, range, extended, printing, boundary);
  return 0;
};

/** The log of commits that changed something, with the files. */
export const whatchanged: Command = async (git, args) => {
  const given = parse('whatchanged', args, LOG_WORDS, { number: 'max-count' });
  const repo = await git.repo();
  git.page();
  const range = await withHead(repo, await rangeOf(git, repo, given));
  const printing = await printingOf(git, repo, given, range, ['raw']);
  await printAll(git, repo, given, range, changing(git, repo, given, range, printing), printing, new Set());
  return 0;
};

async function* changing(
  git: Git,
  repo: Repo,
  given: Given,
  range: Range,
  printing: Printing,
): AsyncGenerator<Commit> {
  const most = countOf(given, 'max-count') ?? Infinity;
  const all = { ...given, value: (name: string) => (name === 'max-count' ? undefined : given.value(name)) };
  let shown = 0;
  for await (const commit of selected(git, repo, all, range, printing)) {
    if (shown >= most) return;
    if (commit.parents.length > 1 && printing.merges === 'no') continue;
    if ((await shownChanges(repo, commit, commit.parents[0], printing)).length === 0) continue;
    shown++;
    yield commit;
  }
}

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
  return { pretty: { ...pretty, ...(mark && { mark }) }, diff, formats, paths, merges, known: new Map() };
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
  printing: Pick<Printing, 'paths' | 'diff' | 'known'>,
): AsyncGenerator<Commit> {
  const { paths, diff } = printing;
  const passes = filterOf(given, git.zone);
  const most = countOf(given, 'max-count') ?? Infinity;
  const skip = Number(given.value('skip') ?? 0);
  const isTopo = given.has('graph') || given.has('topo-order');
  const order = isTopo ? 'topo' : given.has('date-order') ? 'dates-topo' : 'date';
  const follows = given.has('follow');
  if (follows && range.paths.length !== 1) throw new Fatal('--follow requires exactly one pathspec');
  const { include, exclude } = range;
  if (given.has('no-walk')) {
    for (const oid of include) yield await repo.objects.commit(oid);
    return;
  }
  const commits = follows
    ? following(repo, range, printing)
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
    range.sides && (given.has('left-only') || given.has('right-only'))
      ? await reachable(repo, [range.sides[0]])
      : undefined;
  const onPath = given.has('ancestry-path') ? await leadingTo(repo, range) : undefined;
  for await (const commit of commits) {
    if (onPath && !onPath.has(commit.oid)) continue;
    if (!passes(commit)) continue;
    if (left && left.has(commit.oid) !== given.has('left-only')) continue;
    if (diff.pickaxe && commit.parents.length > 1) continue;
    if (
      (diff.pickaxe || diff.filter !== '') &&
      (await shownChanges(repo, commit, commit.parents[0], printing)).length === 0
    )
      continue;
    if (seen++ < skip) continue;
    yield commit;
    if (++shown >= most) return;
  }
}

/** The commits that changed a file that has had other names; what they changed is noted. */
async function* following(
  repo: Repo,
  { include, exclude, paths }: Range,
  { diff, known }: Pick<Printing, 'diff' | 'known'>,
): AsyncGenerator<Commit> {
  const path = repo.pathspec(paths).patterns[0]?.literal ?? '';
  for await (const { commit, changes } of followed(repo, { include, exclude }, path, diff)) {
    known.set(commit.oid, changes);
    yield commit;
  }
}

/** The commits of a range from which one that it leaves out can be reached. */
async function leadingTo(repo: Repo, { include, exclude }: Range): Promise<ReadonlySet<string>> {
  const found = new Set(exclude);
  const commits = await all(walk(repo, { include, exclude, order: 'topo' }));
  for (const { oid, parents } of commits.reverse())
    if (parents.some((parent) => found.has(parent))) found.add(oid);
  return found;
}

/** Adds the parents at which the list ends, for `--boundary`, and notes their ids. */
export async function* withBoundary(
  repo: Repo,
  commits: AsyncIterable<Commit>,
  boundary: Set<string>,
): AsyncGenerator<Commit> {
  const [shown, ends] = [new Set<string>(), new Set<string>()];
  for await (const commit of commits) {
    shown.add(commit.oid);
    for (const parent of commit.parents) ends.add(parent);
    yield commit;
  }
  for (const oid of [...ends].reverse()) {
    if (shown.has(oid)) continue;
    boundary.add(oid);
    yield repo.objects.commit(oid);
  }
}

async function printAll(
  git: Git,
  repo: Repo,
  given: Given,
  range: Range,
  commits: AsyncGenerator<Commit>,
  printing: Printing,
  boundary: ReadonlySet<string>,
): Promise<void> {
  if (given.has('graph') && given.has('reverse'))
    throw new Fatal("options '--reverse' and '--graph' cannot be used together");
  const printer = new CommitPrinter(
    git,
    repo,
    given.has('boundary') ? marking(printing, boundary, given.has('graph')) : printing,
  );
  const ordered = given.has('reverse') ? (await all(commits)).reverse() : commits;
  if (!given.has('graph')) {
    for await (const commit of ordered) {
      await printer.print(commit);
      if (git.call.signal.aborted) return;
    }
    return;
  }
  const list = await all(commits);
  const hidden = await hiddenFrom(repo, range.include, range.exclude);
  for (const oid of boundary) hidden.delete(oid);
  const graph = new Graph(list, hidden, printing.paths !== undefined, boundary);
  const { format } = printing.pretty;
  const ends = separates(format) ? 'between' : isEmptyFormat(format) ? 'nowhere' : 'after';
  for (const commit of list) {
    const parts = await printer.parts(commit);
    const ended = BLOCKS.has(format)
      ? parts.map(({ message, changes }) => ({ message: `${message}\n`, changes }))
      : parts;
    git.out(graph.lines(commit, ended, ends));
  }
}

/** Marks the ends of the list; the graph has a letter of its own for them. */
function marking(printing: Printing, boundary: ReadonlySet<string>, isGraph: boolean): Printing {
  const { pretty } = printing;
  const isBare = isGraph && !isUserFormat(pretty.format);
  const mark = (commit: Commit) =>
    boundary.has(commit.oid) && !isBare ? '-' : (pretty.mark?.(commit) ?? '');
  return { ...printing, pretty: { ...pretty, mark } };
}

async function all(commits: AsyncIterable<Commit>): Promise<Commit[]> {
  const found: Commit[] = [];
  for await (const commit of commits) found.push(commit);
  return found;
}
