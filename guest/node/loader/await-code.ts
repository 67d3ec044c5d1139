import type { Edit } from './edits.ts';
import { childrenOf, nodeIn, type SyntaxNode } from './syntax.ts';

/** What the code of {@link awaitEdits} calls: parameters of its function, or globals. */
export const AWAIT_NAMES = { take: '__vtr_take', each: '__vtr_each' } as const;

/**
 * `await x` as `await __vtr_take((x))`, and what `for await` goes through as `__vtr_each((x), 'x')`: the engine tells nobody
 * when it goes on behind an `await`.
 */
export function* awaitEdits(node: SyntaxNode, source: string): Generator<Edit> {
  if (node.type === 'AwaitExpression') yield* around(nodeIn(node, 'argument'), AWAIT_NAMES.take);
  if (node.type === 'ForOfStatement' && node.await === true) yield* aroundEach(nodeIn(node, 'right'), source);
  for (const child of childrenOf(node)) yield* awaitEdits(child, source);
}

function* aroundEach(node: SyntaxNode | undefined, source: string): Generator<Edit> {
  if (!node) return;
  const text = source.slice(node.start, node.end);
  // As the engine shows it where it cannot be gone through.
  const shown = /^[\w$.]+$/.test(text) ? text : '(intermediate value)';
  yield* around(node, AWAIT_NAMES.each, `,'${shown}'`);
}

function* around(node: SyntaxNode | undefined, name: string, more = ''): Generator<Edit> {
  if (!node) return;
  // Twice: one of a list of operands between commas.
  yield { start: node.start, end: node.start, text: `${name}((` };
  yield { start: node.end, end: node.end, text: `)${more})` };
}
