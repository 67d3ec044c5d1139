import { languageOf } from '../../../kit/highlight/names.ts';
import type { DiffRow } from './unified-diff.ts';

/** A stretch of one version of a file, which is coloured as a whole. */
export interface ColourPiece {
  readonly language: string;
  readonly text: string;
  /** For each line of the text the index of the row that it colours, or `null` if another piece colours that row. */
  readonly rows: readonly (number | null)[];
}

/**
 * The versions before and after are coloured apart, hunk by hunk: a removed line and the added one below it are not one
 * text. Rows of files whose language is not known are in no piece.
 */
export function colourPieces(diff: readonly DiffRow[], path: string): readonly ColourPiece[] {
  const pieces: ColourPiece[] = [];
  let language = languageOf(path);
  let begin = 0;
  const flush = (end: number) => {
    if (language !== '') pieces.push(...ofHunk(diff, begin, end, language));
    begin = end + 1;
  };
  diff.forEach((row, at) => {
    if (row.kind !== 'gap' && row.kind !== 'file') return;
    flush(at);
    if (row.kind === 'file') language = languageOf(row.to ?? row.from ?? '');
  });
  flush(diff.length);
  return pieces;
}

function ofHunk(
  diff: readonly DiffRow[],
  begin: number,
  end: number,
  language: string,
): readonly ColourPiece[] {
  const version = (skipped: 'added' | 'removed', colours: (kind: DiffRow['kind']) => boolean) => {
    const texts: string[] = [];
    const rows: (number | null)[] = [];
    for (let at = begin; at < end; at++) {
      const row = diff[at];
      if (!row || row.kind === 'gap' || row.kind === 'file' || row.kind === skipped) continue;
      texts.push(row.text.replace(/\r$/, ''));
      rows.push(colours(row.kind) ? at : null);
    }
    return { language, text: texts.join('\n'), rows };
  };
  return [version('removed', () => true), version('added', (kind) => kind === 'removed')].filter(({ rows }) =>
    rows.some((row) => row !== null),
  );
}
