import type { LeftWhy } from './replacing.ts';
import { messages } from '../../../languages/messages.ts';
import { formatNumber } from '../../../languages/numbers.ts';

const files = (count: number) => (count === 1 ? '1 file' : `${formatNumber(count)} files`);
const matches = (count: number) => (count === 1 ? '1 match' : `${formatNumber(count)} matches`);

/** Texts of the search in the files of a workspace. */
export const searchWords = messages('search', {
  title: 'Search in files',
  close: 'Close the search',
  field: 'Search for',
  matchCase: 'Match case',
  words: 'Whole words',
  regexp: 'Regular expression',
  by: 'Replace with',
  byHint: '$1 is the first group, $& the match, \\n a new line.',
  replaceToo: 'Replace',
  filters: 'Which files',
  include: 'Only in',
  includeHint: 'src, *.ts',
  exclude: 'Not in',
  excludeHint: 'dist, *.min.js',
  ignoredToo: 'Ignored files too',

  results: 'Matches',
  searching: 'Searching',
  none: 'Nothing found.',
  found: (n: number, inFiles: number) => `${matches(n)} in ${files(inFiles)}`,
  more: (shown: number) =>
    `There are more. The first ${matches(shown)} are shown, and only they are replaced.`,
  timedOut: 'The search took too long. What it had found is shown.',
  ignoredLeftOut: 'Ignored files, such as node_modules, were not searched.',
  invalid: (why: string) => `This is no regular expression: ${why}`,
  failed: (why: string) => `The search did not work: ${why}`,
  inFile: (path: string, count: number) => `${path}, ${matches(count)}`,
  line: (line: number) => `Line ${line}`,
  becomes: 'becomes',

  replace: 'Replace',
  replaceOne: (line: number, path: string) => `Replace in line ${line} of ${path}`,
  replaceFile: (path: string) => `Replace all in ${path}`,
  replaceAll: (count: number) => `Replace ${matches(count)}`,
  cut: 'This line is too long to be replaced here.',
  working: 'Replacing',
  replaced: (n: number, inFiles: number) => `Replaced ${matches(n)} in ${files(inFiles)}.`,
  notReplaced: 'Nothing was replaced.',
  left: (count: number) => `${files(count)} left as ${count === 1 ? 'it is' : 'they are'}.`,
  why: {
    changed: 'changed since the search',
    unsaved: 'has unsaved edits',
    'not-text': 'is not UTF-8 throughout',
    failed: 'could not be written',
  } satisfies Record<LeftWhy, string>,
  leftFile: (path: string, why: string) => `${path}: ${why}`,
  undo: 'Undo',
  undone: 'The replacements are taken back.',
  changedSince: 'changed since the replacement',
});
