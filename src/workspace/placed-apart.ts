import { digestBytes } from '../base/hash.ts';
import type { JournalChange } from '../protocol/journal.ts';
import { isInLargeTree } from '../protocol/large-trees.ts';

/** Names contents of large trees by their hashes. These are made here, because nobody else may say what content a hash has. */
export function placedApart(changes: readonly JournalChange[]): Promise<readonly JournalChange[]> {
  return Promise.all(
    changes.map(async (change): Promise<JournalChange> => {
      if (change.op !== 'put' || change.node.type !== 'file') return change;
      const { node, bytes } = change;
      if (node.stored || bytes.byteLength === 0 || !isInLargeTree(node.path)) return change;
      const stored = { hash: await digestBytes(bytes), size: bytes.byteLength };
      return { ...change, node: { ...node, stored } };
    }),
  );
}
