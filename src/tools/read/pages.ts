import { plural } from '../text.ts';
import { MAX_BYTES } from '../truncate.ts';

export const MAX_LINE = 2000;

export interface Page {
  readonly output: string;
  readonly totalLines: number;
  readonly shownLines: number;
  readonly truncated: boolean;
}

/**
 * Numbered lines of a text from line `offset` on, the first of them from `column` on, with a footer that says how to
 * continue. Both count from 1. `undefined` where `offset` is past the end.
 */
export function pageOf(text: string, offset: number, limit: number, column = 1): Page | undefined {
  const lines = linesOf(text);
  const total = lines.length;
  if (offset > Math.max(total, 1)) return undefined;
  const shown: string[] = [];
  let bytes = 0;
  let full = false;
  for (let index = offset - 1; index < total && shown.length < limit; index++) {
    const line = `${index + 1}: ${cutLine(lines[index] ?? '', index === offset - 1 ? column : 1)}`;
    const size = new TextEncoder().encode(line).length + 1;
    if (bytes + size > MAX_BYTES && shown.length > 0) {
      full = true;
      break;
    }
    bytes += size;
    shown.push(line);
  }
  const next = offset + shown.length;
  const more = next <= total;
  const foot = more
    ? `(${full ? 'Cut at 50 KB: lines' : 'Lines'} ${offset}-${next - 1} of ${total}. Continue with offset=${next}.)`
    : total === 0
      ? '(The file is empty.)'
      : `(End of file: ${plural(total, 'line')}.)`;
  return {
    output: [...shown, ...(shown.length > 0 ? [''] : []), foot].join('\n'),
    totalLines: total,
    shownLines: shown.length,
    truncated: more,
  };
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r\n|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function cutLine(line: string, column: number): string {
  const start = column - 1;
  if (line.length - start <= MAX_LINE) return line.slice(start);
  const end = start + MAX_LINE;
  // Does not split a surrogate pair.
  const stop = /[\uD800-\uDBFF]/.test(line.charAt(end - 1)) ? end - 1 : end;
  return `${line.slice(start, stop)}… (line cut: ${stop} of ${line.length} characters; continue with column=${stop + 1})`;
}
