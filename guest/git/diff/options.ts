import { Fatal } from '../kit/fatal.ts';
import type { Git } from '../kit/git.ts';
import type { Given } from '../kit/options.ts';
import type { Painter } from '../kit/paint.ts';
import type { HunkOptions } from './hunks.ts';
import type { StatOptions } from './stat.ts';
import type { WordStyle } from './words.ts';
import type { Pickaxe } from './pickaxe.ts';

export type Format =
  | 'patch'
  | 'stat'
  | 'numstat'
  | 'shortstat'
  | 'dirstat'
  | 'summary'
  | 'name-only'
  | 'name-status'
  | 'raw'
  | 'check';

export interface DiffOptions {
  /** In the order in which git prints them; empty where nothing was asked for. */
  readonly formats: readonly Format[];
  /** Set by `-s`. */
  readonly isSilent: boolean;
  readonly hunks: HunkOptions;
  /** How alike a renamed file must be in per cent; undefined looks for no renames. */
  readonly renames: number | undefined;
  readonly copies: boolean;
  /** The letters of `--diff-filter`. */
  readonly filter: string;
  readonly prefixes: readonly [string, string];
  readonly idLength: number;
  readonly asText: boolean;
  readonly words: WordStyle | undefined;
  /** Names end with a zero byte instead of a line end. */
  readonly endsWithZero: boolean;
  readonly reversed: boolean;
  readonly stat: StatOptions;
  readonly painter: Painter;
  /** The text of `-S`, or the pattern of `-G`. */
  readonly pickaxe: Pickaxe | undefined;
  readonly relative: string | undefined;
}

export const DIFF_WORDS = `
  p|u|patch s|no-patch U|unified? stat? numstat shortstat summary compact-summary name-only name-status raw check
  w|ignore-all-space b|ignore-space-change ignore-space-at-eol ignore-blank-lines ignore-cr-at-eol
  M|find-renames? C|find-copies? no-renames diff-filter: no-prefix src-prefix: dst-prefix:
  full-index abbrev? a|text binary word-diff? color-words? z|null R color? S: G: pickaxe-regex minimal patience
  histogram diff-algorithm: indent-heuristic inter-hunk-context: W|function-context relative? ext-diff textconv
  stat-width: stat-count: stat-name-width: stat-graph-width: submodule? color-moved? ws-error-highlight: patch-with-stat
  m diff-merges: c cc exit-code quiet
`;

const ORDER: readonly Format[] = [
  'raw',
  'check',
  'numstat',
  'stat',
  'shortstat',
  'dirstat',
  'summary',
  'name-only',
  'name-status',
  'patch',
];

function percent(text: string | undefined, otherwise: number): number {
  if (text === undefined || text === '') return otherwise;
  if (text.endsWith('%')) return Number(text.slice(0, -1));
  // A bare number is a fraction: 5 means 0.5.
  return Number(`0.${text}`) * 100;
}

/** Makes the options of everything that shows differences. */
export async function diffOptions(git: Git, given: Given): Promise<DiffOptions> {
  const config = await git.config();
  const painter = await git.painter(
    'diff',
    given.has('color') ? given.value('color') || 'always' : given.has('no-color') ? 'never' : undefined,
  );
  const isAsked = (format: Format) =>
    given.has(format) ||
    (format === 'patch' &&
      ['unified', 'binary', 'word-diff', 'color-words', 'function-context'].some((name) => given.has(name)));
  const formats = new Set(ORDER.filter(isAsked));
  if (given.has('compact-summary')) formats.add('stat');
  if (given.has('patch-with-stat')) for (const each of ['patch', 'stat'] as const) formats.add(each);
  const setting = config.get('diff.renames');
  const byDefault = setting === undefined || setting !== 'false' ? 50 : undefined;
  const find = given.has('find-renames') || given.has('find-copies');
  const noPrefix = given.has('no-prefix') || config.flag('diff.noprefix') === true;
  const context = given.value('unified') ?? config.get('diff.context');
  if (context !== undefined && !/^\d+$/.test(context))
    throw new Fatal(`--unified expects a number`, 129, 'error: ');
  const blanks = given.has('ignore-all-space')
    ? 'all'
    : given.has('ignore-space-change')
      ? 'amount'
      : given.has('ignore-space-at-eol') || given.has('ignore-cr-at-eol')
        ? 'end'
        : undefined;
  return {
    formats: [...formats],
    isSilent: given.has('no-patch'),
    hunks: {
      context: context === undefined ? 3 : Number(context),
      ...(blanks && { blanks }),
      ignoresBlankLines: given.has('ignore-blank-lines'),
      interHunk: Number(given.value('inter-hunk-context') ?? 0),
    },
    renames: given.has('no-renames')
      ? undefined
      : find
        ? percent(given.value('find-renames') ?? given.value('find-copies'), 50)
        : byDefault,
    copies: given.has('find-copies') || /^cop(y|ies)$/.test(setting ?? ''),
    filter: given.value('diff-filter') ?? '',
    prefixes: turned(given.has('R'), [
      given.value('src-prefix') ?? (noPrefix ? '' : 'a/'),
      given.value('dst-prefix') ?? (noPrefix ? '' : 'b/'),
    ]),
    idLength: given.has('full-index') ? 40 : Number((given.has('abbrev') && given.value('abbrev')) || 7),
    asText: given.has('text'),
    words: wordStyle(given),
    endsWithZero: given.has('null'),
    reversed: given.has('R'),
    stat: statOptions(git, given),
    painter:
      given.value('word-diff') === 'color' || given.has('color-words')
        ? await git.painter('diff', 'always')
        : painter,
    pickaxe: given.has('S')
      ? { text: given.value('S') ?? '', isPattern: false, isRegex: given.has('pickaxe-regex') }
      : given.has('G')
        ? { text: given.value('G') ?? '', isPattern: true, isRegex: false }
        : undefined,
    relative: given.has('relative') ? (given.value('relative') ?? '') : undefined,
  };
}

/** `--stat=COLUMNS,NAMES,COUNT`, of which each has an option of its own too. */
function statOptions(git: Git, given: Given): StatOptions {
  const [columns, names, count] = (given.value('stat') ?? '').split(',');
  const number = (name: string, text = '') => Number(given.value(name) ?? text) || undefined;
  return {
    columns: number('stat-width', columns) ?? git.columns,
    names: number('stat-name-width', names),
    count: number('stat-count', count),
    graph: number('stat-graph-width'),
    isCompact: given.has('compact-summary'),
  };
}

/** From the other side, the prefixes change their places too. */
function turned(isReversed: boolean, [old, now]: readonly [string, string]): readonly [string, string] {
  return isReversed ? [now, old] : [old, now];
}

function wordStyle(given: Given): WordStyle | undefined {
  if (given.has('color-words')) return 'color';
  if (!given.has('word-diff')) return undefined;
  const mode = given.value('word-diff') || 'plain';
  if (mode === 'none') return undefined;
  if (mode !== 'color' && mode !== 'plain')
    throw new Fatal(`bad --word-diff argument: ${mode}`, 129, 'error: ');
  return mode;
}
