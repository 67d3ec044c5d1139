import type { Commit } from '../kit/objects.ts';
import type { CommitText } from './print.ts';

/** A line of history between two commits, while it is on its way from a place of one row to its column. */
interface Strand {
  /** The place in the row; columns are at the even ones. */
  x: number;
  /** The column that it leads to. */
  readonly column: number;
}

/** How the lines of history run past one commit, and on from it to its parents. */
interface Step {
  readonly commit: string;
  readonly parents: readonly string[];
  /** For each column, the id of the commit that its line leads to: above this commit, and below it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The column of the commit. */
  readonly index: number;
  /** Whether the line to the first parent of a merge runs to the left of the commit. */
  readonly leansLeft: boolean;
  /** How many places the columns to the right of a merge have to make room for. */
  readonly spread: number;
  /** Where the lines of history are below the commit. */
  readonly strands: readonly Strand[];
  readonly width: number;
}

/** Where line ends stand that the texts have not: after each commit, between commits, or nowhere for an empty format. */
export type LineEnds = 'after' | 'between' | 'nowhere';

type Row = 'none' | 'commit' | 'opening' | 'fan' | 'slope';

/**
 * Draws the lines of `git log --graph`. For each commit these rows follow each other: those that make room for a merge of
 * many, that of the commit, that in which a merge fans out, and those in which lines slope down to the left into their columns.
 */
export class Graph {
  readonly #parentsOf: (commit: Commit) => readonly string[];
  readonly #ends: ReadonlySet<string>;
  #columns: readonly string[] = [];
  #last: Row = 'none';
  /** Whether the message before had no line end. */
  #isOpen = false;
  #previous: Pick<Step, 'index' | 'spread'> = { index: 0, spread: 0 };
  /** The columns that lines have reached from the right in the row that was drawn last. */
  #reached: ReadonlySet<number> = new Set();

  /**
   * `commits` are all that will be shown: lines lead only to these, or to what they would lead to. `ends` are those that
   * are shown only because the history goes on there.
   */
  constructor(
    commits: readonly Commit[],
    hidden: ReadonlySet<string>,
    isLimited: boolean,
    ends: ReadonlySet<string> = new Set(),
  ) {
    this.#ends = ends;
    const shown = new Set(commits.map(({ oid }) => oid));
    this.#parentsOf = ({ parents }) =>
      [...new Set(parents)].filter((oid) => (isLimited ? shown.has(oid) : !hidden.has(oid)));
  }

