import { FaultError } from '../../base/fault.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import { lateSnapshot, withLate } from '../log/late-snapshot.ts';
import { isLaterSnapshot } from '../recording/later-files.ts';
import type { RecordedSession, Recording } from '../recording/recording.ts';

/**
 * A recording as it was after the first `count` events of its first session, and the files of that moment: those
 * of the newest list until then. Throws a fault if there is no such moment.
 */
export function recordingAt(
  recording: Recording,
  count: number,
): { readonly recording: Recording; readonly files: readonly SnapshotEntry[] | null } {
  const [own, ...others] = recording.sessions;
  const events = own.events.slice(0, count);
  const last = events.at(-1);
  if (!last || count < 1 || count > own.events.length)
    throw new FaultError({
      code: 'no-such-moment',
      what: `This recording has no moment after ${count} events: it has ${own.events.length}.`,
    });
  const cut = withLate(events, lateSnapshot(own.events, count));
  const laterFiles = recording.laterFiles.slice(0, cut.filter(isLaterSnapshot).length);
  const had = others.flatMap(({ id, events: all }): readonly RecordedSession[] => {
    const before = all.filter(({ time }) => time <= last.time);
    return before.length > 0 ? [{ id, events: before }] : [];
  });
  return {
    recording: { ...recording, laterFiles, sessions: [{ ...own, events: cut }, ...had] },
    files: laterFiles.at(-1)?.entries ?? recording.files,
  };
}
