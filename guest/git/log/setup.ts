import type { DiffOptions } from '../diff/options.ts';
import { isTrue } from '../kit/config.ts';
import type { Git } from '../kit/git.ts';
import type { Given } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { Decorations } from './decorations.ts';
import { checkedFormat, isUserFormat, type Pretty } from './pretty.ts';

export const PRETTY_WORDS = `oneline pretty? format: abbrev-commit no-abbrev-commit decorate? no-decorate date: relative-date
  parents left-right no-notes
  no-mailmap`;

/** Reads how commits are to be written. */
export async function prettyOf(git: Git, repo: Repo, given: Given, diff: DiffOptions): Promise<Pretty> {
  const format = formatOf(repo, given);
  const { config } = repo;
  const painter = diff.painter;
  const isShort =
    given.has('oneline') || given.has('abbrev-commit') || config.flag('log.abbrevcommit') === true;
  const asked = given.has('decorate')
    ? given.value('decorate') || 'short'
    : given.has('no-decorate')
      ? 'no'
      : config.get('log.decorate');
  const mode = asked === undefined || asked === 'auto' ? (git.call.terminal(1) ? 'short' : 'no') : asked;
  const wantsNames = /%[+\- ]?[dD]|%\(decorate/.test(format);
  const isOn = mode === 'full' || mode === 'short' || (mode !== 'no' && isTrue(mode, 'log.decorate'));
  const needsNames = wantsNames || (isOn && !isUserFormat(format));
  return {
    format,
    date: given.has('relative-date')
      ? 'relative'
      : (given.value('date') ?? config.get('log.date') ?? 'default'),
    zone: git.zone,
    idLength: Number((given.has('abbrev') && given.value('abbrev')) || 7),
    isAbbreviated: isShort && !given.has('no-abbrev-commit'),
    decorations: needsNames ? await Decorations.of(repo, mode === 'full') : undefined,
    painter,
    showsParents: given.has('parents'),
  };
}

function formatOf({ config }: Repo, given: Given): string {
  const last = given.order.findLast(([name]) => name === 'pretty' || name === 'format' || name === 'oneline');
  if (last?.[0] === 'oneline') return 'oneline';
  const named = last?.[1] || (last ? 'medium' : (config.get('format.pretty') ?? 'medium'));
  const own = config.get(`pretty.${named}`);
  const text = own ?? named;
  if (text === '' || (last?.[0] === 'format' && last[1] === '')) return 'tformat:';
  return checkedFormat(text.includes('%') && !/^t?format:/.test(text) ? `tformat:${text}` : text);
}
