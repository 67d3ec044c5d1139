import type { Event, EventOf } from './events.ts';

/**
 * Returns the snapshot that shows the files as they were after the first `count` events of a log, if it stands behind
 * them: a snapshot comes a moment after the call that changed files. There is none where a call was running at that
 * moment, or where something else may have changed files before the snapshot was taken.
 */
export function lateSnapshot(log: readonly Event[], count: number): EventOf<'snapshot.taken'> | undefined {
  return changedSinceSnapshot(log, count) ? nextSnapshot(log, count) : undefined;
}

/** The first events of a log, and behind them the snapshot that came late, so that it counts for what they say. */
export function withLate(
  events: readonly Event[],
  late: EventOf<'snapshot.taken'> | undefined,
): readonly Event[] {
  return late ? [...events, { ...late, seq: events.length }] : events;
}

/** Whether a call has ended since the last snapshot of the turn, and none is running. */
function changedSinceSnapshot(log: readonly Event[], count: number): boolean {
  const ended = new Set<string>();
  let isAfterSnapshot = true;
  let changed = false;
  for (let index = count - 1; index >= 0; index--) {
    const event = log[index];
    if (!event || event.type === 'turn.started') break;
    if (event.type === 'snapshot.taken') isAfterSnapshot = false;
    else if (event.type === 'call.ended') {
      ended.add(keyOf(event));
      changed ||= isAfterSnapshot;
    } else if (event.type === 'call.running' && !ended.has(keyOf(event))) return false;
  }
  return changed;
}

function nextSnapshot(log: readonly Event[], count: number): EventOf<'snapshot.taken'> | undefined {
  for (let index = count; index < log.length; index++) {
    const event = log[index];
    // A snapshot before a prompt or a restore includes what the person has changed since the call.
    if (event?.type === 'snapshot.taken') return /^(call|turn)-end$/.test(event.reason) ? event : undefined;
    if (!event || CHANGES_FILES.has(event.type)) return undefined;
  }
  return undefined;
}

/** Events after which a snapshot may show other files. */
const CHANGES_FILES: ReadonlySet<Event['type']> = new Set(['call.running', 'restore.began', 'turn.started']);

function keyOf({ messageID, callID }: { readonly messageID: string; readonly callID: string }): string {
  return `${messageID}/${callID}`;
}
