import { lengthOf, piecesOf, type Piece } from './spans.ts';
import type { Call, Step, Turn } from './timeline-items.ts';
import type { Timeline } from './timeline.ts';

/** A period of time, in milliseconds. */
interface Period {
  readonly from: number;
  readonly length: number;
}

/** A period of a turn in which only the person was awaited, drawn shorter than it was. */
export interface Fold extends Period {
  /** `held` if the person had paused all that time, and nothing asked them anything. */
  readonly kind: 'waiting' | 'held';
}

/** Maps the times of a turn to positions on its track. */
export interface Scale {
  readonly folds: readonly Fold[];
  /** The position of a time, in percent of the track: 0 to 100. */
  at(time: number): number;
}

/** A folded period takes at most this part of the working time. */
const SHARE = 1 / 8;
/** All folded periods together take at most this part of the working time. */
const SHARE_OF_ALL = 1 / 2;

/**
 * The scale of a turn with these steps and calls. People answer in seconds or hours, models and tools within
 * seconds. So periods in which only the person was awaited are folded, and the other bars stay visible.
 */
export function scaleOf(turn: Turn, items: readonly (Step | Call)[], now: number): Scale {
  const whole = Math.max(1, lengthOf(turn, now));
  const alone = awaitedAlone(items, now).filter(({ length }) => length > 0);
  const done = Math.max(1, whole - sumOf(alone));
  const most = done * Math.min(SHARE, SHARE_OF_ALL / Math.max(1, alone.length));
  const folds = alone
    .filter(({ length }) => length > most)
    .map((period) => ({ ...period, kind: kindOf(period, items, now) }));
  const track = whole - sumOf(folds) + most * folds.length;
  return {
    folds,
    at(time) {
      const hidden = folds.reduce((sum, { from, length }) => {
        const passed = Math.min(Math.max(0, time - from), length);
        return sum + passed * (1 - most / length);
      }, 0);
      return Math.min(100, Math.max(0, (100 * (time - turn.time - hidden)) / track));
    },
  };
}

/** The scales of a timeline's turns at this moment; each is made when it is first needed. */
export function scalesOf(timeline: Timeline, now: number): (turn: Turn) => Scale {
  const made = new Map<string, Scale>();
  return (turn) => {
    const known = made.get(turn.key);
    if (known) return known;
    const calls = timeline.stepsOf(turn).flatMap((step) => timeline.callsOf(step));
    const scale = scaleOf(turn, [...timeline.childrenOf(turn), ...calls], now);
    made.set(turn.key, scale);
    return scale;
  };
}

function kindOf({ from, length }: Period, items: readonly (Step | Call)[], now: number): Fold['kind'] {
  const waits = items.flatMap((item) => piecesOf(item, now)).filter(({ kind }) => kind === 'waiting');
  const isAsked = waits.some((wait) => wait.from < from + length && wait.from + wait.length > from);
  return isAsked ? 'waiting' : 'held';
}

/** The periods in which the person is awaited and neither a model nor a tool works, in order. */
function awaitedAlone(items: readonly (Step | Call)[], now: number): readonly Period[] {
  const makers = new Set(items.flatMap((item) => (item.kind === 'call' ? (item.parent ?? []) : [])));
  const awaited: Piece[] = [];
  const busy: Piece[] = [];
  for (const item of items)
    for (const piece of piecesOf(item, now)) {
      if (piece.kind === 'waiting' || piece.kind === 'held') awaited.push(piece);
      // A call that makes other calls only waits while one of them works.
      else if (item.kind !== 'call' || !makers.has(item.callID)) busy.push(piece);
    }
  return joined(awaited).flatMap((stretch) => without(stretch, busy));
}

function joined(pieces: readonly Period[]): readonly Period[] {
  const stretches: { from: number; length: number }[] = [];
  for (const { from, length } of pieces.toSorted((a, b) => a.from - b.from)) {
    const last = stretches.at(-1);
    if (last && from <= last.from + last.length)
      last.length = Math.max(last.length, from + length - last.from);
    else stretches.push({ from, length });
  }
  return stretches;
}

function without(stretch: Period, busy: readonly Piece[]): readonly Period[] {
  const end = stretch.from + stretch.length;
  const left: Period[] = [];
  let from = stretch.from;
  for (const work of joined(busy)) {
    if (work.from >= end || work.from + work.length <= from) continue;
    left.push({ from, length: Math.max(0, work.from - from) });
    from = work.from + work.length;
  }
  return [...left, { from, length: Math.max(0, end - from) }];
}

function sumOf(folds: readonly Period[]): number {
  return folds.reduce((sum, { length }) => sum + length, 0);
}
