import { expect, test } from 'vitest';
import type { Event } from '../log/events.ts';
import { countAt, LONGEST_WAIT_MS, paceOf } from './pace.ts';

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
  const events = [at(0), at(9_000, 'prompt.accepted'), at(9_100), at(9_100), at(99_000), at(99_050)];
  expect(paceOf(events)).toEqual([0, 0, 100, 100, 100 + LONGEST_WAIT_MS, 150 + LONGEST_WAIT_MS]);
  expect(paceOf([])).toEqual([]);
});

test('at a moment there is everything up to it', () => {
  const moments = [0, 0, 100, 100, 300];
  expect([-1, 0, 99, 100, 299, 300, 1e9].map((moment) => countAt(moments, moment))).toEqual([
    0, 2, 2, 4, 4, 5, 5,
  ]);
});
