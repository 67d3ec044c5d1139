import type { FsStat } from '../../shell-fs.ts';
import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { globRegex } from '../../kit/glob.ts';
import { complain, optionsOf, writing } from '../../kit/io.ts';
import { bitsOf, humanSize, modeText, OWNER } from '../../kit/mode.ts';
import { countOf, valueOf, type Options } from '../../kit/options.ts';
import { momentOfDate, strftime } from '../../kit/strftime.ts';
import { entriesOf } from '../../kit/walk.ts';

const FOLDER_SIZE = 4096;
const BLOCK = 4096;

function sizeOf(stat: FsStat): number {
  return stat.isDirectory ? FOLDER_SIZE : stat.size;
}

function kindOf(stat: FsStat): string {
  if (stat.isSymbolicLink) return 'symbolic link';
  if (stat.isDirectory) return 'directory';
  return stat.size === 0 ? 'regular empty file' : 'regular file';
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  '\\': '\\',
  '0': '\0',
  a: '\x07',
  r: '\r',
};

export const stat = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'Lfc:t',
    long: ['dereference=L', 'file-system=f', 'format=c', 'printf:', 'terse=t', 'cached:'],
  });
  if (options.operands.length === 0)
    throw new Complaint("missing operand\nTry 'stat --help' for more information.", 1);
  const printed = valueOf(options, 'printf');
  const format = valueOf(options, 'c');
  let code = 0;
  for (const name of options.operands) {
    const path = call.path(name);
    try {
      const found = options.has.has('L') ? await call.files.stat(path) : await call.files.lstat(path);
      const detail = await detailsOf(call, name, path, found);
      if (printed !== undefined)
        await out.write(
          filled(
            printed.replace(/\\([0-7]{3}|.)/gs, (_all, code: string) =>
              code.length === 3 ? String.fromCharCode(parseInt(code, 8)) : (ESCAPES[code] ?? code),
            ),
            detail,
          ),
        );
      else if (format !== undefined) await out.write(`${filled(format, detail)}\n`);
      else if (options.has.has('t'))
        await out.write(`${filled('%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o', detail)}\n`);
      else await out.write(whole(name, found, detail, await linkOf(call, path, found)));
    } catch (error) {
      await out.flush();
      await complain(call, `cannot stat${options.has.has('f') ? 'fs' : ''} '${name}': ${fileError(error)}`);
      code = 1;
    }
  }
  return code;
});

async function linkOf(call: ProgramCall, path: string, stat: FsStat): Promise<string> {
  return stat.isSymbolicLink ? call.files.readlink(path) : '';
}

/** Returns the value for a letter of a format. */
type Details = (letter: string) => string | undefined;

async function detailsOf(call: ProgramCall, name: string, path: string, stat: FsStat): Promise<Details> {
  const target = await linkOf(call, path, stat);
  const zone = call.env.get('TZ') ?? '';
  const moment = momentOfDate(stat.mtime);
  const kind = stat.isSymbolicLink ? 0o120000 : stat.isDirectory ? 0o040000 : 0o100000;
  const size = sizeOf(stat);
  let inode = stat.inode ?? 5381;
  if (stat.inode === undefined)
    for (const char of path) inode = (inode * 33 + (char.codePointAt(0) ?? 0)) % 10_000_019;
  const values: Record<string, string> = {
    n: name,
    N: target ? `'${name}' -> '${target}'` : `'${name}'`,
    s: String(stat.isSymbolicLink ? target.length : size),
    b: String(stat.isSymbolicLink ? 0 : Math.ceil(size / BLOCK) * 8),
    B: '512',
    o: String(BLOCK),
    a: bitsOf(stat).toString(8),
    A: modeText(stat),
    f: (kind | bitsOf(stat)).toString(16),
    F: kindOf(stat),
    u: String(OWNER.id),
    g: String(OWNER.id),
    U: OWNER.user,
    G: OWNER.group,
    h: String(stat.names ?? (stat.isDirectory ? 2 : 1)),
    i: String(inode),
    d: '1',
    D: '1',
    t: '0',
    T: '0',
    m: '/',
    C: '?',
    w: '-',
    W: '0',
    '%': '%',
  };
  for (const letter of ['x', 'y', 'z']) {
    values[letter] = strftime('%Y-%m-%d %H:%M:%S.%N %z', moment, zone);
    values[letter.toUpperCase()] = String(moment.seconds);
  }
  return (letter) => values[letter];
}

