import { expect, test } from 'vitest';
import { countingIds, steppingClock } from '../base/clock.ts';
import type { HeldLock, LockHolder, WorkspaceLocks } from '../storage/locks.ts';
import { memoryStorage } from '../storage/memory/storage.ts';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { ManualTimer } from '../../test/support/manual-timer.ts';
import { Workspaces } from './workspaces.ts';

/** Locks of several tabs, in memory. */
class SharedLocks implements WorkspaceLocks {
  readonly #holders = new Map<string, LockHolder>();
  readonly #waiting: { readonly id: string; resolve(): void }[] = [];

  async acquire(id: string, holder: LockHolder): Promise<HeldLock | undefined> {
    if (this.#holders.has(id)) return undefined;
    this.#holders.set(id, holder);
    return { release: async () => void this.#holders.delete(id) };
  }

  async takeOver(id: string, holder: LockHolder): Promise<HeldLock> {
    const before = this.#holders.get(id);
    await before?.stop();
    this.#holders.set(id, holder);
    before?.lost();
    return { release: async () => void this.#holders.delete(id) };
  }

  freed(id: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ id, resolve }));
  }

  /** The tab with the lock was closed. */
  die(id: string): void {
    this.#holders.delete(id);
    for (const waiting of this.#waiting) if (waiting.id === id) waiting.resolve();
  }
}

function twoTabs() {
  const { workspaces: registry } = memoryStorage();
  const locks = new SharedLocks();
  const tab = () => {
    const closed: string[] = [];
    const timer = new ManualTimer();
    const followed = new Set<string>();
    const workspaces = new Workspaces({
      registry,
      locks,
      clock: steppingClock(),
      ids: countingIds(),
      kind: 'embedded',
      tryContainer: () => {},
      start: async () => new MemoryWorkspace(),
      closeSessions: async () => {},
      closeFollowers: async (id) => void closed.push(id),
      isBusy: () => false,
      isFollowed: (id) => followed.has(id),
      timer,
      changed: () => {},
    });
    let changes = 0;
    workspaces.onChange(() => changes++);
    return { workspaces, closed, timer, followed, changes: () => changes };
  };
  return { locks, writer: tab(), follower: tab() };
}

test.each(['that is there', 'that was just closed'])(
  'whoever takes over from a tab %s opens anew what could only follow',
  async (which) => {
    const { locks, writer, follower } = twoTabs();
    const { id } = await writer.workspaces.create();
    await writer.workspaces.open(id);
    expect(await follower.workspaces.claim(id)).toBe(false);
    expect(follower.closed).toEqual([]);
    if (which !== 'that is there') locks.die(id);
    const before = follower.changes();
    await follower.workspaces.takeOver(id);
    expect(follower.closed).toEqual([id]);
    expect(follower.changes()).toBeGreaterThan(before);
    expect(await follower.workspaces.claim(id)).toBe(true);
  },
);

test('followers are reopened for writing when the tab gets the lock in passing', async () => {
  const { locks, writer, follower } = twoTabs();
  const { id } = await writer.workspaces.create();
  await writer.workspaces.open(id);
  await expect(follower.workspaces.open(id)).rejects.toMatchObject({
    fault: { code: 'workspace-elsewhere' },
  });
  locks.die(id);
  await follower.workspaces.open(id);
  expect(follower.closed).toEqual([id]);
});

test('a removed workspace is not opened, by a session of it either, until it is restored', async () => {
  const { writer, follower } = twoTabs();
  const { id } = await writer.workspaces.create();
  await writer.workspaces.open(id);
  await writer.workspaces.delete(id);
  const unknown = { fault: { code: 'workspace-unknown' } };
  await expect(writer.workspaces.open(id)).rejects.toMatchObject(unknown);
  await expect(follower.workspaces.claim(id)).rejects.toMatchObject(unknown);
  await writer.workspaces.restore(id);
  expect(await follower.workspaces.claim(id)).toBe(true);
});

test('no tab takes over a workspace that its writer has removed', async () => {
  const { locks, writer, follower } = twoTabs();
  const { id } = await writer.workspaces.create();
  await writer.workspaces.open(id);
  await follower.workspaces.claim(id);
  follower.followed.add(id);
  await writer.workspaces.delete(id);
  locks.die(id);
  await settle();
  follower.timer.advance(3_000);
  await settle();
  expect(follower.closed).toEqual([]);
});

class Suspendable extends MemoryWorkspace {
  isSuspended = false;

