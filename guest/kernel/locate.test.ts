import fc from 'fast-check';
import { expect, test } from 'vitest';
import { locate } from './locate.ts';
import { directoryNode, fileNode, type DirectoryNode, type Node } from './nodes.ts';

const names = ['a', 'b', 'file', 'link'];
const part = fc.constantFrom(...names, ...names, '..', '.', '', 'none', 'x'.repeat(300), 'n\0l');

const { tree } = fc.letrec<{ tree: DirectoryNode; node: Node }>((tie) => ({
  tree: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), tie('node')), {
      selector: ([name]) => name,
      maxLength: 4,
    })
    .map((children) => {
      const folder = directoryNode(0);
      for (const [name, node] of children) folder.children.set(name, node);
      return folder;
    }),
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constant(fileNode(new Uint8Array(0), 0)),
    fc
      .array(part, { maxLength: 3 })
      .map((parts): Node => ({ type: 'symlink', target: parts.join('/'), mode: 0, modified: 0 })),
    tie('tree'),
  ),
}));

test('the fast way for a plain path gives the same result as the general way', () => {
  fc.assert(
    fc.property(tree, fc.array(part, { maxLength: 5 }), fc.boolean(), (top, parts, follow) => {
      const path = `/${parts.join('/')}`;
      const outcome = (asked: string) => {
        try {
          return locate(top, asked, follow);
        } catch (error) {
          return (error as { code?: string }).code;
        }
      };
      // A path with a dot in it is walked step by step.
      const slow = outcome(`/.${path}`);
      const quick = outcome(path);
      expect(quick).toEqual(slow);
      if (typeof quick === 'object' && typeof slow === 'object') {
        expect(quick.node).toBe(slow.node);
        expect(quick.parent).toBe(slow.parent);
      }
    }),
    { numRuns: 500 },
  );
});
