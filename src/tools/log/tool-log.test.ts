import { expect, test } from 'vitest';
import { steppingClock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { EndedCall } from '../hooks.ts';
import { percentile } from './metrics.ts';
import { KEPT_RECORDS, logAsJSON, ToolLog } from './tool-log.ts';

const made = () =>
  new ToolLog({ clock: steppingClock(), mask: (text) => text.replaceAll('hunter2', '[secret]') });

const end = (log: ToolLog, call: Partial<EndedCall> = {}, output = 'done', metadata: JsonObject = {}) =>
  log.hooks['tool.execute.after']?.(
    {
      tool: 'bash',
      sessionID: 'ses_1',
      messageID: 'msg_1',
      callID: 'c1',
      agent: 'build',
      args: { command: 'ls' },
      outcome: 'ok',
      durationMs: 10,
      ...call,
    },
    { title: '', output, metadata },
  );

test('a call becomes a record without its secrets, texts cut', () => {
  const log = made();
  let heard = 0;
  log.onChange(() => heard++);
  const content = 'x'.repeat(10_000);
  void end(
    log,
    { args: { command: 'login hunter2', deep: [{ hunter2: 1, apiKey: 'short' }], content } },
    `hunter2 ${content}`,
  );
  const [record] = log.records();
  expect(record).toMatchObject({
    id: 0,
    service: 'tool.bash',
    event: 'call',
    duration: 10,
    success: true,
    outcome: 'ok',
    sessionID: 'ses_1',
    args: {
      command: 'login [secret]',
      deep: [{ '[secret]': 1, apiKey: '[secret]' }],
      content: `${'x'.repeat(500)}… (10000 characters)`,
    },
  });
  expect(record?.result).toMatch(/^\[secret\] x+…$/);
  expect(record?.result?.length).toBe(2_001);
  expect(heard).toBe(1);
  expect(logAsJSON(log.records(), log.metrics())).not.toContain('hunter2');
});

test('only the newest are kept; the counts hold all', () => {
  const log = made();
  for (let n = 0; n < KEPT_RECORDS + 5; n++) void end(log, { callID: `c${n}` });
  expect(log.records()).toHaveLength(KEPT_RECORDS);
  expect(log.records()[0]?.callID).toBe('c5');
  expect(log.metrics()[0]?.count).toBe(KEPT_RECORDS + 5);
  log.clear();
  expect(log.records()).toEqual([]);
  expect(log.metrics()[0]?.count).toBe(KEPT_RECORDS + 5);
});

test('what is counted', () => {
  const log = made();
  for (let ms = 1; ms <= 100; ms++) void end(log, { durationMs: ms });
  void end(log, { outcome: 'failed', durationMs: 1, faultCode: 'timeout' });
  void end(log, { outcome: 'ok', durationMs: 1 }, '', { ended: 'timeout' });
  void end(log, { outcome: 'invalid', durationMs: 0 });
  void end(log, { outcome: 'denied', durationMs: 0 });
  void end(log, { outcome: 'cancelled', durationMs: 9_999 });
  log.started('bash', 30);
  log.started('bash', 2);
  log.started('read', 4);
  expect(log.metrics()).toEqual([
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
    expect.objectContaining({
      tool: 'read',
      count: 0,
      avgDuration: 0,
      p95: 0,
      startup: { first: 4, last: 4 },
    }),
  ]);
  const starts = log.records().filter(({ event }) => event === 'start');
  expect(starts.map(({ service, duration }) => [service, duration])).toEqual([
    ['tool.bash', 30],
    ['tool.read', 4],
  ]);
});

test('percentiles', () => {
  expect(percentile([], 0.95)).toBe(0);
  expect(percentile([7], 0.95)).toBe(7);
  expect(percentile([3, 1, 2], 0.5)).toBe(2);
});