  async suspend(): Promise<boolean> {
    this.isSuspended = true;
    return true;
  }
}

test('only workspaces in use stay started', async () => {
  const { workspaces: registry } = memoryStorage();
  const started: Suspendable[] = [];
  const busy = new Set<string>();
  const workspaces = new Workspaces({
    registry,
    locks: new SharedLocks(),
    clock: steppingClock(),
    ids: countingIds(),
    kind: 'embedded',
    tryContainer: () => {},
    start: async () => {
      const workspace = new Suspendable();
      started.push(workspace);
      return workspace;
    },
    closeSessions: async () => {},
    closeFollowers: async () => {},
    isBusy: (id) => busy.has(id),
    isFollowed: () => false,
    timer: new ManualTimer(),
    changed: () => {},
  });
  const ready = () => started.flatMap(({ isSuspended }, index) => (isSuspended ? [] : index));
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  const ids: string[] = [];
  for (let number = 0; number < 6; number++) {
    const { id } = await workspaces.create();
    ids.push(id);
    await workspaces.open(id);
    if (number === 0) workspaces.look(id);
    if (number === 1) busy.add(id);
  }
  await settled();
  expect(ready()).toEqual([0, 1, 3, 4, 5]);
  busy.clear();
  workspaces.suspendUnused();
  await settled();
  expect(ready()).toEqual([0, 3, 4, 5]);
  // It was used again, so another one is the oldest now.
  await workspaces.open(ids[3] ?? '');
  const unlook = workspaces.look(ids[4] ?? '');
  workspaces.look(ids[4] ?? '')();
  await workspaces.open(ids[0] ?? '');
  await workspaces.open(ids[2] ?? '');
  await settled();
  expect(ready()).toEqual([0, 3, 4]);
  unlook();
  await settled();
  expect(ready()).toEqual([0, 3]);
});

/** Lets all pending microtasks and callbacks run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a follower takes over when the writer is closed', async () => {
  const { locks, writer, follower } = twoTabs();
  const { id } = await writer.workspaces.create();
  await writer.workspaces.open(id);
  expect(await follower.workspaces.claim(id)).toBe(false);
  follower.followed.add(id);
  const before = follower.changes();
  locks.die(id);
  await settle();
  expect(follower.closed).toEqual([]);
  follower.timer.advance(3_000);
  await settle();
  expect(follower.closed).toEqual([id]);
  expect(follower.changes()).toBeGreaterThan(before);
});

test('a reloaded writer stays the writer, and the follower keeps waiting', async () => {
  const { locks, writer, follower } = twoTabs();
  const { id } = await writer.workspaces.create();
  await writer.workspaces.open(id);
  await follower.workspaces.claim(id);
  follower.followed.add(id);
  locks.die(id);
  await settle();
  const reloaded = await locks.acquire(id, { stop: async () => {}, lost: () => {} });
  follower.timer.advance(3_000);
  await settle();
  expect(follower.closed).toEqual([]);
  await reloaded?.release();
  locks.die(id);
  await settle();
  follower.timer.advance(3_000);
  await settle();
  expect(follower.closed).toEqual([id]);
});

test('no tab takes over if it no longer follows the session', async () => {
  const { locks, writer, follower } = twoTabs();
  const { id } = await writer.workspaces.create();
  await writer.workspaces.open(id);
  await follower.workspaces.claim(id);
  locks.die(id);
  await settle();
  follower.timer.advance(3_000);
  await settle();
  expect(await locks.acquire(id, { stop: async () => {}, lost: () => {} })).toBeDefined();
});
