import { expect, test } from 'vitest';
import { ManualTimer } from '../../test/support/manual-timer.ts';
import { hashText, type Hash } from '../../src/base/hash.ts';
import { Contents } from './contents.ts';
import { storedFile, type FileNode } from './nodes.ts';

const encoder = new TextEncoder();

function setUp(...texts: readonly string[]) {
  const timer = new ManualTimer();
  const asked: Hash[] = [];
  const open = new Set<FileNode>();
  const stored = new Map(texts.map((text) => [hashText(text), encoder.encode(text)]));
  const ask = async (hashes: readonly Hash[]) => {
    asked.push(...hashes);
    return hashes.map((hash) => stored.get(hash) ?? null);
  };
  const limits = { atWork: 10, atRest: 4 };
  const contents = new Contents(ask, (node) => open.has(node), { limits, timer });
  const files = texts.map((text) => storedFile({ hash: hashText(text), size: text.length }, 0));
  const here = () => texts.filter((_, index) => files[index]?.content);
  return { timer, asked, open, stored, contents, files, here };
}

test('what was used last stays in memory: more while programs run, less at rest', async () => {
  const { timer, contents, files, here } = setUp('first', 'next', 'last', 'end');
  contents.work();
  for (const file of files.slice(0, 3)) await contents.fetch([file]);
  timer.advance(0);
  expect(here()).toEqual(['next', 'last']);
  contents.rest();
  // Another program starts before the workspace is at rest.
  contents.work();
  timer.advance(60_000);
  expect(here()).toEqual(['next', 'last']);
  contents.rest();
  timer.advance(60_000);
  expect(here()).toEqual(['last']);
});

test('a file that is open, and one that was written since, keep their contents', async () => {
  const { timer, contents, open, files, here } = setUp('one', 'two', 'three');
  await contents.fetch(files);
  open.add(files[0] as FileNode);
  Object.assign(files[1] as FileNode, { stored: undefined });
  timer.advance(0);
  expect(here()).toEqual(['one', 'two']);
});

test('one content is asked for once, however many wait for it, and again after a failure', async () => {
  const { asked, stored, contents, files } = setUp('same');
  const [file] = files as [FileNode];
  const twin = storedFile({ hash: hashText('same'), size: 4 }, 0);
  await Promise.all([contents.fetch([file]), contents.fetch([twin])]);
  expect([file.content, twin.content]).toEqual([encoder.encode('same'), encoder.encode('same')]);
  expect(asked).toEqual([hashText('same')]);
  stored.clear();
  const lost = storedFile({ hash: hashText('same'), size: 4 }, 0);
  await expect(contents.fetch([lost])).rejects.toThrow('EIO');
  stored.set(hashText('same'), encoder.encode('same'));
  await contents.fetch([lost]);
  expect(lost.content).toEqual(encoder.encode('same'));
});

test('files that are near come with the same request, and one that is missing does no harm', async () => {
  const { asked, stored, contents, files, here } = setUp('a', 'b', 'c');
  const [first, next, last] = files as [FileNode, FileNode, FileNode];
  stored.delete(hashText('c'));
  await contents.fetch([first], () => [next, last]);
  expect(here()).toEqual(['a', 'b']);
  expect(asked).toEqual(['b', 'c', 'a'].map((text) => hashText(text)));
  expect(contents.fetch([next])).toBeUndefined();
  await expect(contents.fetch([last])).rejects.toThrow('EIO');
});
