import { piecesOf } from './spans.ts';
import type { Call } from './timeline-items.ts';

/** The stations of a call, in order. */
export const STATIONS = ['registered', 'resolved', 'pending', 'permitted', 'running', 'ended'] as const;
export type StationName = (typeof STATIONS)[number];

export interface Station {
  readonly name: StationName;
  /**
   * `passed`: the call was here; `now`: it is here; `skipped`: it went past (nobody was asked, or nothing
   * ran); `failed`: it failed here; `ahead`: it has not come this far.
   */
  readonly state: 'passed' | 'now' | 'skipped' | 'failed' | 'ahead';
  /** When the call arrived here, in milliseconds since the epoch; absent if it never did. */
  readonly at?: number;
  /** How long the call waited or ran here, in milliseconds; absent if the log does not tell. */
  readonly length?: number;
}

/** The stations of a call. `now` is the end of spans that still last. */
export function lifeOf(call: Call, now: number): readonly Station[] {
  const { time, resolved, waits, ruled, runs, ended, outcome } = call;
  const open = ended === undefined;
  const waiting = open && waits.some(({ to }) => to === undefined);
  const queued = open && waits.length === 0 && runs.length === 0;
  /** Whether the tool runs now or, if the call has ended, whether it ever ran. */
  const ran = runs.length > 0 && (!open || runs.at(-1)?.to === undefined);
  const refused = waits.some((wait) => wait.refused) || ruled?.action === 'deny';
  const answered = waits.findLast(({ to, refused: no }) => to !== undefined && !no);
  const permittedAt = answered?.to ?? ruled?.time ?? runs[0]?.from;
  const sum = (spans: readonly { from: number; to?: number }[]) =>
    spans.reduce((length, { from, to }) => length + (to ?? now) - from, 0);
  const later = (state: 'skipped' | 'ahead') => (open ? 'ahead' : state);
  const worked = piecesOf(call, now).reduce(
    (all, { kind, length }) => all + (kind === 'tool' ? length : 0),
    0,
  );
  return [
    { name: 'registered', state: open && resolved === undefined ? 'now' : 'passed', at: time },
    {
      name: 'resolved',
      ...(call.invalid || outcome === 'invalid'
        ? { state: 'failed' }
        : { state: resolved === undefined ? later('skipped') : queued ? 'now' : 'passed' }),
      ...(resolved !== undefined && { at: resolved }),
    },
    waits[0]
      ? { name: 'pending', state: waiting ? 'now' : 'passed', at: waits[0].from, length: sum(waits) }
      : { name: 'pending', state: permittedAt === undefined ? later('skipped') : 'skipped' },
    {
      name: 'permitted',
      ...(refused
        ? { state: 'failed', at: waits.findLast((wait) => wait.refused)?.to ?? ruled?.time ?? now }
        : permittedAt === undefined || waiting
          ? { state: later('skipped') }
          : { state: open && !ran ? 'now' : 'passed', at: permittedAt }),
    },
    runs[0]
      ? {
          ...{ name: 'running', state: open && ran ? 'now' : 'passed', at: runs[0].from },
          // A log that ends with a call does not tell how long the call ran.
          ...(!(open && worked === 0) && { length: worked }),
        }
      : { name: 'running', state: later('skipped') },
    {
      name: 'ended',
      state: open ? 'ahead' : stateOf(call) === 'done' ? 'passed' : 'failed',
      ...(ended !== undefined && { at: ended }),
    },
  ];
}

/** The state of a call, in the terms used for all items. */
export function stateOf(
  call: Call,
): 'thinking' | 'running' | 'waiting' | 'held' | 'done' | 'failed' | 'stopped' {
  const { outcome, failedExit, waits, runs, holds } = call;
  if (outcome === 'ok') return failedExit === undefined ? 'done' : 'failed';
  if (outcome === 'cancelled' || outcome === 'interrupted') return 'stopped';
  if (outcome !== undefined) return 'failed';
  if (waits.some(({ to }) => to === undefined)) return 'waiting';
  if (holds.some(({ to }) => to === undefined)) return 'held';
  return runs.length > 0 ? 'running' : 'thinking';
}
