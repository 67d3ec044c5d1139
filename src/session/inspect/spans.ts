import type { Call, Step, Turn } from './timeline.ts';

export type SpanKind = 'model' | 'waiting' | 'tool' | 'retry';

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
    return [piece('model', item.time, item.answered), ...(waited ?? [])];
  }
  return [
    ...item.waits.map(({ from, to }) => piece('waiting', from, to)),
    ...item.runs.map(({ from, to }) => piece('tool', from, to)),
  ].sort((a, b) => a.from - b.from);
}

/** How long it took, milliseconds: a step its model, a call from its first wait or start to its end. */
export function lengthOf(item: Turn | Step | Call, now: number): number {
  if (item.kind === 'turn') return (item.ended ?? now) - item.time;
  if (item.kind === 'step') return (item.answered ?? now) - item.time;
  const [first] = piecesOf(item, now);
  return first ? (item.ended ?? now) - first.from : 0;
}

/** What of a turn went to what, milliseconds; several calls at once count once. */
export function totalsOf(items: readonly (Step | Call)[], now: number): Readonly<Record<SpanKind, number>> {
  const pieces = items.flatMap((item) => piecesOf(item, now));
  const total = (kind: SpanKind) => covered(pieces.filter((piece) => piece.kind === kind));
  return { model: total('model'), waiting: total('waiting'), tool: total('tool'), retry: total('retry') };
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
