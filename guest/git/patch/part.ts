import type { Hunk } from '../diff/hunks.ts';

/** A part of the changes of a file, about which is asked. */
export interface Part {
  /** With the lines around it, which parts of a split hunk have in common. */
  readonly shown: Hunk;
  /** This hunk goes into the index: the person may have edited it, and it has no lines in common with another part. */
  staged: Hunk;
  /** Its single changes, without the lines around them. */
  readonly pieces: readonly Hunk[];
  use: 'undecided' | 'used' | 'skipped';
}

/** Splits a part into its changes, each shown with all lines up to the next one. */
export function splitParts({ shown, pieces }: Part): Part[] {
  const context = contextOf(shown);
  return pieces.map((piece, at): Part => {
    const before = pieces[at - 1];
    const from = before ? before.a + before.aLines : shown.a;
    const to = pieces[at + 1]?.a ?? shown.a + shown.aLines;
    const lead = piece.a - from;
    const lines = [
      ...context.slice(from - shown.a, piece.a - shown.a),
      ...piece.lines,
      ...context.slice(piece.a + piece.aLines - shown.a, to - shown.a),
    ].filter((line) => line !== undefined);
    const hunk: Hunk = {
      a: from,
      aLines: to - from,
      b: piece.b - lead,
      bLines: to - from - piece.aLines + piece.bLines,
      heading: at === 0 ? shown.heading : '',
      lines,
    };
    return { shown: hunk, staged: piece, pieces: [piece], use: 'undecided' };
  });
}

/** The unchanged lines of a hunk, each at its place among the old lines. */
function contextOf({ lines }: Hunk): (string | undefined)[] {
  return lines
    .filter((line) => line.startsWith(' ') || line.startsWith('-'))
    .map((line) => (line.startsWith(' ') ? line : undefined));
}

/** An edited hunk without the unchanged lines around it, which a neighbour may have too. */
export function trimmed(hunk: Hunk): Hunk {
  const isContext = (line: string) => line.startsWith(' ');
  const lead = hunk.lines.findIndex((line) => !isContext(line));
  const trail = hunk.lines.length - 1 - hunk.lines.findLastIndex((line) => !isContext(line));
  return {
    ...hunk,
    a: hunk.a + lead,
    aLines: hunk.aLines - lead - trail,
    b: hunk.b + lead,
    bLines: hunk.bLines - lead - trail,
    lines: hunk.lines.slice(lead, hunk.lines.length - trail),
  };
}

const HEAD_WIDTH = 20;
const WIDTH = 80;

/** A line of the list of hunks. */
export function summaryOf(part: Part | undefined, number: number): string {
  if (!part) return '';
  const { a, aLines, b, bLines, lines } = part.shown;
  const start = (from: number, count: number) => (count === 0 ? from : from + 1);
  const head = ` -${start(a, aLines)},${aLines} +${start(b, bLines)},${bLines} `;
  const first = lines.find((line) => !line.startsWith(' ')) ?? '';
  const mark = part.use === 'used' ? '+' : part.use === 'skipped' ? '-' : ' ';
  const text = (head.padEnd(HEAD_WIDTH) + first).slice(0, WIDTH);
  return `${mark}${String(number).padStart(2)}: ${text}\n`;
}
