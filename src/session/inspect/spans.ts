import type { Call, Hold, Step, Turn } from './timeline.ts';

export type SpanKind = 'model' | 'waiting' | 'tool' | 'retry' | 'held';

/** A piece of an item's bar: where it begins and how long it is, milliseconds since the epoch and milliseconds. */
export interface Piece {
  readonly kind: SpanKind;
  readonly from: number;
  readonly length: number;
}

/** What an item's time went to; `now`: the end of what still lasts. */
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

/** What is left of a piece where the person held it meanwhile: nobody worked then. */
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

/** From the start of a step to `at`, without what the person held it: milliseconds. */
export function workedUntil({ time, holds }: Step, at: number): number {
  const held = holds.reduce((sum, { from, to = at }) => sum + Math.max(0, Math.min(to, at) - from), 0);
  return Math.max(0, at - time - held);
}

/** How long it took, milliseconds: a step its model, a call from its first wait or start to its end. */
export function lengthOf(item: Turn | Step | Call, now: number): number {
  if (item.kind === 'turn') return (item.ended ?? now) - item.time;
  if (item.kind === 'step') return workedUntil(item, item.answered ?? now);
  const [first] = piecesOf(item, now);
  return first ? (item.ended ?? now) - first.from : 0;
}

/** What of a turn went to what, milliseconds; several calls at once count once. */
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
