import type { Line } from '../../../kit/highlight.ts';

/** Rows are shown and coloured by blocks of this many, so that no task of the page is long. */
export const BLOCK_ROWS = 100;

/** Groups the lines of these rows by block; each line has its index in the block. */
export function linesByBlock(
  rows: readonly (number | null)[],
  lines: readonly Line[],
): ReadonlyMap<number, readonly (readonly [at: number, line: Line])[]> {
  const blocks = new Map<number, (readonly [number, Line])[]>();
  rows.forEach((row, at) => {
    const line = lines[at];
    if (row === null || !line) return;
    const block = Math.floor(row / BLOCK_ROWS);
    const each = blocks.get(block) ?? [];
    each.push([row % BLOCK_ROWS, line]);
    blocks.set(block, each);
  });
  return blocks;
}
