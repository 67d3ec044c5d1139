/** Lines that were replaced: `lines` of the old text from line `a` on by lines of the new one from `b` on, from 0. */
export interface LineChange {
  readonly a: number;
  readonly aLines: number;
  readonly b: number;
  readonly bLines: number;
}

/** One of the texts that are compared: its lines, and a number for what counts of each. */
export interface Text {
  readonly lines: readonly string[];
  readonly ids: readonly number[];
}

/** A change while it is moved: the range of lines on either side. */
interface Block {
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
}

/** How far a block may move, and whether it then meets a change of the other side. */
interface Reach {
  readonly steps: number;
  readonly meets: boolean;
}

/**
 * Lines that were only added, or only removed, can often stand in several places: the same lines follow or go before them.
 * Each such change goes next to a change of the other side, so that both become one; else to where the text
 * has a natural seam, which blank lines and indentation tell.
 */
export function placeChanges(changes: readonly LineChange[], a: Text, b: Text): LineChange[] {
  const blocks = changes.map((each) => ({
    a: each.a,
    aEnd: each.a + each.aLines,
    b: each.b,
    bEnd: each.b + each.bLines,
  }));
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at];
    if (!block || isMixed(block)) continue;
    const own = block.aEnd > block.a ? a : b;
    at = place(blocks, at, block, own, own === a);
  }
  return blocks.map((block) => ({
    a: block.a,
    aLines: block.aEnd - block.a,
    b: block.b,
    bLines: block.bEnd - block.b,
  }));
}

const isMixed = ({ a, aEnd, b, bEnd }: Block) => aEnd > a && bEnd > b;

/** Answers the index at which the block, or the one that has taken it in, is then. */
function place(blocks: Block[], at: number, block: Block, own: Text, isRemoval: boolean): number {
  const [start, end] = isRemoval ? [block.a, block.aEnd] : [block.b, block.bEnd];
  const [before, after] = [blocks[at - 1], blocks[at + 1]];
  const up = reach(own, start, end, -1, before && block.a - before.aEnd);
  const down = reach(own, start, end, 1, after ? after.a - block.aEnd : undefined);
  if (after && down.meets) {
    shift(block, down.steps);
    return join(blocks, at, own, isRemoval);
  }
  if (before && up.meets) {
    shift(block, -up.steps);
    return join(blocks, at - 1, own, isRemoval);
  }
  if (up.steps + down.steps > 0) shift(block, bestShift(own.lines, start, end, up.steps, down.steps));
  return at;
}

function shift(block: Block, steps: number): void {
  block.a += steps;
  block.aEnd += steps;
  block.b += steps;
  block.bEnd += steps;
}

/** Makes one change out of two that have nothing between them. One that is still of one side alone is placed anew. */
function join(blocks: Block[], at: number, own: Text, isRemoval: boolean): number {
  const [one, other] = [blocks[at], blocks[at + 1]];
  if (!one || !other) return at;
  one.aEnd = other.aEnd;
  one.bEnd = other.bEnd;
  blocks.splice(at + 1, 1);
  return isMixed(one) ? at : place(blocks, at, one, own, isRemoval);
}

/** `gap` is the number of equal lines up to the next change in that direction; undefined where there is none. */
function reach({ ids }: Text, start: number, end: number, step: 1 | -1, gap: number | undefined): Reach {
  let steps = 0;
  for (; gap === undefined || steps < gap; steps++) {
    const [leaves, enters] = step > 0 ? [start + steps, end + steps] : [end - 1 - steps, start - 1 - steps];
    if (enters < 0 || enters >= ids.length || ids[leaves] !== ids[enters]) break;
  }
  return { steps, meets: gap !== undefined && steps === gap };
}

/** The best of the places between so many steps up and down; of equal ones the lowest. */
function bestShift(lines: readonly string[], start: number, end: number, up: number, down: number): number {
  let best = down;
  let least = Infinity;
  // A change that slides by more than its own length repeats itself.
  const lowest = Math.max(-up, down - (end - start));
  for (let steps = down; steps >= lowest; steps--) {
    const cost = seamCost(lines, start + steps) + seamCost(lines, end + steps);
    if (cost < least) [best, least] = [steps, cost];
  }
  return best;
}

const DEEPER = 100;
const BLANK = 8;
const CLOSING = 6;

/** How badly a text can be cut in front of a line: least at its ends, behind blank lines, and where little is indented. */
function seamCost(lines: readonly string[], at: number): number {
  if (at <= 0 || at >= lines.length) return 0;
  const here = indentOf(lines[at] ?? '');
  const above = indentOf(lines[at - 1] ?? '');
  // A blank line belongs to what is before it.
  if (here === undefined)
    return DEEPER * (nearestIndent(lines, at, 1) ?? 0) + (above === undefined ? 0 : BLANK / 2);
  const outside = nearestIndent(lines, at - 1, -1);
  const cost = DEEPER * here - (above === undefined ? BLANK : 0);
  return outside !== undefined && outside > here ? cost + CLOSING : cost;
}

/** The column of the first character; undefined for a line of blanks. */
function indentOf(line: string): number | undefined {
  const [blanks = ''] = /^\s*/.exec(line) ?? [];
  if (blanks.length === line.length) return undefined;
  return [...blanks].reduce((column, char) => (char === '\t' ? column + 8 - (column % 8) : column + 1), 0);
}

/** The indentation of the nearest line from here on, up or down, that is not blank. */
function nearestIndent(lines: readonly string[], from: number, step: 1 | -1): number | undefined {
  for (let at = from; at >= 0 && at < lines.length; at += step) {
    const indent = indentOf(lines[at] ?? '');
    if (indent !== undefined) return indent;
  }
  return undefined;
}
