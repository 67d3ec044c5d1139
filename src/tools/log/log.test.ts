import { expect, test } from 'vitest';
import { steppingClock } from '../../base/clock.ts';
import { metricsOf, percentile } from './metrics.ts';
import { byTime, type ToolRecord } from './record.ts';
import { ToolStarts } from './starts.ts';

let next = 0;
const called = (part: Partial<ToolRecord> = {}): ToolRecord => ({
  ...{ id: next++, service: 'tool.bash', event: 'call', time: 0, duration: 10 },
  ...{ success: true, outcome: 'ok', timedOut: false },
  ...part,
});

test('statistics are counted per tool', () => {
  const starts = new ToolStarts(steppingClock(0));
  let heard = 0;
  starts.onChange(() => heard++);
  starts.started('bash', 30);
  starts.started('bash', 2);
  starts.started('read', 4);
  const calls = [
    ...Array.from({ length: 100 }, (_, at) => called({ duration: at + 1 })),
    called({ outcome: 'failed', duration: 1, timedOut: true }),
    called({ duration: 1, timedOut: true }),
    called({ outcome: 'invalid', duration: 0 }),
    called({ outcome: 'denied', duration: 0 }),
    called({ outcome: 'cancelled', duration: 9_999 }),
  ];
  const records = byTime(starts.records(), calls);
  expect(metricsOf(records, starts.startups())).toEqual([
    {
      tool: 'bash',
      count: 105,
      avgDuration: 5052 / 102,
      p95: 95,
      errors: 2,
      timeouts: 2,
      denials: 1,
      startup: { first: 30, last: 2 },
    },
    {
      ...{ tool: 'read', count: 0, avgDuration: 0, p95: 0, errors: 0, timeouts: 0, denials: 0 },
      startup: { first: 4, last: 4 },
    },
  ]);
  const made = records.filter(({ event }) => event === 'start');
  expect(made.map(({ service, duration }) => [service, duration])).toEqual([
    ['tool.bash', 30],
    ['tool.read', 4],
  ]);
  expect(heard).toBe(3);
});

test('percentiles', () => {
  expect(percentile([], 0.95)).toBe(0);
  expect(percentile([7], 0.95)).toBe(7);
  expect(percentile([3, 1, 2], 0.5)).toBe(2);
});
