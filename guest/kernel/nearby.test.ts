import { expect, test } from 'vitest';
import { hashText } from '../../src/base/hash.ts';
import { nearby } from './nearby.ts';
import { directoryNode, fileNode, storedFile, type FileNode } from './nodes.ts';

const away = (size: number): FileNode => storedFile({ hash: hashText(String(size)), size }, 0);

function folder(files: Readonly<Record<string, FileNode>>) {
  const parent = directoryNode(0);
  for (const [name, node] of Object.entries(files)) parent.children.set(name, node);
  const of = (name: string) => {
    const near = new Set(nearby({ name, parent }));
    return Object.keys(files).filter((each) => near.has(files[each] as FileNode));
  };
  return { parent, of };
}

test('files of the same kind in its folder are near a file, if they are small and not in memory', () => {
  const { parent, of } = folder({
    'a.js': away(10),
    'b.js': away(20),
    'here.js': fileNode(new Uint8Array(5), 0),
    'c.d.ts': away(10),
    'large.js': away(65_537),
  });
  parent.children.set('inner.js', directoryNode(0));
  expect(of('a.js')).toEqual(['b.js']);
  expect(of('c.d.ts')).toEqual([]);
});

test('no more are near than one answer brings at little cost', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`m${at}.js`, away(10)]));
  expect(folder(many).of('m0.js')).toHaveLength(64);
  const large = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}.js`, away(60_000)]));
  expect(folder(large).of('m0.js')).toHaveLength(16);
});
