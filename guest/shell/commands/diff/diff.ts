import { diffArrays } from 'diff';
import { Complaint, fileError, inputOf, textOf, type Call, type Output } from '../../kit/command.ts';
import { linesIn } from '../../kit/io.ts';
import { countOf, parseOptions, valueOf, type Options } from '../../kit/options.ts';
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
import type { FsStat } from '../../shell-fs.ts';
import { entriesOf } from '../../kit/walk.ts';

const SPEC = {
  short: 'uU:rqsNaiwbBcC:EZtyenx:W:pdF:0123456789',
  long: [
    'unified?',
    'context?',
    'side-by-side=y',
    'left-column',
    'suppress-common-lines',
    'width=W',
    'ed=e',
    'rcs=n',
    'minimal=d',
    'show-c-function=p',
    'show-function-line=F',
    'recursive=r',
    'brief=q',
    'report-identical-files=s',
    'new-file=N',
    'text=a',
    'ignore-case=i',
    'ignore-all-space=w',
    'ignore-space-change=b',
    'ignore-blank-lines=B',
    'ignore-trailing-space=Z',
    'strip-trailing-cr',
    'exclude=x',
    'label:',
    'color?',
    'normal',
    'old-line-format:',
    'new-line-format:',
    'unchanged-line-format:',
    'line-format:',
  ],
};

interface Side {
  readonly shown: string;
  readonly path: string;
  /** True for a missing file, which `-N` treats as empty. */
  readonly missing?: boolean;
  /** The stat of the file, where the listing of its folder included it. */
  readonly stat?: FsStat | undefined;
}

export async function diff(call: Call): Promise<Output> {
  const options = parseOptions(call.args, SPEC);
  const [left, right, more] = options.operands;
  if (left === undefined || right === undefined)
    throw new Complaint(`missing operand after '${left ?? 'diff'}'`);
  if (more !== undefined) throw new Complaint(`extra operand '${more}'`);
  const out: string[] = [];
  const errors: string[] = [];
  const [from, to] = await sides(call, left, right, errors);
  if (!from || !to) return { stderr: errors.join(''), code: 2 };
  const differs = await compare(call, from, to, options, out, errors, true);
  return { stdout: out.join(''), stderr: errors.join(''), code: errors.length > 0 ? 2 : differs ? 1 : 0 };
}

/** A file compared with a folder is compared with the file of the same name in that folder. */
async function sides(
  call: Call,
  left: string,
  right: string,
  errors: string[],
): Promise<(Side | undefined)[]> {
  const folder = async (name: string) => {
    if (name === '-') return false;
    try {
      return (await call.files.stat(call.path(name))).isDirectory;
    } catch (error) {
      errors.push(`diff: ${name}: ${fileError(error)}\n`);
      return undefined;
    }
  };
  const isFolder = [await folder(left), await folder(right)];
  const side = (name: string, index: 0 | 1): Side | undefined => {
    if (isFolder[index] === undefined) return undefined;
    const other = index === 0 ? right : left;
    const inside = isFolder[index] && isFolder[1 - index] === false;
    const shown = inside ? `${name.replace(/\/$/, '')}/${other.slice(other.lastIndexOf('/') + 1)}` : name;
    return { shown, path: shown === '-' ? '-' : call.path(shown) };
  };
  return [side(left, 0), side(right, 1)];
}

async function compare(
  call: Call,
  from: Side,
  to: Side,
  options: Options,
  out: string[],
  errors: string[],
  isTop: boolean,
  known?: Promise<boolean>,
): Promise<boolean> {
  const folders = await Promise.all([isFolder(call, from), isFolder(call, to)]);
  if (folders[0] && folders[1]) return compareFolders(call, from, to, options, out, errors, isTop);
  if (folders[0] !== folders[1]) {
    const kind = (isOne: boolean | undefined) => (isOne ? 'directory' : 'regular file');
    out.push(`File ${from.shown} is a ${kind(folders[0])} while file ${to.shown} is a ${kind(folders[1])}\n`);
    return true;
  }
  try {
    const isPlain = ![from, to].some(({ path, missing }) => path === '-' || missing);
    if (isPlain && saysNothingOfSame(options) && (await (known ?? isSame(call, from, to)))) return false;
    const [a, b] = [await content(call, from), await content(call, to)];
    const labels = options.values.get('label') ?? [];
    const words = call.args.filter((arg) => !options.operands.includes(arg));
    const command = isTop
      ? ''
      : `diff ${words.join(' ')} ${labels[0] ?? from.shown} ${labels[1] ?? to.shown}\n`;
    return compareContents(a, b, from.shown, to.shown, options, out, command, await datesOf(call, from, to));
  } catch (error) {
    errors.push(`diff: ${fileError(error)}\n`);
    return true;
  }
}

