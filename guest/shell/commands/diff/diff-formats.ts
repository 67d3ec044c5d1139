import type { Hunk, Text } from './hunks.ts';

/**
 * Returns the text beside the position of a group of changes. `from` is the group's first line in the first
 * file, from 0.
 */
export type Title = (from: number) => string;

export interface Columns {
  readonly width: number;
  /** Equal lines appear on the left only, with `(`. */
  readonly leftOnly: boolean;
  readonly changesOnly: boolean;
}

function end({ lines, ended }: Text, at: number): string {
  return at === lines.length - 1 && !ended ? '\n\\ No newline at end of file\n' : '\n';
}

/** Writes the unified format of `-u`. */
export function unified(group: readonly Hunk[], a: Text, b: Text, context: number, title: Title): string {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return '';
  const before = Math.min(context, first.aStart);
  const after = Math.min(context, a.lines.length - last.aEnd);
  const range = (start: number, end: number) =>
    end - start === 1 ? `${start + 1}` : `${end === start ? start : start + 1},${end - start}`;
  const heading = `@@ -${range(first.aStart - before, last.aEnd + after)} +${range(first.bStart - before, last.bEnd + after)} @@${title(first.aStart - before)}\n`;
  let body = '';
  let at = first.aStart - before;
  for (const { aStart, aEnd, bStart, bEnd } of group) {
    body += marked(' ', a, at, aStart) + marked('-', a, aStart, aEnd) + marked('+', b, bStart, bEnd);
    at = aEnd;
  }
  return heading + body + marked(' ', a, at, last.aEnd + after);
}

function marked(mark: string, { lines, ended }: Text, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) {
    text += `${mark}${lines[i] ?? ''}\n`;
    if (i === lines.length - 1 && !ended) text += '\\ No newline at end of file\n';
  }
  return text;
}

/** Writes the default format. */
export function normal(hunk: Hunk, a: Text, b: Text): string {
  const { aStart, aEnd, bStart, bEnd } = hunk;
  const range = (start: number, end: number) =>
    end - start === 0 ? `${start}` : end - start === 1 ? `${end}` : `${start + 1},${end}`;
  const kind = aStart === aEnd ? 'a' : bStart === bEnd ? 'd' : 'c';
  const parts = [marked('< ', a, aStart, aEnd), marked('> ', b, bStart, bEnd)].filter((part) => part !== '');
  return `${range(aStart, aEnd)}${kind}${range(bStart, bEnd)}\n${parts.join('---\n')}`;
}

/** Writes the context format of `-c`: both sides in turn, with changes marked. */
export function contextual(group: readonly Hunk[], a: Text, b: Text, context: number, title: Title): string {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return '';
  const before = Math.min(context, first.aStart);
  const after = Math.min(context, a.lines.length - last.aEnd);
  const range = (from: number, to: number) => (to - from > 1 ? `${from + 1},${to}` : `${to}`);
  const side = (
    text: Text,
    mark: '-' | '+',
    start: number,
    stop: number,
    of: (hunk: Hunk) => [number, number],
  ) => {
    let shown = '';
    let at = start;
    for (const hunk of group) {
      const [from, to] = of(hunk);
      const changes = hunk.aStart < hunk.aEnd && hunk.bStart < hunk.bEnd;
      for (; at < from; at++) shown += `  ${text.lines[at] ?? ''}${end(text, at)}`;
      for (; at < to; at++) shown += `${changes ? '!' : mark} ${text.lines[at] ?? ''}${end(text, at)}`;
    }
    for (; at < stop; at++) shown += `  ${text.lines[at] ?? ''}${end(text, at)}`;
    return shown;
  };
  const [aFrom, aTo] = [first.aStart - before, last.aEnd + after];
  const [bFrom, bTo] = [first.bStart - before, last.bEnd + after];
  const left = group.some(({ aStart, aEnd }) => aStart < aEnd)
    ? side(a, '-', aFrom, aTo, ({ aStart, aEnd }) => [aStart, aEnd])
    : '';
  const right = group.some(({ bStart, bEnd }) => bStart < bEnd)
    ? side(b, '+', bFrom, bTo, ({ bStart, bEnd }) => [bStart, bEnd])
    : '';
  return `***************${title(aFrom)}\n*** ${range(aFrom, aTo)} ****\n${left}--- ${range(bFrom, bTo)} ----\n${right}`;
}

