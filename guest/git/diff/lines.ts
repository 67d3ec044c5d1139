import { diffArrays } from 'diff';
import { placeChanges, type LineChange } from './place.ts';

/** Above this number of changed lines the shortest way is no longer looked for, and the middle counts as replaced. */
const MOST_EDITS = 20_000;

/**
 * Compares lines: the shortest series of changes, each of them then moved to the place where people expect it. `keyOf`
 * answers what counts of a line.
 */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
  keyOf: (line: string) => string = (line) => line,
): LineChange[] {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]) =>
    lines.map((line) => {
      const key = keyOf(line);
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      return number;
    });
  const a = { lines: before, ids: numbered(before) };
  const b = { lines: after, ids: numbered(after) };
  return placeChanges(shortest(a.ids, b.ids), a, b);
}

/** The changes between two lists of numbers. Equal beginnings and ends are not looked at. */
function shortest(a: readonly number[], b: readonly number[]): LineChange[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  if (endA === start && endB === start) return [];
  const whole = [{ a: start, aLines: endA - start, b: start, bLines: endB - start }];
  if (endA === start || endB === start) return whole;
  return between(a, b, [start, endA, start, endB]) ?? whole;
}

/** Lines that the other side does not have at all are changed for certain: only the others are compared. */
function between(
  a: readonly number[],
  b: readonly number[],
  [startA, endA, startB, endB]: readonly [number, number, number, number],
): LineChange[] | undefined {
  const kept = (own: readonly number[], from: number, to: number, other: ReadonlySet<number>) => {
    const places: number[] = [];
    for (let at = from; at < to; at++) if (other.has(own[at] ?? -1)) places.push(at);
    return places;
  };
  const inA = kept(a, startA, endA, new Set(b.slice(startB, endB)));
  const inB = kept(b, startB, endB, new Set(a.slice(startA, endA)));
  const parts = diffArrays(
    inA.map((at) => a[at] ?? 0),
    inB.map((at) => b[at] ?? 0),
    { maxEditLength: MOST_EDITS },
  ) as ReturnType<typeof diffArrays> | undefined;
  if (!parts) return undefined;
  const changes: LineChange[] = [];
  let [lastA, lastB] = [startA, startB];
  const upTo = (nextA: number, nextB: number) => {
    if (nextA > lastA || nextB > lastB)
      changes.push({ a: lastA, aLines: nextA - lastA, b: lastB, bLines: nextB - lastB });
  };
  let [i, j] = [0, 0];
  for (const { added, removed, count } of parts) {
    if (added) j += count;
    else if (removed) i += count;
    else
      for (let left = count; left > 0; left--) {
        const [atA, atB] = [inA[i++] ?? 0, inB[j++] ?? 0];
        upTo(atA, atB);
        [lastA, lastB] = [atA + 1, atB + 1];
      }
  }
  upTo(endA, endB);
  return changes;
}
