import { expect, test } from 'vitest';
import { ManualTimer } from '../../test/support/manual-timer.ts';
import { ROOT } from '../../src/base/places.ts';
import type { JournalChange } from '../../src/protocol/journal.ts';
import { shellAccess } from './access.ts';
import { ChangeJournal } from './journal.ts';
import { FileTree } from './tree.ts';

function setUp() {
  const timer = new ManualTimer();
  const sent: (readonly string[])[] = [];
  const pathOf = (change: JournalChange) => (change.op === 'put' ? change.node.path : change.path);
  const tree = new FileTree({
    quotaBytes: 1_000_000_000,
    quotaFiles: 1000,
    now: () => 0,
    changed: (path, change) => journal.note(path, change),
  });
  const journal: ChangeJournal = new ChangeJournal(
    tree.top,
    (changes) => void sent.push(changes.map(pathOf)),
    () => {},
    timer,
  );
  const write = (name: string, bytes = 1) =>
    tree.write(shellAccess, `${ROOT}/${name}`, new Uint8Array(bytes), { parents: true });
  return { timer, sent, tree, journal, write };
}

test('changes wait until the batch before them is stored, and a pause is over', () => {
  const { timer, sent, journal, write } = setUp();
  write('a');
  timer.advance(0);
  write('b');
  timer.advance(1000);
  expect(sent).toEqual([['a']]);
  journal.ready();
  expect(sent).toEqual([['a']]);
  timer.advance(1000);
  expect(sent).toEqual([['a'], ['b']]);
});

test('batches that are sent at once during the pause do not stop the ones after them', () => {
  const { timer, sent, journal, write } = setUp();
  write('a');
  timer.advance(0);
  journal.ready();
  // The ends of two commands, before the pause is over.
  for (const name of ['b', 'c']) {
    write(name);
    journal.flush();
  }
  timer.advance(1000);
  journal.ready();
  journal.ready();
  write('d');
  timer.advance(1000);
  expect(sent).toEqual([['a'], ['b'], ['c'], ['d']]);
});

test('an install waits while much of it is not stored, and goes on once it is', async () => {
  const { sent, journal, write } = setUp();
  write('node_modules/a', 20_000_000);
  expect(journal.room()).toBeUndefined();
  write('node_modules/b', 20_000_000);
  const room = journal.room();
  // Nothing is gained by a pause before it is sent.
  expect(sent).toEqual([['node_modules', 'node_modules/a'], ['node_modules/b']]);
  journal.ready();
  journal.ready();
  await room;
  expect(journal.room()).toBeUndefined();
});

test('an install goes on after batches that were sent during the pause', async () => {
  const { timer, journal, write } = setUp();
  write('node_modules/a');
  timer.advance(0);
  journal.ready();
  // The end of a command, before the pause is over. Its answer comes after it.
  write('node_modules/b', 40_000_000);
  journal.flush();
  const room = journal.room();
  timer.advance(1000);
  for (const name of ['c', 'd']) {
    write(name);
    journal.flush();
  }
  for (let each = 0; each < 3; each++) journal.ready();
  await room;
  expect(journal.room()).toBeUndefined();
});

test('an install that finds the storage full ends, and may try again later', async () => {
  const { timer, journal, write } = setUp();
  write('node_modules/a', 40_000_000);
  const room = journal.room();
  for (let each = 0; each < 2; each++) journal.ready([], true);
  await room;
  await expect(journal.room()).rejects.toThrow('ENOSPC');
  timer.advance(1000);
  expect(journal.room()).toBeUndefined();
});

test('a file that is written piece by piece counts once', () => {
  const { tree, journal } = setUp();
  const piece = new Uint8Array(1_000_000);
  tree.write(shellAccess, `${ROOT}/node_modules/big`, piece, { parents: true });
  for (let each = 0; each < 30; each++) tree.append(shellAccess, `${ROOT}/node_modules/big`, piece);
  expect(journal.room()).toBeUndefined();
  tree.append(shellAccess, `${ROOT}/node_modules/big`, piece);
  expect(journal.room()).toBeInstanceOf(Promise);
});