/** Whether equal files produce no output; they do with two of the options. */
function saysNothingOfSame({ has }: Options): boolean {
  return !has.has('s') && !has.has('y');
}

/** A failed comparison counts as different: reading the files then reports the error. */
async function isSame({ files }: Call, from: Side, to: Side): Promise<boolean> {
  return (await files.sameContent?.(from.path, to.path).catch(() => false)) ?? false;
}

async function isFolder(call: Call, { path, missing, stat }: Side): Promise<boolean> {
  if (path === '-' || missing) return false;
  return (stat && !stat.isSymbolicLink ? stat : await call.files.stat(path)).isDirectory;
}

async function content(call: Call, side: Side): Promise<Uint8Array> {
  if (side.missing) return new Uint8Array();
  return side.path === '-' ? call.stdin() : call.files.readFileBuffer(side.path);
}

async function datesOf(call: Call, ...both: readonly Side[]): Promise<string[]> {
  return Promise.all(
    both.map(async (side) => {
      const isThere = side.path !== '-' && !side.missing;
      const known = side.stat?.isSymbolicLink ? undefined : side.stat;
      const time = isThere ? (known ?? (await call.files.stat(side.path))).mtime : new Date(0);
      return `${time.toISOString().replace('T', ' ').replace('Z', '000000')} +0000`;
    }),
  );
}

async function compareFolders(
  call: Call,
  from: Side,
  to: Side,
  options: Options,
  out: string[],
  errors: string[],
  isTop: boolean,
): Promise<boolean> {
  if (!isTop && !options.has.has('r')) {
    out.push(`Common subdirectories: ${from.shown} and ${to.shown}\n`);
    return false;
  }
  const skipped = new Set(options.values.get('x'));
  const [left, right] = await Promise.all([from, to].map(({ path }) => listed(call, path, skipped)));
  if (!left || !right) return false;
  const pairs = [...new Set([...left.keys(), ...right.keys()])].sort().map((name) => {
    const inside = (side: Side, stats: Listed): Side => ({
      shown: `${side.shown.replace(/\/$/, '')}/${name}`,
      path: call.files.resolvePath(side.path, name),
      missing: !stats.has(name),
      stat: stats.get(name),
    });
    const pair = [inside(from, left), inside(to, right)] as const;
    // All pairs are compared at once, because each comparison alone would cost a message.
    const known = mayBeSame(...pair) && saysNothingOfSame(options) ? isSame(call, ...pair) : undefined;
    return { name, pair, known };
  });
  let differs = false;
  for (const { name, pair, known } of pairs) {
    if (call.host.aborted()) break;
    const [a, b] = pair;
    if ((a.missing || b.missing) && !options.has.has('N')) {
      out.push(`Only in ${(a.missing ? to : from).shown.replace(/\/$/, '')}: ${name}\n`);
      differs = true;
    } else differs = (await compare(call, a, b, options, out, errors, false, known)) || differs;
  }
  return differs;
}

type Listed = ReadonlyMap<string, FsStat | undefined>;

async function listed(call: Call, path: string, skipped: ReadonlySet<string>): Promise<Listed> {
  const entries = await entriesOf(call.files, path);
  return new Map(entries.flatMap(({ name, stat }) => (skipped.has(name) ? [] : [[name, stat]])));
}

function mayBeSame({ stat: one }: Side, { stat: other }: Side): boolean {
  return one?.isFile === true && other?.isFile === true && one.size === other.size;
}

