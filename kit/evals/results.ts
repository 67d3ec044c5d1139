/** What came of giving one task to one model once. */
export interface RunResult {
  readonly task: string;
  readonly model: string;
  /** Counts from 1. */
  readonly run: number;
  /** Why it did not pass; empty if it did. */
  readonly failures: readonly string[];
  readonly steps: number;
  readonly tokens: number;
  /** US dollars, for the steps that had a price. */
  readonly cost: number;
  readonly ms: number;
  /** The names of the tools that were called, in order. */
  readonly calls: readonly string[];
  /** The path of the recording, relative to the report. */
  readonly recording?: string;
}

/** A task and a model: how often it went well, and what a run costs at the median. */
export interface Cell {
  readonly task: string;
  readonly model: string;
  readonly passed: number;
  readonly runs: number;
  /** The 95 % interval of the pass rate. */
  readonly interval: readonly [low: number, high: number];
  readonly steps: number;
  readonly tokens: number;
  readonly cost: number;
  readonly ms: number;
}

export interface EvalResults {
  readonly vitrineEval: 1;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly runs: readonly RunResult[];
}

/** The cells of a grid, by task and then by model, in the order in which they first occur. */
export function cellsOf(runs: readonly RunResult[]): readonly Cell[] {
  const groups = new Map<string, RunResult[]>();
  for (const run of runs) {
    const key = JSON.stringify([run.task, run.model]);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].flatMap((group): Cell[] => {
    const [first] = group;
    if (!first) return [];
    const passed = group.filter(({ failures }) => failures.length === 0).length;
    const middle = (of: 'steps' | 'tokens' | 'cost' | 'ms') => median(group.map((run) => run[of]));
    return [
      {
        ...{ task: first.task, model: first.model, passed, runs: group.length },
        interval: passRateInterval(passed, group.length),
        ...{ steps: middle('steps'), tokens: middle('tokens'), cost: middle('cost'), ms: middle('ms') },
      },
    ];
  });
}

/** The z value of a two-sided 95 % interval. */
const Z = 1.96;

/**
 * The Wilson score interval of a share. Unlike the plain one it stays between 0 and 1, and says something with few runs
 * and where all of them passed: https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval
 */
export function passRateInterval(passed: number, runs: number): readonly [low: number, high: number] {
  const share = passed / runs;
  const bound = 1 + Z ** 2 / runs;
  const centre = (share + Z ** 2 / (2 * runs)) / bound;
  const half = (Z / bound) * Math.sqrt((share * (1 - share)) / runs + Z ** 2 / (4 * runs ** 2));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = low] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.floor(sorted.length / 2)],
  ];
  return (low + high) / 2;
}

/** How the pass rate of a cell differs from that of an earlier evaluation, in percentage points; absent if it was not there. */
export function changeOf(cell: Cell, earlier: readonly Cell[]): number | undefined {
  const before = earlier.find(({ task, model }) => task === cell.task && model === cell.model);
  return before && Math.round(100 * (cell.passed / cell.runs - before.passed / before.runs));
}

/** Reads the results of an earlier evaluation; `undefined` if the text is none. */
export function readResults(text: string): EvalResults | undefined {
  try {
    const value = JSON.parse(text) as EvalResults;
    return value.vitrineEval === 1 && Array.isArray(value.runs) ? value : undefined;
  } catch {
    return undefined;
  }
}
