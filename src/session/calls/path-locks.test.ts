import { expect, test } from 'vitest';
import { PermissionCancelled } from '../../permissions/types.ts';
import { PathLocks } from './path-locks.ts';

const never = new AbortController().signal;
/** Whether the promise is still pending after everything that can continue has done so. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let open = true;
  void promise.then(
    () => (open = false),
    () => (open = false),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return open;
}

test('one path is held by one at a time, in order; other paths are free', async () => {
  const locks = new PathLocks();
  const first = await locks.acquire('a', never);
  const second = locks.acquire('a', never);
  expect(await isOpen(second)).toBe(true);
  (await locks.acquire('b', never))();
  first();
  (await second)();
});

test('all paths are had once none is held, and nobody gets one until they are let go', async () => {
  const locks = new PathLocks();
  const one = await locks.acquire('a', never);
  const all = locks.acquireAll(never);
  expect(await isOpen(all)).toBe(true);
  // A call that holds a path may still get another one: otherwise both would wait forever.
  const two = await locks.acquire('b', never);
  one();
  expect(await isOpen(all)).toBe(true);
  two();
  const release = await all;
  const later = locks.acquire('a', never);
  const others = locks.acquireAll(never);
  expect(await isOpen(later)).toBe(true);
  expect(await isOpen(others)).toBe(true);
  release();
  (await later)();
  (await others)();
});

test('waiting ends with an abort, and holds nothing back', async () => {
  const locks = new PathLocks();
  const one = await locks.acquire('a', never);
  const abort = new AbortController();
  const waiting = [locks.acquireAll(abort.signal), locks.acquire('a', abort.signal)];
  const settled = Promise.allSettled(waiting);
  abort.abort();
  for (const result of await settled)
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(PermissionCancelled) });
  one();
  const release = await locks.acquireAll(never);
  const blocked = new AbortController();
  const late = locks.acquire('c', blocked.signal);
  blocked.abort();
  await expect(late).rejects.toThrow(PermissionCancelled);
  release();
});
