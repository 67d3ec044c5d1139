import { expect, test } from 'vitest';
import { scaleOf } from './scale.ts';
import { lengthOf } from './spans.ts';
import type { Call, Step, Turn } from './timeline-items.ts';

const HOUR = 3_600_000;
const turn = (ended: number): Turn => ({
  ...{ kind: 'turn', key: 't', seq: 1, time: 0, prompt: 'Go', children: ['s'] },
  ended,
});
const step = (time: number, answered: number): Step => ({
  ...{ kind: 'step', key: `s${time}`, turn: 't', seq: 2, time, messageID: 'm', step: 0, agent: 'build' },
  ...{ model: { provider: 'scripted', model: 'script' }, answered, holds: [], calls: [] },
  request: { base: null, append: [], system: '', tools: '', settings: {} },
});
const call = (callID: string, given: Partial<Call>): Call => ({
  ...{ kind: 'call', key: callID, of: 's0', seq: 3, time: 0, messageID: 'm', callID, tool: 'bash' },
  ...{ waits: [], runs: [], holds: [], edits: [], ...given },
});
const hold = (from: number, to: number) => ({ pauseID: 'p', point: 'call' as const, from, to });
const wait = (from: number, to?: number) => ({
  ...{ kind: 'permission' as const, requestID: 'r', from },
  ...(to !== undefined && { to }),
});

test('an hour that only the person took is folded; model and tool keep the same scale', () => {
  const asked = call('c1', { waits: [wait(1_000, HOUR)], runs: [{ from: HOUR, to: HOUR + 1_000 }] });
  const scale = scaleOf(turn(HOUR + 1_000), [step(0, 1_000), asked], HOUR + 1_000);
  expect(scale.folds).toEqual([{ kind: 'waiting', from: 1_000, length: HOUR - 1_000 }]);
  const model = scale.at(1_000) - scale.at(0);
  const waited = scale.at(HOUR) - scale.at(1_000);
  const tool = scale.at(HOUR + 1_000) - scale.at(HOUR);
  expect(model).toBeGreaterThan(40);
  expect(tool).toBeCloseTo(model);
  expect(waited).toBeGreaterThan(0);
  expect(model + waited + tool).toBeCloseTo(100);
});

test('nothing is folded while a tool works, and a short wait keeps its length', () => {
  const asked = call('c1', { waits: [wait(1_000, 9_000)], runs: [{ from: 9_000, to: 10_000 }] });
  const beside = call('c2', { runs: [{ from: 1_000, to: 9_000 }] });
  const busy = scaleOf(turn(10_000), [step(0, 1_000), asked, beside], 10_000);
  expect(busy.folds).toEqual([]);
  expect(busy.at(5_000)).toBeCloseTo(50);
  const short = call('c1', { waits: [wait(1_000, 1_100)], runs: [{ from: 1_100, to: 2_000 }] });
  expect(scaleOf(turn(2_000), [step(0, 1_000), short], 2_000).folds).toEqual([]);
});

test('a call that made the one that waits folds with it; what still waits is folded up to now', () => {
  const batch = call('c1', { runs: [{ from: 1_000 }] });
  const made = call('c2', { parent: 'c1', waits: [wait(1_500)] });
  const { ended: _, ...open } = turn(0);
  const scale = scaleOf(open, [step(0, 1_000), batch, made], HOUR);
  expect(scale.folds).toEqual([{ kind: 'waiting', from: 1_500, length: HOUR - 1_500 }]);
  expect(scale.at(1_500)).toBeGreaterThan(80);
});

test('a pause of the person in which nothing asked is not told as a wait for an answer', () => {
  const paused = call('c1', { holds: [hold(1_000, HOUR)], runs: [{ from: HOUR, to: HOUR + 1_000 }] });
  const scale = scaleOf(turn(HOUR + 1_000), [step(0, 1_000), paused], HOUR + 1_000);
  expect(scale.folds).toEqual([{ kind: 'held', from: 1_000, length: HOUR - 1_000 }]);
});

test("a call's duration is without the person's pauses", () => {
  const paused = call('c1', {
    runs: [{ from: 1_000, to: 9_000 }],
    holds: [hold(1_500, 8_500)],
    ended: 9_000,
  });
  expect(lengthOf(paused, 9_000)).toBe(1_000);
});

test('many waits together leave most of the track to what was done', () => {
  const calls = Array.from({ length: 50 }, (_, n) =>
    call(`c${n}`, {
      waits: [wait(n * 60_000, n * 60_000 + 59_000)],
      runs: [{ from: n * 60_000 + 59_000, to: (n + 1) * 60_000 }],
    }),
  );
  const scale = scaleOf(turn(3_000_000), calls, 3_000_000);
  expect(scale.folds).toHaveLength(50);
  const done = calls.reduce((sum, { runs: [run] }) => sum + scale.at(run!.to!) - scale.at(run!.from), 0);
  expect(done).toBeGreaterThan(60);
});
