import type { TurnStatus } from '../../../session/log/events.ts';
import type { SessionRecord } from '../../../session/log/store.ts';
import type { Activity } from '../../state/live-sessions.svelte.ts';

/** The states of a session that the list shows, the most urgent first. */
export const ROW_STATES = ['waiting', 'paused', 'working', 'failed', 'interrupted', 'unseen'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** `ending` tells how the last turn ended if this tab has the session open, since the record may be older. */
export function rowState(
  { state, marks }: SessionRecord,
  activity: Activity | undefined,
  ending: TurnStatus | undefined,
): RowState | null {
  if (activity) return activity;
  const status = ending ?? state.lastTurn?.status;
  if (status === 'error') return 'failed';
  if (status === 'interrupted') return 'interrupted';
  return marks?.unseen ? 'unseen' : null;
}

/** The most urgent of several states. */
export function mostUrgent(states: readonly (RowState | null)[]): RowState | null {
  return ROW_STATES.find((state) => states.includes(state)) ?? null;
}
