import { textOf, linesIn } from '../../kit/io.ts';
import { countOf, valueOf, type Options } from '../../kit/options.ts';
import { posixRegex } from '../../kit/posix-regex.ts';
import {
  contextual,
  editScript,
  lineByLine,
  normal,
  rcsScript,
  sideBySide,
  unified,
  type Columns,
  type LineFormats,
  type Title,
} from './diff-formats.ts';
import { addLastLine, grouped, hunksOf, type Hunk, type Text } from './hunks.ts';

/** One of the two files that are compared. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly shown: string;
  /** The time of the file's last change, as the headings of the formats with context have it. */
  readonly date: string;
}

export interface Difference {
  readonly differs: boolean;
  readonly text: string;
}

/** Compares two files. `command` stands before the changes, for a comparison inside folders. */
export function difference(from: Content, to: Content, options: Options, command: string): Difference {
  const { has } = options;
  const isBinary = !has.has('a') && [from, to].some(({ bytes }) => bytes.subarray(0, 8192).includes(0));
  const [left, right] = [linesIn(textOf(from.bytes)), linesIn(textOf(to.bytes))];
  const hunks = isBinary ? [] : changes(left, right, options);
  const differs = isBinary ? !equal(from.bytes, to.bytes) : hunks.length > 0;
  if (!differs) {
    const same = has.has('s') ? `Files ${from.shown} and ${to.shown} are identical\n` : '';
    const beside = has.has('y') && !isBinary ? sideBySide([], left, right, columnsOf(options)) : '';
    return { differs, text: same + beside };
  }
  if (has.has('q') || isBinary) {
    const kind = isBinary && !has.has('q') ? 'Binary files' : 'Files';
    return { differs, text: `${kind} ${from.shown} and ${to.shown} differ\n` };
  }
  const labels = options.values.get('label') ?? [];
  const heads = [from, to].map(({ shown, date }, index) => labels[index] ?? `${shown}\t${date}`);
  return { differs, text: command + formatted(hunks, left, right, options, heads) };
}

function changes(left: Text, right: Text, options: Options): Hunk[] {
  const all = hunksOf(left.lines, right.lines, keyOf(options));
  const isBlank = ({ aStart, aEnd, bStart, bEnd }: Hunk) =>
    [...left.lines.slice(aStart, aEnd), ...right.lines.slice(bStart, bEnd)].every((line) => line === '');
  const hunks = options.has.has('B') ? all.filter((hunk) => !isBlank(hunk)) : all;
  const endsDiffer =
    !ignoresSpace(options) && left.ended !== right.ended && left.lines.length > 0 && right.lines.length > 0;
  if (endsDiffer) addLastLine(hunks, left.lines.length, right.lines.length);
  return hunks;
}

/** Writes the changes in the format that the options ask for. */
function formatted(
  hunks: readonly Hunk[],
  left: Text,
  right: Text,
  options: Options,
  heads: readonly string[],
): string {
  const { has } = options;
  const formats = lineFormats(options);
  if (formats) return lineByLine(hunks, left, right, formats);
  if (has.has('y')) return sideBySide(hunks, left, right, columnsOf(options));
  if (has.has('e')) return editScript(hunks, right);
  if (has.has('n')) return rcsScript(hunks, right);
  const context = contextOf(options);
  const title = titles(options, left);
  if (isContextual(options, context)) {
    const lines =
      countOf(options, 'C') ?? (valueOf(options, 'context') ? countOf(options, 'context') : 3) ?? 3;
    const groups = grouped(hunks, lines).map((group) => contextual(group, left, right, lines, title));
    return `*** ${heads[0]}\n--- ${heads[1]}\n${groups.join('')}`;
  }
  if (context === undefined) return hunks.map((hunk) => normal(hunk, left, right)).join('');
  const groups = grouped(hunks, context).map((group) => unified(group, left, right, context, title));
  return `--- ${heads[0]}\n+++ ${heads[1]}\n${groups.join('')}`;
}

function columnsOf(options: Options): Columns {
  return {
    width: countOf(options, 'W') ?? 130,
    leftOnly: options.has.has('left-column'),
    changesOnly: options.has.has('suppress-common-lines'),
  };
}

function lineFormats(options: Options): LineFormats | undefined {
  const format = (kind: string) => valueOf(options, `${kind}-line-format`) ?? valueOf(options, 'line-format');
  const [old, fresh, same] = ['old', 'new', 'unchanged'].map(format);
  if (old === undefined && fresh === undefined && same === undefined) return undefined;
  return { old: old ?? '%L', fresh: fresh ?? '%L', same: same ?? '%L' };
}

function isContextual({ has }: Options, unifiedLines: number | undefined): boolean {
  if (has.has('c') || has.has('C') || has.has('context')) return true;
  return has.has('p') && unifiedLines === undefined;
}

const TITLE_CHARACTERS = 40;

/**
 * Finds, for `-p` and `-F`, the last line before a group of changes that begins a function or matches the
 * pattern.
 */
function titles(options: Options, { lines }: Text): Title {
  const pattern = valueOf(options, 'F') ?? (options.has.has('p') ? '^[[:alpha:]$_]' : undefined);
  if (pattern === undefined) return () => '';
  const regex = posixRegex(pattern, { extended: false, escapes: 'grep' });
  return (from) => {
    const line = lines.slice(0, from).findLast((each) => regex.test(each));
    return line === undefined ? '' : ` ${line.trimStart().slice(0, TITLE_CHARACTERS).trimEnd()}`;
  };
}

function contextOf(options: Options): number | undefined {
  const given =
    countOf(options, 'U') ?? (valueOf(options, 'unified') ? countOf(options, 'unified') : undefined);
  const digits = options.order.filter(([name]) => /^\d$/.test(name)).map(([name]) => name);
  if (digits.length > 0 && options.has.has('u')) return Number(digits.join(''));
  return given ?? (options.has.has('u') || options.has.has('unified') ? 3 : undefined);
}

function ignoresSpace(options: Options): boolean {
  return ['w', 'b', 'Z'].some((name) => options.has.has(name));
}

function keyOf(options: Options): (line: string) => string {
  const { has } = options;
  return (line) => {
    let key = line;
    if (has.has('strip-trailing-cr')) key = key.replace(/\r$/, '');
    if (has.has('w')) key = key.replace(/\s+/g, '');
    else if (has.has('b')) key = key.replace(/\s+$/, '').replace(/\s+/g, ' ');
    else if (has.has('Z')) key = key.replace(/\s+$/, '');
    return has.has('i') ? key.toLowerCase() : key;
  };
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
