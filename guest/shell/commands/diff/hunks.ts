import { diffArrays } from 'diff';

export interface Text {
  readonly lines: readonly string[];
  /** Whether the last line has a line end. */
  readonly ended: boolean;
}

/**
 * Lines `aStart` to `aEnd` of one file became lines `bStart` to `bEnd` of the other; from 0, ends excluded.
 */
export interface Hunk {
  aStart: number;
  aEnd: number;
  bStart: number;
  bEnd: number;
}

export function hunksOf(a: readonly string[], b: readonly string[], key: (line: string) => string): Hunk[] {
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  for (const part of diffArrays(a.map(key), b.map(key))) {
    const count = part.count ?? part.value.length;
    const last = hunks.at(-1);
    if (!part.added && !part.removed) {
      i += count;
      j += count;
      continue;
    }
    const hunk =
      last && last.aEnd === i && last.bEnd === j ? last : { aStart: i, aEnd: i, bStart: j, bEnd: j };
    if (hunk !== last) hunks.push(hunk);
    if (part.removed) hunk.aEnd = i += count;
    else hunk.bEnd = j += count;
  }
  return hunks;
}

/** Adds the last line to the changes, for files of which only one ends with a line end. */
export function addLastLine(hunks: Hunk[], a: number, b: number): void {
  const last = hunks.at(-1);
  if (last && (last.aEnd === a || last.bEnd === b)) return;
  hunks.push({ aStart: a - 1, aEnd: a, bStart: b - 1, bEnd: b });
}

/** Joins the changes whose context of so many lines would touch. */
export function grouped(hunks: readonly Hunk[], context: number): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && hunk.aStart - last.aEnd <= context * 2) group.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}
