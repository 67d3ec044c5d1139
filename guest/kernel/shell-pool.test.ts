import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FromShell, ToShell, WorkerPeer } from '../shared/protocol.ts';
import { ShellPool } from './shell-pool.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A pool, and for each worker that it started a function that says that the worker is ready. */
function pool() {
  const started: (() => void)[] = [];
  const start = (): WorkerPeer<ToShell, FromShell> => ({
    post() {},
    onMessage: (listener) => void started.push(() => listener({ kind: 'ready' })),
    onFailure() {},
    terminate() {},
  });
  return { shells: new ShellPool(start), started };
}

test('a second worker is started when the first has been ready for a while', async () => {
  const { started } = pool();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(started).toHaveLength(1);
  started[0]?.();
  await vi.advanceTimersByTimeAsync(900);
  expect(started).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(started).toHaveLength(2);
});

test.each(['before', 'after'])(
  'a command that begins %s the worker is ready has one other kept',
  async (when) => {
    const { shells, started } = pool();
    if (when === 'after') started[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    shells.take();
    started[0]?.();
    expect(started).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(started).toHaveLength(2);
  },
);