function filled(format: string, detail: Details): string {
  return format.replace(
    /%([-+ #0]*)(\d*)(?:\.(\d+))?([a-zA-Z%])/g,
    (all, flags: string, width: string, precision: string | undefined, letter: string) => {
      let value = detail(letter);
      if (value === undefined) return all;
      if (flags.includes('#') && letter === 'a') value = `0${value}`;
      if (precision !== undefined && letter === 'Y') value += `.${'0'.repeat(Number(precision))}`;
      const wanted = Number(width || 0);
      return flags.includes('-')
        ? value.padEnd(wanted)
        : value.padStart(wanted, flags.includes('0') ? '0' : ' ');
    },
  );
}

function whole(name: string, stat: FsStat, detail: Details, target: string): string {
  const get = (letter: string, width = 0) => (detail(letter) ?? '').padEnd(width);
  const owner = (id: string, label: string) => `(${id.padStart(5)}/${label.padStart(8)})`;
  return (
    `  File: ${name}${target ? ` -> ${target}` : ''}\n` +
    `  Size: ${get('s', 10)}\tBlocks: ${get('b', 10)} IO Block: ${get('o', 6)} ${kindOf(stat)}\n` +
    `Device: 0,1\tInode: ${get('i', 11)} Links: ${get('h')}\n` +
    `Access: (${get('a').padStart(4, '0')}/${get('A')})  Uid: ${owner(get('u'), get('U'))}   Gid: ${owner(get('g'), get('G'))}\n` +
    `Access: ${get('x')}\nModify: ${get('y')}\nChange: ${get('z')}\n Birth: -\n`
  );
}

/** Shows how much space files take. */
export const du = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'abchkmsSd:0xLlB:HD',
    long: [
      'all=a',
      'bytes=b',
      'total=c',
      'human-readable=h',
      'summarize=s',
      'separate-dirs=S',
      'max-depth=d',
      'null=0',
      'apparent-size',
      'si',
      'block-size=B',
      'exclude:',
      'time?',
    ],
  });
  const { has } = options;
  const apparent = has.has('b') || has.has('apparent-size');
  const show = shownSize(options);
  const end = has.has('0') ? '\0' : '\n';
  const most = has.has('s') ? 0 : (countOf(options, 'd') ?? Infinity);
  const left = (options.values.get('exclude') ?? []).map((glob) => globRegex(glob));
  let [total, code] = [0, 0];
  const line = (bytes: number, name: string) => out.write(`${show(bytes)}\t${name}${end}`);
  const measure = async (name: string, path: string, depth: number): Promise<number> => {
    const stat = await call.files.lstat(path);
    const own = apparent ? sizeOf(stat) : Math.ceil(sizeOf(stat) / BLOCK) * BLOCK;
    if (!stat.isDirectory) {
      if (depth === 0 || (has.has('a') && depth <= most)) await line(own, name);
      return own;
    }
    let sum = own;
    for (const entry of await entriesOf(call.files, path)) {
      const below = name.endsWith('/') ? name + entry.name : `${name}/${entry.name}`;
      if (left.some((glob) => glob.test(entry.name) || glob.test(below))) continue;
      const size = await measure(below, path === '/' ? `/${entry.name}` : `${path}/${entry.name}`, depth + 1);
      if (!has.has('S') || !entry.isDirectory) sum += size;
    }
    if (depth <= most) await line(sum, name);
    return sum;
  };
  for (const name of options.operands.length > 0 ? options.operands : ['.']) {
    try {
      total += await measure(name, call.path(name), 0);
    } catch (error) {
      await out.flush();
      await complain(call, `cannot access '${name}': ${fileError(error)}`);
      code = 1;
    }
  }
  if (has.has('c')) await line(total, 'total');
  return code;
});

function shownSize(options: Options): (bytes: number) => string {
  const { has } = options;
  if (has.has('h')) return (bytes) => humanSize(bytes);
  if (has.has('si')) return (bytes) => humanSize(bytes, 1000);
  const block = valueOf(options, 'B');
  const unit =
    block !== undefined
      ? ({ K: 1024, M: 1024 ** 2, G: 1024 ** 3, KB: 1000, MB: 1e6 }[block] ?? (Number(block) || 1024))
      : has.has('b')
        ? 1
        : has.has('m')
          ? 1024 ** 2
          : 1024;
  return (bytes) => String(Math.ceil(bytes / unit));
}
