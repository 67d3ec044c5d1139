import { diffOptions } from '../diff/options.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Git } from '../kit/git.ts';
import { dateText } from '../kit/dates.ts';
import type { Given } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { refNamed } from '../kit/revisions.ts';
import { countOf, filterOf } from './filter.ts';
import { CommitPrinter } from './print.ts';
import { prettyOf } from './setup.ts';

/** Shows where a ref has pointed, newest first. */
export async function showReflog(git: Git, repo: Repo, given: Given, byDefault?: string): Promise<number> {
  const [word = 'HEAD'] = given.operands;
  const name = word.replace(/@\{.*$/, '') || 'HEAD';
  const ref = await refNamed(repo, name);
  if (ref === undefined)
    throw new Fatal(`ambiguous argument '${word}': unknown revision or path not in the working tree.`);
  const diff = await diffOptions(git, given);
  const own = await prettyOf(git, repo, given, diff);
  const isChosen = given.has('oneline') || given.has('pretty') || given.has('format');
  const pretty =
    byDefault !== undefined && !isChosen
      ? { ...own, format: byDefault, isAbbreviated: !given.has('no-abbrev-commit') }
      : own;
  const formats = diff.isSilent ? [] : diff.formats;
  const printer = new CommitPrinter(git, repo, {
    pretty,
    diff,
    formats,
    paths: undefined,
    merges: 'no',
    known: new Map(),
  });
  const passes = filterOf(given, git.zone);
  const most = countOf(given, 'max-count') ?? Infinity;
  let shown = 0;
  for (const [at, { to, who, message }] of (await repo.refs.entries(ref)).entries()) {
    if (shown >= most) break;
    if (/^0+$/.test(to)) continue;
    const commit = await repo.objects.commit(to);
    if (!passes(commit)) continue;
    const selector = `${name}@{${given.has('date') ? dateText(who, given.value('date') ?? '', git.zone) : at}}`;
    await printer.print(commit, { ...pretty, reflog: { selector, message, who } });
    shown++;
  }
  return 0;
}
