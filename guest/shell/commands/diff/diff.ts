import { fileError } from '../../files.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complainAtEnd, readAll, writing } from '../../kit/io.ts';
import { parseOptions, type Options } from '../../kit/options.ts';
import { entriesOf } from '../../kit/walk.ts';
import type { ProgramCall } from '../../program.ts';
import type { FsStat } from '../../shell-fs.ts';
import { difference, type Content } from './contents.ts';

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

/** One run of `diff`. */
interface Run {
  readonly call: ProgramCall;
  readonly options: Options;
  readonly out: string[];
  readonly complaints: string[];
  /** Standard input, which may be compared with itself. */
  readonly input: () => Promise<Uint8Array>;
}

export const diff = writing(async (call, writer) => {
  const options = parseOptions(call.args, SPEC);
  const [left, right, more] = options.operands;
  if (left === undefined || right === undefined)
    throw new Complaint(`missing operand after '${left ?? 'diff'}'`);
  if (more !== undefined) throw new Complaint(`extra operand '${more}'`);
  let input: Promise<Uint8Array> | undefined;
  const run: Run = {
    call,
    options,
    out: [],
    complaints: [],
    input: () => (input ??= readAll(call.stdin)),
  };
  const [from, to] = await sides(run, left, right);
  const differs = from && to ? await compare(run, from, to, true) : false;
  await writer.write(run.out.join(''));
  return (await complainAtEnd(call, writer, run.complaints, 2)) || (differs ? 1 : 0);
});

/** A file compared with a folder is compared with the file of the same name in that folder. */
async function sides({ call, complaints }: Run, left: string, right: string): Promise<(Side | undefined)[]> {
  const folder = async (name: string) => {
    if (name === '-') return false;
    try {
      return (await call.files.stat(call.path(name))).isDirectory;
    } catch (error) {
      complaints.push(`${name}: ${fileError(error)}`);
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
  run: Run,
  from: Side,
  to: Side,
  isTop: boolean,
  known?: Promise<boolean>,
): Promise<boolean> {
  const { call, options, out, complaints } = run;
  const folders = await Promise.all([isFolder(call, from), isFolder(call, to)]);
  if (folders[0] && folders[1]) return compareFolders(run, from, to, isTop);
  if (folders[0] !== folders[1]) {
    const kind = (isOne: boolean | undefined) => (isOne ? 'directory' : 'regular file');
    out.push(`File ${from.shown} is a ${kind(folders[0])} while file ${to.shown} is a ${kind(folders[1])}\n`);
    return true;
  }
  try {
    const isPlain = ![from, to].some(({ path, missing }) => path === '-' || missing);
    if (isPlain && saysNothingOfSame(options) && (await (known ?? isSame(call, from, to)))) return false;
    const contents = [await content(run, from), await content(run, to)] as const;
    const labels = options.values.get('label') ?? [];
    const words = call.args.filter((arg) => !options.operands.includes(arg));
    const command = isTop
      ? ''
      : `diff ${words.join(' ')} ${labels[0] ?? from.shown} ${labels[1] ?? to.shown}\n`;
    const { differs, text } = difference(...contents, options, command);
    out.push(text);
    return differs;
  } catch (error) {
    complaints.push(fileError(error));
    return true;
  }
}

/** Whether equal files produce no output; they do with two of the options. */
function saysNothingOfSame({ has }: Options): boolean {
  return !has.has('s') && !has.has('y');
}

/** A failed comparison counts as different: reading the files then reports the error. */
async function isSame({ files }: ProgramCall, from: Side, to: Side): Promise<boolean> {
  return (await files.sameContent?.(from.path, to.path).catch(() => false)) ?? false;
}

async function isFolder(call: ProgramCall, { path, missing, stat }: Side): Promise<boolean> {
  if (path === '-' || missing) return false;
  return (stat && !stat.isSymbolicLink ? stat : await call.files.stat(path)).isDirectory;
}

async function content({ call, input }: Run, side: Side): Promise<Content> {
  const { shown, path, missing, stat } = side;
  if (missing) return { bytes: new Uint8Array(), shown, date: dateText(new Date(0)) };
  if (path === '-') return { bytes: await input(), shown, date: dateText(new Date(0)) };
  const bytes = await call.files.readFileBuffer(path);
  const known = stat?.isSymbolicLink ? undefined : stat;
  return { bytes, shown, date: dateText((known ?? (await call.files.stat(path))).mtime) };
}

function dateText(time: Date): string {
  return `${time.toISOString().replace('T', ' ').replace('Z', '000000')} +0000`;
}

async function compareFolders(run: Run, from: Side, to: Side, isTop: boolean): Promise<boolean> {
  const { call, options, out } = run;
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
    if (call.signal.aborted) break;
    const [a, b] = pair;
    if ((a.missing || b.missing) && !options.has.has('N')) {
      out.push(`Only in ${(a.missing ? to : from).shown.replace(/\/$/, '')}: ${name}\n`);
      differs = true;
    } else differs = (await compare(run, a, b, false, known)) || differs;
  }
  return differs;
}

type Listed = ReadonlyMap<string, FsStat | undefined>;

async function listed(call: ProgramCall, path: string, skipped: ReadonlySet<string>): Promise<Listed> {
  const entries = await entriesOf(call.files, path);
  return new Map(entries.flatMap(({ name, stat }) => (skipped.has(name) ? [] : [[name, stat]])));
}

function mayBeSame({ stat: one }: Side, { stat: other }: Side): boolean {
  return one?.isFile === true && other?.isFile === true && one.size === other.size;
}
