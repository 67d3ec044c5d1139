import type { Call, Hold, Step, Turn } from './timeline-items.ts';

export type SpanKind = 'model' | 'waiting' | 'tool' | 'retry' | 'held';

/** A piece of an item's bar: its start in milliseconds since the epoch, and its length in milliseconds. */
export interface Piece {
  readonly kind: SpanKind;
  readonly from: number;
  readonly length: number;
}

/** The pieces of an item's time. `now` is the end of those that still last. */
export function piecesOf(item: Step | Call, now: number): readonly Piece[] {
  const piece = (kind: SpanKind, from: number, to: number | undefined): Piece => ({
    ...{ kind, from },
    length: Math.max(0, (to ?? now) - from),
  });
  if (item.kind === 'step') {
    const { retry } = item;
    const waited = retry && [piece('retry', retry.time, Math.min(now, retry.time + retry.delay))];
    return [
      ...without(item.holds, piece('model', item.time, item.answered), now),
      ...item.holds.map(({ from, to }) => piece('held', from, to)),
      ...(waited ?? []),
    ].sort((a, b) => a.from - b.from);
  }
  return [
    ...item.waits.map(({ from, to }) => piece('waiting', from, to)),
    ...item.runs.flatMap(({ from, to }) => without(item.holds, piece('tool', from, to), now)),
    ...item.holds.map(({ from, to }) => piece('held', from, to)),
  ].sort((a, b) => a.from - b.from);
}

/** The rest of a piece without the person's pauses, since nobody worked then. */
function without(holds: readonly Hold[], whole: Piece, now: number): readonly Piece[] {
  let rest = [whole];
  for (const { from, to = now } of holds)
    rest = rest.flatMap((piece) => {
      const end = piece.from + piece.length;
      if (from >= end || to <= piece.from) return [piece];
      return [
        { ...piece, length: Math.max(0, from - piece.from) },
        { ...piece, from: to, length: Math.max(0, end - to) },
      ].filter(({ length }) => length > 0);
    });
  return rest;
}

/** The time from the start of a step to `at` without the person's pauses, in milliseconds. */
export function workedUntil({ time, holds }: Step, at: number): number {
  return Math.max(0, at - time - heldUntil(holds, at));
}

function heldUntil(holds: readonly Hold[], at: number): number {
  return holds.reduce((sum, { from, to = at }) => sum + Math.max(0, Math.min(to, at) - from), 0);
}

/**
 * The duration in milliseconds. A step lasts while its model works, a call from its first wait or start to
 * its end; the person's pauses do not count.
 */
export function lengthOf(item: Turn | Step | Call, now: number): number {
  if (item.kind === 'turn') return (item.ended ?? now) - item.time;
  if (item.kind === 'step') return workedUntil(item, item.answered ?? now);
  const [first] = piecesOf(item, now);
  const end = item.ended ?? now;
  return first ? Math.max(0, end - first.from - heldUntil(item.holds, end)) : 0;
}

/** The total time of each kind in milliseconds; parallel calls count once. */
export function totalsOf(items: readonly (Step | Call)[], now: number): Readonly<Record<SpanKind, number>> {
  const pieces = items.flatMap((item) => piecesOf(item, now));
  const total = (kind: SpanKind) => covered(pieces.filter((piece) => piece.kind === kind));
  return {
    ...{ model: total('model'), waiting: total('waiting'), tool: total('tool') },
    ...{ retry: total('retry'), held: total('held') },
  };
}

function covered(pieces: readonly Piece[]): number {
  let sum = 0;
  let end = -Infinity;
  for (const { from, length } of pieces.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, from + length - Math.max(from, end));
    end = Math.max(end, from + length);
  }
  return sum;
}
