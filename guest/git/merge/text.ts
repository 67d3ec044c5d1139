import { decode, encode } from '../../shell/kit/io.ts';
import { diffLines } from '../diff/lines.ts';
import type { LineChange } from '../diff/place.ts';

export interface Labels {
  readonly ours: string;
  readonly base: string;
  readonly theirs: string;
}

export interface MergedText {
  readonly bytes: Uint8Array;
  readonly conflicts: number;
}

/** A region in which at least one side has changed. Starts and counts are lines of each side. */
interface Region {
  kind: 'conflict' | 'ours' | 'theirs' | 'same';
  base: number;
  baseCount: number;
  ours: number;
  oursCount: number;
  theirs: number;
  theirsCount: number;
}

export type MergeStyle = 'merge' | 'diff3';

/** Which side wins where both have changed the same lines; undefined marks a conflict. */
export type Favour = 'ours' | 'theirs' | 'union' | undefined;

/** Lines with their ends, so that a missing one at the end of a file is a difference. */
function linesOf(bytes: Uint8Array): string[] {
  return decode(bytes).match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

export function mergeTexts(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
  labels: Labels,
  { style = 'merge', favour }: { readonly style?: MergeStyle; readonly favour?: Favour } = {},
): MergedText {
  const [b, o, t] = [linesOf(base), linesOf(ours), linesOf(theirs)];
  let regions = regionsOf(diffLines(b, o), diffLines(b, t), o, t);
  if (style === 'merge') regions = joinClose(refined(regions, o, t));
  const conflicts = favour ? 0 : regions.filter(({ kind }) => kind === 'conflict').length;
  return { bytes: encode(written(regions, b, o, t, labels, style, favour)), conflicts };
}

function regionsOf(
  mine: readonly LineChange[],
  others: readonly LineChange[],
  ours: readonly string[],
  theirs: readonly string[],
): Region[] {
  const regions: Region[] = [];
  let [i, j] = [0, 0];
  let [shiftOurs, shiftTheirs] = [0, 0];
  const plain = (change: LineChange, kind: 'ours' | 'theirs'): Region => ({
    kind,
    base: change.a,
    baseCount: change.aLines,
    ours: kind === 'ours' ? change.b : change.a + shiftOurs,
    oursCount: kind === 'ours' ? change.bLines : change.aLines,
    theirs: kind === 'theirs' ? change.b : change.a + shiftTheirs,
    theirsCount: kind === 'theirs' ? change.bLines : change.aLines,
  });
  while (i < mine.length || j < others.length) {
    const [one, other] = [mine[i], others[j]];
    if (one && (!other || one.a + one.aLines < other.a)) {
      regions.push(plain(one, 'ours'));
      shiftOurs = one.b + one.bLines - one.a - one.aLines;
      i++;
    } else if (other && (!one || other.a + other.aLines < one.a)) {
      regions.push(plain(other, 'theirs'));
      shiftTheirs = other.b + other.bLines - other.a - other.aLines;
      j++;
    } else if (one && other) {
      let [end, lastOne, lastOther] = [Math.max(one.a + one.aLines, other.a + other.aLines), one, other];
      const start = Math.min(one.a, other.a);
      i++;
      j++;
      // Changes that touch what is in conflict so far belong to the conflict.
      for (;;) {
        const [nextOne, nextOther] = [mine[i], others[j]];
        if (nextOne && nextOne.a <= end) {
          lastOne = nextOne;
          i++;
        } else if (nextOther && nextOther.a <= end) {
          lastOther = nextOther;
          j++;
        } else break;
        end = Math.max(end, lastOne.a + lastOne.aLines, lastOther.a + lastOther.aLines);
      }
      const [fromOurs, fromTheirs] = [start + shiftOurs, start + shiftTheirs];
      shiftOurs = lastOne.b + lastOne.bLines - lastOne.a - lastOne.aLines;
      shiftTheirs = lastOther.b + lastOther.bLines - lastOther.a - lastOther.aLines;
      const [toOurs, toTheirs] = [end + shiftOurs, end + shiftTheirs];
      const isSame =
        toOurs - fromOurs === toTheirs - fromTheirs &&
        ours.slice(fromOurs, toOurs).every((line, at) => line === theirs[fromTheirs + at]);
      regions.push({
        kind: isSame ? 'same' : 'conflict',
        base: start,
        baseCount: end - start,
        ours: fromOurs,
        oursCount: toOurs - fromOurs,
        theirs: fromTheirs,
        theirsCount: toTheirs - fromTheirs,
      });
    }
  }
  return regions;
}

/** Takes out of each conflict the lines that both sides have. */
function refined(regions: readonly Region[], ours: readonly string[], theirs: readonly string[]): Region[] {
  return regions.flatMap((region): Region[] => {
    if (region.kind !== 'conflict' || region.oursCount === 0 || region.theirsCount === 0) return [region];
    const changes = diffLines(
      ours.slice(region.ours, region.ours + region.oursCount),
      theirs.slice(region.theirs, region.theirs + region.theirsCount),
    );
    if (changes.length === 0) return [{ ...region, kind: 'same' }];
    return changes.map(({ a, aLines, b, bLines }, at) => ({
      ...region,
      kind: 'conflict' as const,
      // The lines of the base are not shown in this style; only the whole of them has to be skipped.
      baseCount: at === 0 ? region.baseCount : 0,
      base: at === 0 ? region.base : region.base + region.baseCount,
      ours: region.ours + a,
      oursCount: aLines,
      theirs: region.theirs + b,
      theirsCount: bLines,
    }));
  });
}

/** Conflicts with three lines or fewer between them are easier to read as one. */
function joinClose(regions: readonly Region[]): Region[] {
  const joined: Region[] = [];
  for (const region of regions) {
    const last = joined.at(-1);
    if (
      last?.kind === 'conflict' &&
      region.kind === 'conflict' &&
      region.ours - (last.ours + last.oursCount) <= 3
    ) {
      last.oursCount = region.ours + region.oursCount - last.ours;
      last.theirsCount = region.theirs + region.theirsCount - last.theirs;
      last.baseCount = region.base + region.baseCount - last.base;
    } else joined.push({ ...region });
  }
  return joined;
}

function written(
  regions: readonly Region[],
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  labels: Labels,
  style: MergeStyle,
  favour: Favour,
): string {
  let text = '';
  let at = 0;
  const ended = (part: string) => (part === '' || part.endsWith('\n') ? part : `${part}\n`);
  for (const region of regions) {
    const mine = ours.slice(region.ours, region.ours + region.oursCount).join('');
    const other = theirs.slice(region.theirs, region.theirs + region.theirsCount).join('');
    text += ours.slice(at, region.ours).join('');
    at = region.ours + region.oursCount;
    if (region.kind === 'ours' || region.kind === 'same') text += mine;
    else if (region.kind === 'theirs') text += other;
    else if (favour) text += favour === 'ours' ? mine : favour === 'theirs' ? other : ended(mine) + other;
    else {
      const middle = base.slice(region.base, region.base + region.baseCount).join('');
      const old = style === 'diff3' ? `||||||| ${labels.base}\n${ended(middle)}` : '';
      text = `${ended(text)}<<<<<<< ${labels.ours}\n${ended(mine)}${old}=======\n${ended(other)}>>>>>>> ${labels.theirs}\n`;
    }
  }
  return text + ours.slice(at).join('');
}
