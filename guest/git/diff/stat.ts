import { MODE } from '../kit/objects.ts';
import { quotePath, quotedInner } from '../kit/quote.ts';
import type { Painter } from '../kit/paint.ts';
import type { Change } from './renames.ts';

/** How much of one file changed; in lines, or in bytes where it is binary. */
export interface FileStat {
  readonly change: Change;
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
}

/** Both names of a renamed file in one, with the part that differs in braces. */
export function namesOf({ from, path }: Change): string {
  if (from === path) return quotePath(path);
  if (quotePath(from) !== from || quotePath(path) !== path) return `${quotePath(from)} => ${quotePath(path)}`;
  let start = 0;
  for (let at = 0; at < from.length && at < path.length && from[at] === path[at]; at++)
    if (from[at] === '/') start = at + 1;
  let end = 0;
  // The slash at the end of the common beginning may also begin the common end.
  const least = start > 0 ? start - 1 : 0;
  for (let at = 1; from.length - at >= least && path.length - at >= least; at++) {
    const [a, b] = [from[from.length - at], path[path.length - at]];
    if (a !== b) break;
    if (a === '/') end = at;
  }
  const middle = (text: string) => text.slice(start, Math.max(start, text.length - end));
  if (start === 0 && end === 0) return `${from} => ${path}`;
  return `${quotedInner(from.slice(0, start))}{${middle(from)} => ${middle(path)}}${from.slice(from.length - end)}`;
}

export function summaryLine(stats: readonly FileStat[]): string {
  const sum = (of: (stat: FileStat) => number) =>
    stats.reduce((total, stat) => total + (stat.isBinary ? 0 : of(stat)), 0);
  const [added, removed] = [sum((stat) => stat.added), sum((stat) => stat.removed)];
  const count = (number: number, one: string, more = `${one}s`) => `${number} ${number === 1 ? one : more}`;
  let text = ` ${count(stats.length, 'file')} changed`;
  if (stats.length === 0) return ' 0 files changed\n';
  if (added > 0 || removed === 0) text += `, ${count(added, 'insertion')}(+)`;
  if (removed > 0 || added === 0) text += `, ${count(removed, 'deletion')}(-)`;
  return `${text}\n`;
}

const width = (text: string): number => [...text].length;

function scaled(count: number, columns: number, most: number): number {
  return count === 0 ? 0 : 1 + Math.floor((count * (columns - 1)) / most);
}

export interface StatOptions {
  readonly columns: number;
  /** The most columns for names and for the graph, and the most files; undefined for as many as there is room for. */
  readonly names?: number | undefined;
  readonly graph?: number | undefined;
  readonly count?: number | undefined;
  /** Whether files that came, went or changed their mode are marked. */
  readonly isCompact?: boolean;
}

function compactNote({ status, before, after }: Change): string {
  const [old, now] = [before?.mode ?? 0, after?.mode ?? 0];
  if (status === 'D') return ' (gone)';
  if (status === 'A')
    return now === MODE.executable ? ' (new +x)' : now === MODE.link ? ' (new +l)' : ' (new)';
  if (old === now) return '';
  if (old === MODE.link || now === MODE.link) return ` (mode ${now === MODE.link ? '+l' : '-l'})`;
  return ` (mode ${now === MODE.executable ? '+x' : '-x'})`;
}

/** The table of `--stat` without its last line. */
export function statTable(all: readonly FileStat[], painter: Painter, options: StatOptions): string {
  if (all.length === 0) return '';
  const { columns, count = all.length, isCompact } = options;
  const stats = all.slice(0, count);
  const names = stats.map(({ change }) => `${namesOf(change)}${isCompact ? compactNote(change) : ''}`);
  const most = Math.max(0, ...stats.map(({ isBinary, added, removed }) => (isBinary ? 0 : added + removed)));
  const binary = Math.max(
    0,
    ...stats.map(({ isBinary, added, removed }) =>
      isBinary ? 14 + String(added).length + String(removed).length : 0,
    ),
  );
  const numbers = Math.max(String(most).length, binary > 0 ? 3 : 0);
  const total = Math.max(columns, 22 + numbers);
  let graph = most + 4 > binary ? most : binary - 4;
  graph = Math.min(graph, options.graph ?? graph);
  let name = Math.max(...names.map(width));
  name = Math.min(name, options.names ?? name);
  if (name + numbers + 6 + graph > total) {
    const share = Math.floor((total * 3) / 8) - numbers - 6;
    if (graph > share) graph = Math.max(share, 6);
    if (name > total - numbers - 6 - graph) name = total - numbers - 6 - graph;
    else graph = total - numbers - 6 - name;
  }
  return stats
    .map((stat, at) => {
      const label = shortened(names[at] ?? '', name);
      const head = ` ${label}${' '.repeat(Math.max(0, name - width(label)))} |`;
      return `${head} ${graphOf(stat, numbers, graph, most, painter)}\n`;
    })
    .concat(stats.length < all.length ? [' ...\n'] : [])
    .join('');
}

function shortened(name: string, room: number): string {
  if (width(name) <= room) return name;
  const rest = name.slice(name.length - (room - 3));
  const slash = rest.indexOf('/');
  return `...${slash >= 0 ? rest.slice(slash) : rest}`;
}

function graphOf(
  { isBinary, added, removed }: FileStat,
  numbers: number,
  room: number,
  most: number,
  painter: Painter,
): string {
  if (isBinary) {
    const bytes = added === 0 && removed === 0 ? '' : ` ${removed} -> ${added} bytes`;
    return `${'Bin'.padStart(numbers)}${bytes}`;
  }
  let [plus, minus] = [added, removed];
  if (room <= most) {
    let total = scaled(added + removed, room, most);
    if (total < 2 && added > 0 && removed > 0) total = 2;
    if (added < removed) {
      plus = scaled(added, room, most);
      minus = total - plus;
    } else {
      minus = scaled(removed, room, most);
      plus = total - minus;
    }
  }
  const count = String(added + removed).padStart(numbers);
  return `${count}${added + removed > 0 ? ' ' : ''}${painter.paint('green', '+'.repeat(plus))}${painter.paint('red', '-'.repeat(minus))}`;
}

/** The lines of `--summary` about files that came, went or changed their mode. */
export function summaryOf(changes: readonly Change[]): string {
  const octal = (mode: number) => mode.toString(8).padStart(6, '0');
  return changes
    .map((change) => {
      const { status, path, before, after, score } = change;
      if (status === 'A' && after) return ` create mode ${octal(after.mode)} ${quotePath(path)}\n`;
      if (status === 'D' && before) return ` delete mode ${octal(before.mode)} ${quotePath(path)}\n`;
      const mode =
        before && after && before.mode !== after.mode
          ? ` mode change ${octal(before.mode)} => ${octal(after.mode)}`
          : '';
      if (status === 'R' || status === 'C')
        return ` ${status === 'R' ? 'rename' : 'copy'} ${namesOf(change)} (${score}%)\n${mode && `${mode}\n`}`;
      return mode && `${mode} ${quotePath(path)}\n`;
    })
    .join('');
}
