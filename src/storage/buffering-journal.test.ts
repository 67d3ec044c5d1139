import { expect, test } from 'vitest';
import { ManualTimer } from '../../test/support/manual-timer.ts';
import type { Hash } from '../base/hash.ts';
import { FaultError } from '../base/fault.ts';
import type { FileJournal, JournalChange } from '../protocol/journal.ts';
import { storageFault } from './faults.ts';
import { BufferingJournal } from './buffering-journal.ts';
import { fileJournalContract } from './journal-contract.ts';
import { MemoryFileJournal } from './memory/journal.ts';

/** A disk that is full until the test frees it. */
class Disk implements FileJournal {
  readonly inner = new MemoryFileJournal();
  full = false;
  attempts = 0;
  readonly isBehind = false;

  load() {
    return this.inner.load();
  }

  contents(hashes: readonly Hash[]) {
    return this.inner.contents(hashes);
  }

  async close(): Promise<void> {}

  async append(changes: readonly JournalChange[]): Promise<void> {
    this.attempts++;
    if (this.full) throw new FaultError(storageFault('storage-full', 'full'));
    await this.inner.append(changes);
  }
}

fileJournalContract('held', async () => {
  const journal = new BufferingJournal(new Disk(), new ManualTimer());
  return () => journal;
});

// No matter how often the disk is full in between, the loaded tree is the tree that was written.
fileJournalContract('held, on a disk that is full every other time', async () => {
  const disk = new Disk();
  const timer = new ManualTimer();
  const journal = new BufferingJournal(disk, timer);
  const append = journal.append.bind(journal);
  journal.append = async (changes) => {
    disk.full = !disk.full;
    timer.advance(10_000);
    await append(changes);
  };
  return () => journal;
});

test('changes that a full disk refused are stored once there is space, without another write', async () => {
  const [disk, timer] = [new Disk(), new ManualTimer()];
  const told: boolean[] = [];
  const journal = new BufferingJournal(disk, timer, (holding) => told.push(holding));
  disk.full = true;
  await journal.append([put('a', 1), put('b', 1)]);
  await journal.append([put('a', 2), { op: 'remove', path: 'b' }]);
  expect(disk.attempts).toBe(1);
  timer.advance(5_000);
  expect((await journal.load()).tail).toHaveLength(2);
  expect(disk.attempts).toBe(2);
  disk.full = false;
  expect(told).not.toContain(false);
  timer.advance(5_000);
  expect((await journal.load()).tail).toEqual([]);
  expect(told.at(-1)).toBe(false);
  const { packs } = await disk.load();
  expect(packs.map(({ entries, bytes }) => [entries.map(({ path }) => path), [...bytes]])).toEqual([
    [['a'], [2]],
  ]);
  timer.advance(60_000);
  await journal.load();
  expect(disk.attempts).toBe(3);
});

test('closing a journal tries a last time, and nothing is written afterwards', async () => {
  const [disk, timer] = [new Disk(), new ManualTimer()];
  const told: boolean[] = [];
  const journal = new BufferingJournal(disk, timer, (holding) => told.push(holding));
  disk.full = true;
  await journal.append([put('a', 1)]);
  await journal.close();
  expect(disk.attempts).toBe(2);
  expect(told.at(-1)).toBe(false);
  timer.advance(60_000);
  await journal.load();
  expect(disk.attempts).toBe(2);
});

test('errors that are not storage faults reject', async () => {
  const disk = new Disk();
  disk.append = () => Promise.reject(new TypeError('a defect'));
  await expect(new BufferingJournal(disk, new ManualTimer()).append([put('a', 1)])).rejects.toThrow(
    'a defect',
  );
});

function put(path: string, byte: number): JournalChange {
  return { op: 'put', node: { path, type: 'file', mode: 0o644, modified: 0 }, bytes: Uint8Array.of(byte) };
}
