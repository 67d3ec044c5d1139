import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeTree } from '../../test/support/webcontainer/tree-format.ts';
import { FrameReader, frame, typedLine, typedLines } from './container-frames.ts';
import { packTree, treeOf } from '../workspace/webcontainer/packed-tree.ts';

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

test('what is typed may be shown anywhere in the output, in a frame too', () => {
  const message = { output: 'YWJj', note: 'a<b>c' };
  const text = frame('nonce', message as never);
  for (let at = 0; at <= text.length; at++) {
    const reader = new FrameReader('nonce');
    const shown = text.slice(0, at) + typedLine('SGVsbG8=').replace('\n', '\r\n') + text.slice(at);
    expect(reader.add(shown.slice(0, at + 3)).concat(reader.add(shown.slice(at + 3)))).toEqual([message]);
  }
});

test('lines of input are found however they are cut', () => {
  const first = typedLines(`${typedLine('YQ==')}<Yg`);
  expect(first).toEqual({ lines: ['YQ=='], rest: '\n<Yg' });
  expect(typedLines(`${first.rest}==>\n${typedLine('.')}`).lines).toEqual(['Yg==', '.']);
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
