import { grouped } from '../../../../base/grouped.ts';
import type { GrepMatch } from '../../../../workspace/workspace.ts';
import { spansIn, type SearchOptions, type Span } from './expression.ts';

/** The longest line that the workspace returns whole. */
const WHOLE_LINE = 2_000;

/** One match in a line of a file. */
export interface Match extends Span {
  /** Absolute. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The whole line, or its beginning. */
  readonly text: string;
  /** The number of the match in its line, from 0. */
  readonly nth: number;
  /** Whether the line may go on behind `text`. Its matches are not replaced. */
  readonly cut: boolean;
}

export interface FoundFile {
  readonly path: string;
  readonly matches: readonly Match[];
}

/** The single matches in the lines that were found, by file; no more than `limit` of them. */
export function foundFiles(
  lines: readonly GrepMatch[],
  options: SearchOptions,
  limit: number,
): readonly FoundFile[] {
  const files: FoundFile[] = [];
  let left = limit;
  for (const [path, own] of grouped(lines, (line) => line.path)) {
    const matches = own.flatMap((line) => matchesIn(line, options)).slice(0, left);
    left -= matches.length;
    if (matches.length > 0) files.push({ path, matches });
  }
  return files;
}

function matchesIn({ path, line, text }: GrepMatch, options: SearchOptions): readonly Match[] {
  const cut = text.length >= WHOLE_LINE;
  return spansIn(text, options).map((span, nth) => ({ ...span, path, line, text, nth, cut }));
}