/** Writes the commands for ed of `-e`, from the end of the file to its start. */
export function editScript(hunks: readonly Hunk[], b: Text): string {
  return [...hunks]
    .reverse()
    .map(({ aStart, aEnd, bStart, bEnd }) => {
      const range = aEnd - aStart > 1 ? `${aStart + 1},${aEnd}` : `${aEnd}`;
      const text = b.lines.slice(bStart, bEnd).map((line) => `${line}\n`);
      if (text.length === 0) return `${range}d\n`;
      return `${range}${aStart === aEnd ? 'a' : 'c'}\n${text.join('')}.\n`;
    })
    .join('');
}

/** Writes the RCS format of `-n`. */
export function rcsScript(hunks: readonly Hunk[], b: Text): string {
  return hunks
    .map(({ aStart, aEnd, bStart, bEnd }) => {
      const text = b.lines.slice(bStart, bEnd).map((line) => `${line}\n`);
      const removed = aEnd > aStart ? `d${aStart + 1} ${aEnd - aStart}\n` : '';
      return removed + (text.length > 0 ? `a${aEnd} ${text.length}\n${text.join('')}` : '');
    })
    .join('');
}

const TAB = 8;

/** Fills from one column to another with tabs and spaces. */
function gap(from: number, to: number): string {
  let text = '';
  for (let tab = from + TAB - (from % TAB); tab <= to; tab += TAB) {
    text += '\t';
    from = tab;
  }
  return text + ' '.repeat(Math.max(0, to - from));
}

/** Writes the two columns of `-y`. */
export function sideBySide(hunks: readonly Hunk[], a: Text, b: Text, columns: Columns): string {
  const { width, leftOnly, changesOnly } = columns;
  const offset = Math.floor((width + TAB + 3) / (2 * TAB)) * TAB;
  const half = Math.max(0, Math.min(offset - 3, width - offset));
  const second = half > 0 ? offset : width;
  const line = (left: string | undefined, mark: string, right: string | undefined) => {
    let text = (left ?? '').slice(0, half);
    let column = text.length;
    if (mark !== ' ') {
      const at = Math.floor((half + second - 1) / 2);
      text += gap(column, at) + mark;
      column = at + 1;
    }
    if (right !== undefined && right !== '') text += gap(column, second) + right.slice(0, half);
    else if (right === '' && mark !== '<' && mark !== '(') text += gap(column, second);
    return `${text}\n`;
  };
  let shown = '';
  let [i, j] = [0, 0];
  const common = (until: number) => {
    for (; i < until; i++, j++) {
      if (changesOnly) continue;
      shown += leftOnly ? line(a.lines[i], '(', undefined) : line(a.lines[i], ' ', b.lines[j] ?? '');
    }
  };
  for (const { aStart, aEnd, bStart, bEnd } of hunks) {
    common(aStart);
    j = bStart;
    for (; i < aEnd && j < bEnd; i++, j++) shown += line(a.lines[i], '|', b.lines[j] ?? '');
    for (; i < aEnd; i++) shown += line(a.lines[i], '<', undefined);
    for (; j < bEnd; j++) shown += line(undefined, '>', b.lines[j] ?? '');
  }
  common(a.lines.length);
  return shown;
}

/**
 * The values of `--old-line-format` and the like, which show a line: `%L` with its end, `%l` without it,
 * `%dn` its number.
 */
export interface LineFormats {
  readonly old: string;
  readonly fresh: string;
  readonly same: string;
}

export function lineByLine(hunks: readonly Hunk[], left: Text, right: Text, formats: LineFormats): string {
  let text = '';
  const show = (format: string, { lines, ended }: Text, from: number, to: number) => {
    for (let at = from; at < to; at++) {
      const line = lines[at] ?? '';
      const end = ended || at < lines.length - 1 ? '\n' : '';
      text += format.replace(
        /%(?:([lL%])|(?:-?\d*)?([dxo])n|c'(.)')/g,
        (_all, kind?: string, base?: string, char?: string) => {
          if (base) return (at + 1).toString({ d: 10, x: 16 }[base] ?? 8);
          if (char !== undefined) return char;
          return kind === '%' ? '%' : line + (kind === 'L' ? end : '');
        },
      );
    }
  };
  let at = 0;
  for (const { aStart, aEnd, bStart, bEnd } of hunks) {
    show(formats.same, left, at, aStart);
    show(formats.old, left, aStart, aEnd);
    show(formats.fresh, right, bStart, bEnd);
    at = aEnd;
  }
  show(formats.same, left, at, left.lines.length);
  return text;
}
