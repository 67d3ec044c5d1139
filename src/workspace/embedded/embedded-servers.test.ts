import { expect, test } from 'vitest';
import { ManualTimer } from '../../../test/support/manual-timer.ts';
import { EmbeddedServers } from './embedded-servers.ts';

function servers() {
  const timer = new ManualTimer();
  const made = new EmbeddedServers(async () => {}, timer);
  const reports: number[][] = [];
  made.onChange(() => reports.push(made.list().map(({ port }) => port)));
  return { made, timer, reports };
}

test('a port that a program only tries out is not reported, and the server that follows is, once', () => {
  const { made, timer, reports } = servers();
  for (const ports of [[5173], [], [5173], []]) made.heard(ports);
  timer.advance(10_000);
  expect(reports).toEqual([]);
  made.heard([5173]);
  expect(made.list()).toEqual([{ port: 5173 }]);
  timer.advance(99);
  expect(reports).toEqual([]);
  timer.advance(1);
  made.heard([5173]);
  timer.advance(10_000);
  expect(reports).toEqual([[5173]]);
});

test('the end of a server is reported at once, and its next start again after a moment', () => {
  const { made, timer, reports } = servers();
  made.heard([3000, 5173]);
  timer.advance(100);
  made.heard([3000]);
  expect(reports.at(-1)).toEqual([3000]);
  made.heard([3000, 5173]);
  made.heard([5173]);
  expect(reports.at(-1)).toEqual([5173]);
  const before = reports.length;
  timer.advance(100);
  expect(reports.slice(before)).toEqual([[5173]]);
});