function compareContents(
  a: Uint8Array,
  b: Uint8Array,
  from: string,
  to: string,
  options: Options,
  out: string[],
  command: string,
  dates: readonly string[],
): boolean {
  const isBinary =
    !options.has.has('a') && (a.subarray(0, 8192).includes(0) || b.subarray(0, 8192).includes(0));
  const [left, right] = [linesIn(textOf(a)), linesIn(textOf(b))];
  const all = isBinary ? [] : hunksOf(left.lines, right.lines, keyOf(options));
  const isBlank = ({ aStart, aEnd, bStart, bEnd }: Hunk) =>
    [...left.lines.slice(aStart, aEnd), ...right.lines.slice(bStart, bEnd)].every((line) => line === '');
  const hunks = options.has.has('B') ? all.filter((hunk) => !isBlank(hunk)) : all;
  const endsDiffer =
    !ignoresSpace(options) && left.ended !== right.ended && left.lines.length > 0 && right.lines.length > 0;
  if (endsDiffer) addLastLine(hunks, left.lines.length, right.lines.length);
  const differs = isBinary ? !equal(a, b) : hunks.length > 0;
  if (!differs) {
    if (options.has.has('s')) out.push(`Files ${from} and ${to} are identical\n`);
    if (options.has.has('y') && !isBinary) out.push(sideBySide([], left, right, columnsOf(options)));
    return false;
  }
  if (options.has.has('q') || isBinary) {
    out.push(`${isBinary && !options.has.has('q') ? 'Binary files' : 'Files'} ${from} and ${to} differ\n`);
    return true;
  }
  out.push(command);
  const context = contextOf(options);
  const labels = options.values.get('label') ?? [];
  const heads = [labels[0] ?? `${from}\t${dates[0]}`, labels[1] ?? `${to}\t${dates[1]}`] as const;
  const formats = lineFormats(options);
  const title = titles(options, left);
  if (formats) out.push(lineByLine(hunks, left, right, formats));
  else if (options.has.has('y')) out.push(sideBySide(hunks, left, right, columnsOf(options)));
  else if (options.has.has('e')) out.push(editScript(hunks, right));
  else if (options.has.has('n')) out.push(rcsScript(hunks, right));
  else if (isContextual(options, context)) {
    const lines =
      countOf(options, 'C') ?? (valueOf(options, 'context') ? countOf(options, 'context') : 3) ?? 3;
    out.push(`*** ${heads[0]}\n--- ${heads[1]}\n`);
    out.push(...grouped(hunks, lines).map((group) => contextual(group, left, right, lines, title)));
  } else if (context === undefined) out.push(...hunks.map((hunk) => normal(hunk, left, right)));
  else {
    out.push(`--- ${heads[0]}\n+++ ${heads[1]}\n`);
    out.push(...grouped(hunks, context).map((group) => unified(group, left, right, context, title)));
  }
  return true;
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

export interface Text {
  readonly lines: readonly string[];
  /** Whether the last line has a line end. */
  readonly ended: boolean;
}

/**
 * Lines `aStart` to `aEnd` of one file became lines `bStart` to `bEnd` of the other; from 0, ends excluded.
 */
export interface Hunk {
  aStart: number;
  aEnd: number;
  bStart: number;
  bEnd: number;
}

function hunksOf(a: readonly string[], b: readonly string[], key: (line: string) => string): Hunk[] {
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  for (const part of diffArrays(a.map(key), b.map(key))) {
    const count = part.count ?? part.value.length;
    const last = hunks.at(-1);
    if (!part.added && !part.removed) {
      i += count;
      j += count;
      continue;
    }
    const hunk =
      last && last.aEnd === i && last.bEnd === j ? last : { aStart: i, aEnd: i, bStart: j, bEnd: j };
    if (hunk !== last) hunks.push(hunk);
    if (part.removed) hunk.aEnd = i += count;
    else hunk.bEnd = j += count;
  }
  return hunks;
}

function addLastLine(hunks: Hunk[], a: number, b: number): void {
  const last = hunks.at(-1);
  if (last && (last.aEnd === a || last.bEnd === b)) return;
  hunks.push({ aStart: a - 1, aEnd: a, bStart: b - 1, bEnd: b });
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

function grouped(hunks: readonly Hunk[], context: number): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && hunk.aStart - last.aEnd <= context * 2) group.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export async function cmp(call: Call): Promise<Output> {
  const options = parseOptions(call.args, {
    short: 'sln:bi:',
    long: ['quiet=s', 'silent=s', 'verbose=l', 'bytes=n'],
  });
  const [left, right = '-'] = options.operands;
  if (left === undefined) throw new Complaint('missing operand');
  const limit = countOf(options, 'n') ?? Infinity;
  const [a, b] = [
    (await inputOf(call, left)).subarray(0, limit),
    (await inputOf(call, right)).subarray(0, limit),
  ];
  const at = a.findIndex((byte, i) => byte !== b[i]);
  if (at < 0 && a.length === b.length) return {};
  if (options.has.has('s')) return { code: 1 };
  if (options.has.has('l'))
    return differingBytes(a, b, left.startsWith('/dev/') ? 19 : String(a.length).length);
  if (at < 0 || at >= b.length) {
    const [short, length] = a.length < b.length ? [left, a.length] : [right, b.length];
    return { stderr: `cmp: EOF on ${short} after byte ${length}\n`, code: 1 };
  }
  const line = a.subarray(0, at).filter((byte) => byte === 10).length + 1;
  return { stdout: `${left} ${right} differ: byte ${at + 1}, line ${line}\n`, code: 1 };
}

/** Lists every differing byte in octal, for `cmp -l`. */
function differingBytes(a: Uint8Array, b: Uint8Array, width: number): Output {
  const lines: string[] = [];
  const octal = (byte: number | undefined) => (byte ?? 0).toString(8).padStart(3);
  for (let at = 0; at < Math.min(a.length, b.length); at++)
    if (a[at] !== b[at]) lines.push(`${String(at + 1).padStart(width)} ${octal(a[at])} ${octal(b[at])}\n`);
  return { stdout: lines.join(''), code: 1 };
}
