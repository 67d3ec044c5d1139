import { fileError } from '../../files.ts';
import { globRegex } from '../../kit/glob.ts';
import { coloured, inColumns, wantsColours } from './ls-show.ts';
import { complainAtEnd, writing } from '../../kit/io.ts';
import { humanSize, modeText } from '../../kit/mode.ts';
import { lastOf, parseOptions, valueOf, type Options } from '../../kit/options.ts';
import { momentOfDate, strftime } from '../../kit/strftime.ts';
import type { ProgramCall } from '../../program.ts';
import type { FsStat } from '../../shell-fs.ts';
import { byVersion } from '../text/sort-keys.ts';

const SPEC = {
  short: 'aAl1RdtSrhpFinosgCxmXvUfuckBGNqQLHT:w:I:',
  long: [
    'all=a',
    'almost-all=A',
    'recursive=R',
    'directory=d',
    'reverse=r',
    'human-readable=h',
    'classify=F',
    'inode=i',
    'numeric-uid-gid=n',
    'no-group=G',
    'size=s',
    'dereference=L',
    'ignore=I',
    'color?',
    'sort:',
    'time:',
    'time-style:',
    'full-time',
    'group-directories-first',
    'file-type',
    'format:',
    'literal=N',
    'quote-name=Q',
    'ignore-backups=B',
    'si=h',
  ],
};

interface Item {
  readonly name: string;
  readonly path: string;
  readonly stat: FsStat;
  /** The target of a symlink. */
  readonly target?: string;
}

export const ls = writing(async (call, out) => {
  const options = parseOptions(call.args, SPEC);
  const { has } = options;
  const isLong = ['l', 'n', 'o', 'g', 'full-time'].some((name) => has.has(name));
  const files: Item[] = [];
  const folders: Item[] = [];
  const complaints: string[] = [];
  for (const operand of options.operands.length > 0 ? options.operands : ['.']) {
    try {
      const item = await itemOf(call, operand, call.path(operand));
      const followed =
        item.target !== undefined && !isLong && !has.has('d') ? await stat(call, item.path) : item.stat;
      if (followed?.isDirectory && !has.has('d')) folders.push(item);
      else files.push(item);
    } catch (error) {
      complaints.push(`cannot access '${operand}': ${fileError(error)}`);
    }
  }
  const blocks: string[] = [];
  if (files.length > 0) blocks.push(await list(call, sorted(files, options), options, isLong));
  const titled = options.operands.length > 1 || has.has('R');
  for (const folder of sorted(folders, options)) {
    await listFolder(call, folder.name, folder.path, options, isLong, titled, blocks, complaints);
  }
  await out.write(blocks.join('\n'));
  return complainAtEnd(call, out, complaints, 2);
});

async function listFolder(
  call: ProgramCall,
  name: string,
  path: string,
  options: Options,
  isLong: boolean,
  titled: boolean,
  blocks: string[],
  complaints: string[],
): Promise<void> {
  if (call.signal.aborted) return;
  let items: Item[];
  try {
    items = await itemsOf(call, path, options);
  } catch (error) {
    complaints.push(`cannot open directory '${name}': ${fileError(error)}`);
    return;
  }
  const ordered = sorted(items, options);
  const total =
    isLong || options.has.has('s')
      ? `total ${ordered.reduce((sum, item) => sum + blocksOf(item.stat), 0)}\n`
      : '';
  blocks.push(`${titled ? `${name}:\n` : ''}${total}${await list(call, ordered, options, isLong)}`);
  if (!options.has.has('R')) return;
  for (const item of ordered) {
    if (!item.stat.isDirectory || item.name === '.' || item.name === '..') continue;
    const below = name === '/' ? `/${item.name}` : `${name}/${item.name}`;
    await listFolder(call, below, item.path, options, isLong, true, blocks, complaints);
  }
}

async function itemsOf(call: ProgramCall, path: string, options: Options): Promise<Item[]> {
  const all = options.has.has('a') || options.has.has('f');
  const ignored = (options.values.get('I') ?? []).map((glob) => globRegex(glob));
  const names = (await call.files.readdir(path)).filter(
    (name) =>
      (all || options.has.has('A') || !name.startsWith('.')) &&
      !(options.has.has('B') && name.endsWith('~')) &&
      !ignored.some((glob) => glob.test(name)),
  );
  if (all) names.push('.', '..');
  const items = await Promise.all(
    names.map((name) => itemOf(call, name, call.files.resolvePath(path, name)).catch(() => undefined)),
  );
  return items.filter((item) => item !== undefined);
}

async function itemOf(call: ProgramCall, name: string, path: string): Promise<Item> {
  const found = await call.files.lstat(path);
  if (!found.isSymbolicLink) return { name, path, stat: found };
  return { name, path, stat: found, target: await call.files.readlink(path) };
}

