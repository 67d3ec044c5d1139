import { expect, test } from 'vitest';
import { ManualTimer } from '../../../test/support/manual-timer.ts';
import { EVENT_VERSION, type Event } from '../log/events.ts';
import { feed } from './feed.ts';

const event = (seq: number): Event => ({
  ...{ v: EVENT_VERSION, sessionID: 's', seq, time: seq },
  ...{ type: 'session.titled', title: String(seq) },
});

function following(stored: Event[], known: () => number) {
  const timer = new ManualTimer();
  const taken: number[] = [];
  const failures: unknown[] = [];
  let hear: (events: readonly Event[]) => void = () => undefined;
  let reads = 0;
  const stop = feed({
    read: async (from) => {
      reads++;
      return stored.slice(from);
    },
    listen: (listener) => {
      hear = listener;
      return () => (hear = () => undefined);
    },
    nextSeq: known,
    timer,
    take: (events) => taken.push(...events.map(({ seq }) => seq)),
    failed: (error) => failures.push(error),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    timer,
    taken,
    stop,
    settled,
    hear: (...seqs: number[]) => hear(seqs.map(event)),
    reads: () => reads,
  };
}

test('what is stored comes first, then what happens, each once and in order', async () => {
  const { taken, hear, settled } = following([event(0), event(1), event(2)], () => 3);
  hear(2, 3);
  await settled();
  hear(4);
  expect(taken).toEqual([0, 1, 2, 3, 4]);
});

test('what has happened and is not on disk yet is read again until it is there', async () => {
  const stored = [event(0)];
  const { taken, timer, hear, settled, reads } = following(stored, () => 4);
  await settled();
  hear(3);
  await settled();
  expect(taken).toEqual([0]);
  stored.push(event(1), event(2));
  timer.advance(100);
  await settled();
  await settled();
  expect(taken).toEqual([0, 1, 2, 3]);
  const before = reads();
  timer.advance(5_000);
  await settled();
  expect(reads()).toBe(before);
});

test('nothing is told any more once it is stopped', async () => {
  const { taken, hear, stop, settled } = following([event(0)], () => 1);
  await settled();
  stop();
  hear(1);
  expect(taken).toEqual([0]);
});
