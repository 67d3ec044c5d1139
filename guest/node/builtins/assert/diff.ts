import { needString } from '../internal/errors.ts';

/** 1 only in the first, 0 in both, -1 only in the second. */
export type DiffEntry = readonly [operation: -1 | 0 | 1, value: string];

/** Myers' shortest edit between two lists of lines, from the first line on. `comma`: lines that differ in a last comma alone are the same. */
export function edits(actual: readonly string[], expected: readonly string[], comma = false): DiffEntry[] {
  const [rows, columns] = [actual.length, expected.length];
  const most = rows + columns;
  const reach = new Int32Array(2 * most + 1);
  const trace: Int32Array[] = [];
  const equal = (x: number, y: number) => sameLine(actual[x] ?? '', expected[y] ?? '', comma);
  for (let cost = 0; cost <= most; cost++) {
    trace.push(reach.slice());
    for (let line = -cost; line <= cost; line += 2) {
      const at = line + most;
      const before = reach[at - 1] ?? 0;
      const after = reach[at + 1] ?? 0;
      let x = line === -cost || (line !== cost && before < after) ? after : before + 1;
      let y = x - line;
      while (x < rows && y < columns && equal(x, y)) {
        x++;
        y++;
      }
      reach[at] = x;
      if (x >= rows && y >= columns) return walkBack(trace, actual, expected, comma);
    }
  }
  return [];
}

function sameLine(one: string, other: string, comma: boolean): boolean {
  return one === other || (comma && (`${one},` === other || one === `${other},`));
}

function walkBack(
  trace: readonly Int32Array[],
  actual: readonly string[],
  expected: readonly string[],
  comma: boolean,
): DiffEntry[] {
  const most = actual.length + expected.length;
  let [x, y] = [actual.length, expected.length];
  const found: DiffEntry[] = [];
  for (let cost = trace.length - 1; cost >= 0; cost--) {
    const reach = trace[cost] ?? new Int32Array();
    const line = x - y;
    const at = line + most;
    const before = reach[at - 1] ?? 0;
    const after = reach[at + 1] ?? 0;
    const from = line === -cost || (line !== cost && before < after) ? line + 1 : line - 1;
    const fromX = reach[from + most] ?? 0;
    const fromY = fromX - from;
    while (x > fromX && y > fromY) {
      const [one, other] = [actual[x - 1] ?? '', expected[y - 1] ?? ''];
      found.push([0, comma && !one.endsWith(',') ? other : one]);
      x--;
      y--;
    }
    if (cost === 0) break;
    if (x > fromX) found.push([1, actual[--x] ?? '']);
    else found.push([-1, expected[--y] ?? '']);
  }
  return found;
}

function needTexts(value: unknown, name: string): asserts value is string | string[] {
  if (Array.isArray(value)) value.forEach((each, at) => needString(each, `${name}[${at}]`));
  else needString(value, name);
}

/** `util.diff`: of two texts by characters, or of two lists. */
export function diff(actual: unknown, expected: unknown): DiffEntry[] {
  if (actual === expected) return [];
  needTexts(actual, 'actual');
  needTexts(expected, 'expected');
  const list = (value: string | string[]) => (typeof value === 'string' ? value.split('') : value);
  return edits(list(actual), list(expected))
    .reverse()
    .map(([operation, value]) => [operation, value] as const);
}
