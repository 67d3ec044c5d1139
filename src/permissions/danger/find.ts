import type { ShellWord } from '../shell/opaque.ts';
import { isInsideGit, type Hit } from './targets.ts';

/** Whether `find` may come upon all files of a protected place, or upon Git's own, so that removing them is a danger. */
export function findsProtected(args: readonly ShellWord[], hit: (word: ShellWord) => Hit): boolean {
  const values = args.map(({ value, text }) => value ?? text);
  const end = values.findIndex((value) => /^[-(!]/.test(value));
  const starts = args.slice(0, end < 0 ? args.length : end);
  const hits = starts.length > 0 ? starts.map(hit) : ['yes'];
  if (hits.every((each) => each === 'no')) return false;
  const isOutside = starts.some(({ value }) => value === null || /^[/~]|^\.\.(?:\/|$)/.test(value));
  const alternatives = alternativesOf(values);
  return (
    isOutside ||
    starts.some(({ value, text }) => isInsideGit(value ?? text)) ||
    alternatives.some((tests) => !tests.some(isNarrowTest) || asksForGit(tests))
  );
}

/** Splits the tests of `find` at each `-o`. */
function alternativesOf(values: readonly string[]): string[][] {
  const found: string[][] = [[]];
  for (const value of values) {
    if (/^(?:-or?|,)$/.test(value)) found.push([]);
    else found.at(-1)?.push(value);
  }
  return found;
}

/** Whether most files fail this test of `find`. */
function isNarrowTest(value: string, index: number, values: readonly string[]): boolean {
  if (!/^-(?:i?name|i?(?:whole)?path|i?wholename|i?regex|[acm](?:time|min)|newer|size|empty)/.test(value))
    return false;
  if (isNegated(values, index)) return false;
  return value === '-empty' || !/^[.*?/\\^$+]*$|^[+]0|^-\d/.test(values[index + 1] ?? '');
}

/** Whether a test of a path names files of Git, and these are not left out by `-prune`. */
function asksForGit(tests: readonly string[]): boolean {
  if (tests.includes('-prune')) return false;
  return tests.some(
    (value, index) =>
      /^-i?(?:name|path|wholename|regex)$/.test(value) &&
      !isNegated(tests, index) &&
      isInsideGit((tests[index + 1] ?? '').replaceAll('\\', '')),
  );
}

function isNegated(values: readonly string[], index: number): boolean {
  return /^(?:!|-not)$/.test(values[index - 1] ?? '');
}
