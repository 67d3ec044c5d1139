import { expect, test } from 'vitest';
import type { Event } from './events.ts';
import { lateSnapshot, withLate } from './late-snapshot.ts';

/** A log of these types, with a call's id or a snapshot's reason behind a colon. */
function logOf(...entries: readonly string[]): readonly Event[] {
  return entries.map((entry, seq) => {
    const [type, detail] = entry.split(':');
    const about = type === 'snapshot.taken' ? { reason: detail ?? 'call-end' } : { callID: detail };
    return { seq, time: seq, type, messageID: 'msg_1', ...about } as never;
  });
}

const seqAt = (log: readonly Event[], count: number) => lateSnapshot(log, count)?.seq;

test('the snapshot after a call holds from the end of the call on', () => {
  const log = logOf(
    'turn.started',
    'call.running:a',
    'call.ended:a',
    'step.ended',
    'snapshot.taken',
    'turn.ended',
  );
  expect([1, 2, 3, 4, 5, 6].map((count) => seqAt(log, count))).toEqual([
    undefined,
    undefined,
    4,
    4,
    undefined,
    undefined,
  ]);
});

test('there is none while another call runs, and none that was taken after another call began', () => {
  const parallel = logOf(
    'turn.started',
    'call.running:a',
    'call.running:b',
    'call.ended:a',
    'snapshot.taken',
  );
  expect(seqAt(parallel, 4)).toBeUndefined();
  const next = logOf('turn.started', 'call.running:a', 'call.ended:a', 'call.running:b', 'snapshot.taken');
  expect(seqAt(next, 3)).toBeUndefined();
});

test.for(['restore.began', 'turn.started'])('there is none behind %s', (type) => {
  const log = logOf('turn.started', 'call.running:a', 'call.ended:a', type, 'snapshot.taken');
  expect(seqAt(log, 3)).toBeUndefined();
});

test.for(['restore', 'turn-start'])('a snapshot for %s holds what the person changed since', (reason) => {
  const log = logOf(
    'turn.started',
    'call.running:a',
    'call.ended:a',
    'turn.ended',
    `snapshot.taken:${reason}`,
  );
  expect(seqAt(log, 3)).toBeUndefined();
});

test('there is none where no call has ended since the last snapshot', () => {
  const log = logOf(
    'turn.started',
    'call.running:a',
    'call.ended:a',
    'snapshot.taken',
    'step.ended',
    'snapshot.taken',
  );
  expect(seqAt(log, 5)).toBeUndefined();
});

test('a late snapshot is the next event of the log that is cut before it', () => {
  const log = logOf('turn.started', 'call.running:a', 'call.ended:a', 'step.ended', 'snapshot.taken');
  expect(
    withLate(log.slice(0, 3), lateSnapshot(log, 3))
      .map(({ type, seq }) => [type, seq])
      .at(-1),
  ).toEqual(['snapshot.taken', 3]);
});
