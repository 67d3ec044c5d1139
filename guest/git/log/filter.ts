import { readMoment } from '../kit/dates.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Commit } from '../kit/objects.ts';
import type { Given } from '../kit/options.ts';
import { matcherOf } from '../../shell/commands/grep/pattern.ts';

export const FILTER_WORDS = `since: after: until: before: since-as-filter: author: committer: grep: all-match invert-grep
  i|regexp-ignore-case E|extended-regexp F|fixed-strings P|perl-regexp basic-regexp merges no-merges min-parents: max-parents:
  no-min-parents no-max-parents n|max-count: skip:`;

/** Makes a test from the options that limit which commits are shown. */
export function filterOf(given: Given, zone: string): (commit: Commit) => boolean {
  const tests: ((commit: Commit) => boolean)[] = [];
  const moment = (text: string) => {
    const found = readMoment(text, zone);
    // Git takes a date that it does not understand for the present.
    return found ?? Math.floor(Date.now() / 1000);
  };
  const since = given.value('since') ?? given.value('after') ?? given.value('since-as-filter');
  const until = given.value('until') ?? given.value('before');
  if (since !== undefined) {
    const at = moment(since);
    tests.push(({ committer }) => committer.time >= at);
  }
  if (until !== undefined) {
    const at = moment(until);
    tests.push(({ committer }) => committer.time <= at);
  }
  const regexes = (texts: readonly string[]) => texts.map((text) => regexOf(text, given));
  const authors = regexes(given.values('author'));
  if (authors.length > 0)
    tests.push(({ author }) => authors.some((regex) => regex.test(`${author.name} <${author.email}>`)));
  const committers = regexes(given.values('committer'));
  if (committers.length > 0)
    tests.push(({ committer }) =>
      committers.some((regex) => regex.test(`${committer.name} <${committer.email}>`)),
    );
  const greps = regexes(given.values('grep'));
  if (greps.length > 0) {
    const isMatch = ({ message }: Commit) =>
      given.has('all-match')
        ? greps.every((regex) => regex.test(message))
        : greps.some((regex) => regex.test(message));
    tests.push((commit) => isMatch(commit) !== given.has('invert-grep'));
  }
  const least = given.has('merges') ? 2 : Number(given.value('min-parents') ?? 0);
  const most = given.has('no-merges') ? 1 : Number(given.value('max-parents') ?? -1);
  tests.push(({ parents }) => parents.length >= least && (most < 0 || parents.length <= most));
  return (commit) => tests.every((test) => test(commit));
}

/** Compiles a pattern in the dialect that the options ask for. */
export function regexOf(text: string, given: Pick<Given, 'has'>): RegExp {
  const dialect = given.has('perl-regexp')
    ? 'perl'
    : given.has('fixed-strings')
      ? 'fixed'
      : given.has('extended-regexp')
        ? 'extended'
        : 'basic';
  const ignoreCase = given.has('regexp-ignore-case') || given.has('ignore-case');
  const { regex } = matcherOf([text], {
    dialect,
    ignoreCase,
    wholeWord: given.has('word-regexp'),
    wholeLine: false,
    overLines: false,
  });
  return new RegExp(regex.source, regex.flags.replace('g', ''));
}

export function countOf(given: Given, name: string): number | undefined {
  const text = given.value(name);
  if (text === undefined) return undefined;
  if (!/^-?\d+$/.test(text)) throw new Fatal(`'${text}': not an integer`);
  const count = Number(text);
  return count < 0 ? undefined : count;
}
