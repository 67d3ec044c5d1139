import { expect, test } from 'vitest';
import { FaultError } from '../base/fault.ts';
import type { FileJournal, JournalChange } from '../workspace/journal.ts';
import { storageFault } from './faults.ts';
import { HoldingJournal } from './holding-journal.ts';
import { fileJournalContract } from './journal-contract.ts';
import { MemoryFileJournal } from './memory/journal.ts';

/** A disk that is full until told otherwise. */
class Disk implements FileJournal {
  readonly inner = new MemoryFileJournal();
  full = false;
  attempts = 0;

  load() {
    return this.inner.load();
  }

  async append(changes: readonly JournalChange[]): Promise<void> {
    this.attempts++;
    if (this.full) throw new FaultError(storageFault('storage-full', 'full'));
    await this.inner.append(changes);
  }
}

const settable = () => {
  let time = 0;
  return { now: () => time, set: (next: number) => void (time = next) };
};

fileJournalContract('held', async () => {
  const journal = new HoldingJournal(new Disk(), settable());
  return () => journal;
});

// However often the disk is full in between, what is loaded is the tree that was written.
fileJournalContract('held, on a disk that is full every other time', async () => {
  const disk = new Disk();
  const clock = settable();
  const journal = new HoldingJournal(disk, clock);
  const append = journal.append.bind(journal);
  journal.append = async (changes) => {
    disk.full = !disk.full;
    clock.set(clock.now() + 10_000);
    await append(changes);
  };
  return () => journal;
});

test('what a full disk did not take is stored once there is room', async () => {
  const [disk, clock] = [new Disk(), settable()];
  const journal = new HoldingJournal(disk, clock);
  disk.full = true;
  await journal.append([put('a', 1), put('b', 1)]);
  await journal.append([put('a', 2)]);
  expect(disk.attempts).toBe(1);
  disk.full = false;
  clock.set(60_000);
  await journal.append([{ op: 'remove', path: 'b' }]);
  const { packs } = await disk.load();
  expect(packs.map(({ entries, bytes }) => [entries.map(({ path }) => path), [...bytes]])).toEqual([
    [['a'], [2]],
  ]);
  expect((await journal.load()).tail).toEqual([]);
});

test('what is no fault of the storage is not hidden', async () => {
  const disk = new Disk();
  disk.append = () => Promise.reject(new TypeError('a defect'));
  await expect(new HoldingJournal(disk, settable()).append([put('a', 1)])).rejects.toThrow('a defect');
});

function put(path: string, byte: number): JournalChange {
  return { op: 'put', node: { path, type: 'file', mode: 0o644, modified: 0 }, bytes: Uint8Array.of(byte) };
}
