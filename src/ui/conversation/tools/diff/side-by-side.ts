import type { DiffLine, DiffRow } from './unified-diff.ts';

/** Lines that stand beside each other: the version before on the left, the present one on the right. */
export interface LinePair {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

/** Pairs the removed lines of each change with the added ones, from the first on. */
export function sideBySide(rows: readonly DiffRow[]): readonly LinePair[] {
  const pairs: LinePair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      pairs.push({ left: removed[at] ?? null, right: added[at] ?? null });
    [removed, added] = [[], []];
  };
  for (const row of rows) {
    if (row.kind === 'removed') removed.push(row);
    else if (row.kind === 'added') added.push(row);
    else {
      flush();
      if (row.kind === 'same') pairs.push({ left: row, right: row });
    }
  }
  flush();
  return pairs;
}