  /** The lines of a commit: its message and its changes, with the graph to the left of each line. */
  lines(commit: Commit, parts: readonly CommitText[], ends: LineEnds): string {
    const isFirst = this.#last === 'none';
    const step = stepOf(commit.oid, this.#parentsOf(commit), this.#columns);
    const opening = [...this.#openings(step)];
    const wide = (row: string) => row.padEnd(step.width);
    const straight = wide(step.after.map(() => '| ').join(''));
    let text = '';
    if (ends === 'between' && !isFirst) {
      // A separator ends the line of the message before, or is a line of its own.
      if (!this.#isOpen) text += wide(opening.shift() ?? padding(step));
      text += '\n';
    }
    text += opening.map((row) => `${wide(row)}\n`).join('') + wide(this.#commitRow(step));
    const rows = [...this.#rowsBelow(step)];
    for (const [at, { message, changes }] of parts.entries()) {
      if (at > 0) text += (ends === 'between' ? `${this.#isOpen ? '' : straight}\n` : '') + straight;
      this.#isOpen = !message.endsWith('\n');
      text += this.#besideRows(message, rows.splice(0).map(wide), straight);
      if (ends === 'after') text += this.#isOpen ? '\n' : `${straight}\n`;
      text += changes.replace(/^(?=[^])/gm, straight);
    }
    this.#columns = step.after;
    this.#previous = step;
    return text;
  }

  /** Rows for which the message has no line follow it. */
  #besideRows(message: string, rows: string[], straight: string): string {
    const text = message.replace(/\n(?=[^])/g, () => `\n${rows.shift() ?? straight}`);
    if (rows.length === 0) return text;
    const end = this.#isOpen ? '' : '\n';
    return `${text}${this.#isOpen ? '\n' : ''}${rows.join('\n')}${end}`;
  }

  /** A merge of three and more pushes the columns to its right away first, by one place a row. */
  *#openings({ before, parents, index, leansLeft, commit }: Step): Generator<string> {
    if (parents.length < 3 || index >= before.length - 1) return;
    const rows = 2 * dashes(parents.length, leansLeft);
    for (let at = 0; at < rows; at++) {
      const wasFan = this.#last === 'fan';
      yield before
        .map((column, place) => {
          if (column === commit) return `|${' '.repeat(at)} `;
          const isPushed = place > index && (at > 0 || (wasFan && this.#previous.index < place));
          return isPushed ? '\\ ' : '| ';
        })
        .join('');
      this.#last = 'opening';
    }
  }

  #commitRow(step: Step): string {
    const { parents, index, leansLeft, spread } = step;
    const cells = columnsOf(step).map((_, at) => {
      if (at === index) {
        // Further parents of a merge of many hang at the end of a dashed line.
        const count = parents.length > 2 ? dashes(parents.length, leansLeft) : 0;
        return count > 0 ? `*${'-'.repeat(2 * count - 1)}.` : this.#ends.has(step.commit) ? 'o' : '*';
      }
      if (at > index && spread > 1) return '\\';
      if (at > index && spread === 1) return this.#wasPushed(at) ? '\\' : '|';
      return this.#slopesOn(step, at) ? '/' : '|';
    });
    return cells.map((cell) => `${cell} `).join('');
  }

  /** Whether the merge in the row above has pushed a column to the right. */
  #wasPushed(at: number): boolean {
    return this.#last === 'fan' && this.#previous.spread > 0 && this.#previous.index < at;
  }

  /** Whether a line that sloped towards a column in the row above goes on behind it. */
  #slopesOn({ strands }: Step, at: number): boolean {
    const here = strands.find(({ x }) => x === 2 * at)?.column ?? -1;
    return this.#last === 'slope' && this.#reached.has(at) && here < at;
  }

  *#rowsBelow(step: Step): Generator<string> {
    this.#last = 'commit';
    if (step.parents.length > 1) {
      yield fanRow(step);
      this.#last = 'fan';
    }
    let strands = step.strands;
    while (strands.some(({ x, column }) => Math.floor(x / 2) !== column)) {
      const slope = slopeRow(strands);
      yield slope.row;
      strands = slope.strands;
      this.#reached = slope.reached;
      this.#last = 'slope';
    }
  }
}

/** The columns in the row of a commit, which may begin one of its own. */
function columnsOf({ before, commit, index }: Step): readonly string[] {
  return index === before.length ? [...before, commit] : before;
}

function dashes(parents: number, leansLeft: boolean): number {
  return parents - (leansLeft ? 3 : 2);
}

function padding(step: Step): string {
  const { before, parents, commit } = step;
  const room = ' '.repeat(Math.max(0, 2 * (parents.length - 2)));
  return before.map((column) => (column === commit && room !== '' ? `|${room}` : '| ')).join('');
}

function stepOf(commit: string, parents: readonly string[], before: readonly string[]): Step {
  const found = before.indexOf(commit);
  const index = found < 0 ? before.length : found;
  const after: string[] = [];
  const strands: Strand[] = [];
  let [x, spread, leansLeft] = [0, 0, false];
  const columnOf = (oid: string): number => {
    const known = after.indexOf(oid);
    return known < 0 ? after.push(oid) - 1 : known;
  };
  const run = (oid: string): void => {
    const column = columnOf(oid);
    // The outermost line of a merge runs straight into one that leads to the same commit.
    if (spread > 0 && strands.find((each) => each.x === x - 2)?.column === column) spread = -1;
    else {
      strands.push({ x, column });
      x += 2;
    }
  };
  const merge = (first: string): void => {
    const column = columnOf(first);
    const distance = index - column;
    leansLeft = distance > 0;
    spread = parents.length - (leansLeft ? 2 : 1);
    if (!leansLeft) {
      strands.push({ x, column });
      x += 2;
    } else strands.push({ x: distance > 1 ? x - 2 * distance + 3 : x - 1, column });
  };
  [...before.slice(0, index), commit, ...before.slice(index + 1)].forEach((oid, at) => {
    if (at !== index) run(oid);
    else if (parents.length === 0) x += 2;
    else
      parents.forEach((parent, which) => (which === 0 && parents.length > 1 ? merge(parent) : run(parent)));
  });
  return { commit, parents, before, after, index, leansLeft, spread, strands, width: x };
}

/** The row below a merge, in which its lines part. */
function fanRow(step: Step): string {
  const { parents, index, leansLeft, spread } = step;
  const columns = columnsOf(step);
  const first = columns.indexOf(parents[0] ?? '');
  const cells = columns.map((_, at) => {
    if (at > index) return spread > 0 ? '\\ ' : '| ';
    if (at === index) return fan(parents.length, leansLeft, spread);
    if (leansLeft && at === index - 1) return '|';
    // The line to a parent far to the left runs below the columns between.
    return first >= 0 && at > first ? '|_' : '| ';
  });
  return cells.join('');
}

function fan(parents: number, leansLeft: boolean, spread: number): string {
  const strokes = leansLeft ? ['/', '|'] : ['|'];
  while (strokes.length < parents) strokes.push('\\');
  // The strokes stand close together up to the first that runs to the right; from there on a column apart.
  const lastClose = leansLeft ? 1 : 0;
  const row = strokes.slice(0, parents).map((stroke, at) => {
    const isSpaced = at > lastClose && (spread > 0 || at < parents - 1);
    return isSpaced ? `${stroke} ` : stroke;
  });
  return row.join('') + (spread === 0 ? ' ' : '');
}

interface Slope {
  readonly row: string;
  readonly strands: readonly Strand[];
  readonly reached: ReadonlySet<number>;
}

/** A row in which every line that is not in its column comes nearer to it; the leftmost of them goes as far as it can at once. */
function slopeRow(strands: readonly Strand[]): Slope {
  const cells = new Map<
    number,
    { readonly column: number; readonly stroke: string; readonly stays: boolean }
  >();
  let runner: number | undefined;
  for (const { x, column } of [...strands].sort((one, other) => one.x - other.x)) {
    const goal = 2 * column;
    if (x === goal) {
      cells.set(x, { column, stroke: '|', stays: true });
      continue;
    }
    const beside = cells.get(x - 1);
    // Where the neighbour leads to the same column, both are one from here on.
    if (beside?.column === column) continue;
    const to = beside ? x - 2 : x - 1;
    if (to === goal) cells.set(to, { column, stroke: '|', stays: true });
    else if (runner === column) cells.set(to, { column, stroke: '_', stays: to === goal + 3 });
    else {
      const isFirst = runner === undefined;
      const runs = isFirst && goal + 3 < x - 2;
      cells.set(to, { column, stroke: '/', stays: !runs });
      if (isFirst)
        for (let at = goal + 3; at < x - 2; at += 2)
          cells.set(at, { column, stroke: '_', stays: at === goal + 3 });
    }
    runner ??= column;
  }
  const ends = [...cells].sort(([one], [other]) => one - other);
  const row = Array.from({ length: (ends.at(-1)?.[0] ?? -1) + 1 }, (_, at) => cells.get(at)?.stroke ?? ' ');
  return {
    row: row.join(''),
    strands: ends.flatMap(([x, { column, stays }]) => (stays ? [{ x, column }] : [])),
    reached: new Set(ends.flatMap(([x, { column }]) => (x === 2 * column + 1 ? [column] : []))),
  };
}
