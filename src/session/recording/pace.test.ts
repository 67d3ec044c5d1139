import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Event } from '../log/events.ts';
import { countAt, LONGEST_WAIT_MS, paceOf } from './pace.ts';
import { readRecording } from './read.ts';

const at = (time: number, type: 'turn.ended' | 'prompt.accepted' = 'turn.ended'): Event => ({
  ...(type === 'turn.ended'
    ? { type, status: 'idle' }
    : { type, messageID: 'm', parentID: null, text: '', agent: '', model: { provider: '', model: '' } }),
  v: 1,
  sessionID: 's',
  seq: 0,
  time,
});

test('it begins with the first prompt, keeps short waits and shortens long ones', () => {
  const begins = [at(0), at(9_000, 'prompt.accepted'), at(9_100), at(9_100)];
  const long = [20_000, 30_000, 30_050, 99_000].map((time) => at(time));
  expect(paceOf([...begins, ...long])).toEqual([0, 0, 100, 100, 2_100, 4_100, 4_150, 6_150]);
  expect(LONGEST_WAIT_MS).toBe(2_000);
  expect(paceOf([])).toEqual([]);
});

test('at a moment there is everything up to it', () => {
  const moments = [0, 0, 100, 100, 300];
  expect([-1, 0, 99, 100, 299, 300, 1e9].map((moment) => countAt(moments, moment))).toEqual([
    0, 2, 2, 4, 4, 5, 5,
  ]);
});

const example = async (name: string) => {
  const text = readFileSync(
    new URL(`../../../public/examples/${name}.vitrine.json`, import.meta.url),
    'utf8',
  );
  return (await readRecording(text)).sessions[0].events;
};

test('a recording that took half a second is slowed until a person can follow it, in the same order', async () => {
  const events = await example('small-model');
  const moments = paceOf(events);
  expect((events.at(-1)?.time ?? 0) - (events[0]?.time ?? 0)).toBeLessThan(1_000);
  expect(moments.at(-1)).toBeGreaterThan(8_000);
  expect(moments.at(-1)).toBeLessThan(20_000);
  expect(moments).toEqual(moments.toSorted((a, b) => a - b));
  const ended = events.findIndex(({ type }) => type === 'call.ended');
  const ran = events.findLastIndex(({ type }, index) => type === 'call.running' && index < ended);
  expect((moments[ended] ?? 0) - (moments[ran] ?? 0)).toBeGreaterThan(500);
});

test('a recording of more than a few seconds keeps its pace, and none is slowed beyond a minute', async () => {
  const events = await example('demo');
  const [begins] = events.filter(({ type }) => type === 'prompt.accepted');
  expect(paceOf(events).at(-1)).toBe((events.at(-1)?.time ?? 0) - (begins?.time ?? 0));
  const many = Array.from({ length: 500 }, (_, index) => at(index, 'prompt.accepted'));
  expect(paceOf(many).at(-1)).toBeCloseTo(60_000);
});