async function stat(call: ProgramCall, path: string): Promise<FsStat | undefined> {
  return call.files.stat(path).catch(() => undefined);
}

function sorted(items: readonly Item[], options: Options): Item[] {
  const { has } = options;
  if (has.has('U') || has.has('f')) return [...items];
  const byName = (a: Item, b: Item) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  const by =
    valueOf(options, 'sort') ??
    { S: 'size', t: 'time', X: 'extension', v: 'version' }[lastOf(options, 'S', 't', 'X', 'v') ?? ''];
  const extension = ({ name }: Item) => (name.includes('.', 1) ? name.slice(name.lastIndexOf('.')) : '');
  const compare = (a: Item, b: Item): number => {
    if (by === 'size') return sizeOf(b) - sizeOf(a) || byName(a, b);
    if (by === 'time') return b.stat.mtime.getTime() - a.stat.mtime.getTime() || byName(a, b);
    if (by === 'extension') return extension(a).localeCompare(extension(b)) || byName(a, b);
    if (by === 'version') return byVersion(a.name, b.name);
    return byName(a, b);
  };
  const ordered = [...items].sort(compare);
  if (has.has('r')) ordered.reverse();
  if (!has.has('group-directories-first')) return ordered;
  return [
    ...ordered.filter(({ stat }) => stat.isDirectory),
    ...ordered.filter(({ stat }) => !stat.isDirectory),
  ];
}

async function list(
  call: ProgramCall,
  items: readonly Item[],
  options: Options,
  isLong: boolean,
): Promise<string> {
  const { has } = options;
  const columns = call.terminal(1)?.columns;
  const isColoured = wantsColours(options, columns !== undefined);
  const shown = ({ name }: Item) => (has.has('Q') ? JSON.stringify(name) : name);
  const paint = (item: Item) => (isColoured ? coloured(shown(item), item.stat) : shown(item));
  if (!isLong) {
    const names = items.map((item) => {
      const [before, after] = [has.has('s') ? `${blocksOf(item.stat)} ` : '', suffix(item, options)];
      return { text: before + paint(item) + after, width: [...before, ...shown(item), ...after].length };
    });
    const form = lastOf(options, '1', 'C', 'm') ?? (columns === undefined ? '1' : 'C');
    if (names.length === 0) return '';
    if (form === 'm') return `${names.map(({ text }) => text).join(', ')}\n`;
    if (form === 'C') return inColumns(names, Number(valueOf(options, 'w') ?? columns ?? 80));
    return names.map(({ text }) => `${text}\n`).join('');
  }
  const date = dateFormat(
    call.env.get('TZ') ?? '',
    has.has('full-time') ? 'full-iso' : valueOf(options, 'time-style'),
  );
  const owner = has.has('n') ? '1000' : 'user';
  const rows = items.map((item) => ({
    item,
    size: has.has('h') ? humanSize(sizeOf(item)) : String(sizeOf(item)),
    links: String(item.stat.names ?? (item.stat.isDirectory ? 2 : 1)),
  }));
  const width = Math.max(0, ...rows.map(({ size }) => size.length));
  return rows
    .map(({ item, size, links }) => {
      const owners = `${has.has('g') ? '' : `${owner} `}${has.has('o') || has.has('G') ? '' : `${owner} `}`;
      const arrow = item.target === undefined ? '' : ` -> ${item.target}`;
      const mode = modeText(item.stat);
      return `${mode} ${links} ${owners}${size.padStart(width)} ${date(item.stat.mtime)} ${paint(item)}${suffix(item, options)}${arrow}\n`;
    })
    .join('');
}

function suffix({ stat }: Item, { has }: Options): string {
  if (stat.isDirectory) return has.has('p') || has.has('F') || has.has('file-type') ? '/' : '';
  if (!has.has('F')) return '';
  return stat.isSymbolicLink ? '@' : (stat.mode & 0o111) !== 0 ? '*' : '';
}

/** Returns the size that is shown; folders take one block. */
function sizeOf({ stat }: Item): number {
  return stat.isDirectory ? 4096 : stat.size;
}

/** The size in kB on a disk with blocks of 4 kB. */
function blocksOf(stat: FsStat): number {
  return stat.isSymbolicLink ? 0 : stat.isDirectory ? 4 : Math.ceil(stat.size / 4096) * 4;
}

const HALF_YEAR_MS = 182 * 24 * 3600 * 1000;

function dateFormat(zone: string, style: string | undefined): (date: Date) => string {
  const format = { 'full-iso': '%Y-%m-%d %H:%M:%S.%N %z', 'long-iso': '%Y-%m-%d %H:%M' }[style ?? ''];
  return (date) => {
    const isOld = Math.abs(Date.now() - date.getTime()) > HALF_YEAR_MS;
    return strftime(format ?? (isOld ? '%b %e  %Y' : '%b %e %H:%M'), momentOfDate(date), zone);
  };
}
