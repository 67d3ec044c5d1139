import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeTree } from '../../../test/support/webcontainer/tree-format.ts';
import { FrameReader, frame } from './frames.ts';
import { packTree, treeOf } from './packed-tree.ts';

test('frames come through a terminal, cut and broken anywhere, with anything between them', () => {
  const noise = fc.string({ unit: fc.constantFrom('x', '@', '\x1b[0m', '\r\n', '(node:1) Warning') });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: 'binary' }), noise)),
      fc.integer({ min: 1, max: 9 }),
      (all, size) => {
        const text = all.map(([answer, between]) => between + frame('nonce', { answer })).join('');
        const pieces = text.replaceAll('\n', '\r\n').match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const reader = new FrameReader('nonce');
        expect(pieces.flatMap((piece) => reader.add(piece))).toEqual(all.map(([answer]) => ({ answer })));
      },
    ),
  );
});

test('a tree that is packed is the one that was meant', () => {
  const long = 'n'.repeat(300);
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index);
  const many = Array.from(
    { length: 40 },
    (_, index) => [`many/${index}`, { type: 'file', bytes: Uint8Array.of(index) }] as const,
  );
  const tree = treeOf([
    ['a/b.bin', { type: 'file', bytes }],
    ['a', { type: 'directory', children: new Map() }],
    ['a/link', { type: 'symlink', target: '../ü' }],
    ['empty', { type: 'directory', children: new Map() }],
    [long, { type: 'file', bytes: new Uint8Array() }],
    ...many,
  ]);
  expect(decodeTree(packTree(tree))).toEqual({
    d: {
      a: { d: { 'b.bin': { f: { c: bytes } }, link: { f: { l: '../ü' } } } },
      empty: { d: {} },
      [long]: { f: { c: new Uint8Array() } },
      many: { d: Object.fromEntries(many.map(([path, file]) => [path.slice(5), { f: { c: file.bytes } }])) },
    },
  });
});
