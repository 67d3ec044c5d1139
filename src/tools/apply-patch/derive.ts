import { FaultError } from '../../base/fault.ts';
import { clip } from '../text.ts';
import type { Chunk, PatchLine } from './parse.ts';

const BOM = '\uFEFF';

interface Line {
  readonly text: string;
  readonly ending: string;
}

/**
 * Applies chunks to a text. Kept lines stay as they are in the file, and so do the byte order mark and line endings; the
 * result ends with a line break. `title` names the file in faults.
 */
export function derive(original: string, chunks: readonly Chunk[], title: string): string {
  const mark = original.startsWith(BOM) ? BOM : '';
  const lines = linesOf(original.slice(mark.length));
  const ending = usualEnding(lines);
  const result: Line[] = [];
  const tail: Line[] = [];
  let cursor = 0;
  let copied = 0;
  for (const chunk of chunks) {
    for (const context of chunk.contexts) {
      const at = findLines(lines, [context], cursor, false);
      if (at === undefined) throw notFound(title, [context]);
      cursor = at + 1;
    }
    const old = oldLines(chunk.lines);
    if (old.length === 0) {
      for (const { text } of chunk.lines) tail.push({ text, ending });
      continue;
    }
    const found = findChunk(lines, chunk, cursor);
    if (!found) throw notFound(title, old, chunk.atEnd);
    result.push(...lines.slice(copied, found.at));
    let here = found.at;
    for (const { kind, text } of found.lines) {
      const present = lines[here];
      if (kind === 'add') result.push({ text, ending });
      else {
        if (kind === 'keep' && present) result.push(present);
        here++;
      }
    }
    cursor = copied = here;
  }
  result.push(...lines.slice(copied), ...tail);
  return mark + result.map((line) => line.text + (line.ending || ending)).join('');
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (const [whole] of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const ending = whole.endsWith('\r\n') ? '\r\n' : whole.endsWith('\n') ? '\n' : '';
    lines.push({ text: whole.slice(0, whole.length - ending.length), ending });
  }
  return lines;
}

function usualEnding(lines: readonly Line[]): string {
  const windows = lines.filter(({ ending }) => ending === '\r\n').length;
  return windows * 2 > lines.length ? '\r\n' : '\n';
}

function oldLines(lines: readonly PatchLine[]): string[] {
  return lines.flatMap(({ kind, text }) => (kind === 'add' ? [] : [text]));
}

/** Finds the chunk's old lines. An empty one at the end is optional, as it may stand for the file's last line break. */
function findChunk(
  lines: readonly Line[],
  chunk: Chunk,
  cursor: number,
): { readonly at: number; readonly lines: readonly PatchLine[] } | undefined {
  const at = findLines(lines, oldLines(chunk.lines), cursor, chunk.atEnd);
  if (at !== undefined) return { at, lines: chunk.lines };
  const last = chunk.lines.findLastIndex(({ kind }) => kind !== 'add');
  if (chunk.lines[last]?.text !== '') return undefined;
  const shorter = chunk.lines.filter((_, index) => index !== last);
  const old = oldLines(shorter);
  const again = old.length === 0 ? undefined : findLines(lines, old, cursor, chunk.atEnd);
  return again === undefined ? undefined : { at: again, lines: shorter };
}

/** How lines are compared, from exact to tolerant: trailing space, surrounding space and typographic signs may differ. */
const LEVELS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.trimEnd(),
  (text) => text.trim(),
  (text) => plain(text).trim(),
];

function findLines(
  lines: readonly Line[],
  wanted: readonly string[],
  from: number,
  atEnd: boolean,
): number | undefined {
  const last = lines.length - wanted.length;
  const first = atEnd ? Math.max(from, last) : from;
  for (const level of LEVELS) {
    const wantedLines = wanted.map(level);
    const present = lines.map(({ text }) => level(text));
    for (let at = first; at <= last; at++)
      if (wantedLines.every((text, index) => text === present[at + index])) return at;
  }
  return undefined;
}

function plain(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\u2026/g, '...')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ');
}

const QUOTED_LINES = 6;

function notFound(title: string, wanted: readonly string[], atEnd = false): FaultError {
  const quoted = wanted.slice(0, QUOTED_LINES).map((text) => `  ${clip(text, 200)}`);
  const more = wanted.length > QUOTED_LINES ? ['  …'] : [];
  const where = atEnd ? `at the end of ${title}` : `in ${title}, in this order`;
  return new FaultError({
    code: 'no-match',
    what: [
      `These lines were not found ${where}:`,
      ...quoted,
      ...more,
      'Nothing was changed in any file.',
    ].join('\n'),
    next: 'Read the file and write the whole patch again with the lines as they are there.',
  });
}
