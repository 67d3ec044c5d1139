import { expect, test } from 'vitest';
import { countingIds, steppingClock } from '../base/clock.ts';
import type { HeldLock, LockHolder, WorkspaceLocks } from '../storage/locks.ts';
import { memoryStorage } from '../storage/memory/storage.ts';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { Workspaces } from './workspaces.ts';

/** Locks of several tabs, in memory. */
class SharedLocks implements WorkspaceLocks {
  readonly #holders = new Map<string, LockHolder>();

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

  /** The tab that holds it is closed. */
  die(id: string): void {
    this.#holders.delete(id);
  }
}

function twoTabs() {
  const { workspaces: registry } = memoryStorage();
  const locks = new SharedLocks();
  const tab = () => {
    const closed: string[] = [];
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
      changed: () => {},
    });
    let changes = 0;
    workspaces.onChange(() => changes++);
    return { workspaces, closed, changes: () => changes };
  };
  return { locks, writer: tab(), follower: tab() };
}

test.each(['that is there', 'that was just closed'])(
  'whoever takes over from a tab %s opens anew what could only follow',
  async (which) => {
    const { locks, writer, follower } = twoTabs();
    const { id } = await writer.workspaces.create();
    await writer.workspaces.open(id);
    expect(await follower.workspaces.hold(id)).toBe(false);
    expect(follower.closed).toEqual([]);
    if (which !== 'that is there') locks.die(id);
    const before = follower.changes();
    await follower.workspaces.takeOver(id);
    expect(follower.closed).toEqual([id]);
    expect(follower.changes()).toBeGreaterThan(before);
    expect(await follower.workspaces.hold(id)).toBe(true);
  },
);

test('what followed is opened anew too where the lock comes by the way', async () => {
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
