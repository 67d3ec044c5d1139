import { EditedText, type Edit } from './edits.ts';
import { childrenOf, nameOf, nodeIn, nodesIn, parse, type SyntaxNode } from './syntax.ts';

/** Tracks each `await` of programs that use node:async_hooks. */
export interface AwaitTracking {
  /** Whether the awaits in a file with this text are tracked. */
  isFollowed(text: string, path: string): boolean;
  readonly take: (value: unknown) => unknown;
  readonly each: (iterable: unknown, shown: string) => unknown;
}

/** The functions that code with {@link awaitEdits} calls. They are parameters of its function, or globals. */
export const AWAIT_NAMES = { take: '__vtr_take', each: '__vtr_each' } as const;

/** The global function through which such code passes the text that it evaluates, as modules of webpack's dev builds are. */
export const EVALUATED_NAME = '__vtr_evaluated';

/**
 * Turns `await x` into `await __vtr_take((x))`, and the operand of `for await` into `__vtr_each((x), 'x')`. Without these
 * calls there is no way to know when code continues after an `await`.
 */
export function* awaitEdits(node: SyntaxNode, source: string): Generator<Edit> {
  if (node.type === 'CallExpression' && nameOf(nodeIn(node, 'callee')) === 'eval') {
    const [text] = nodesIn(node, 'arguments');
    if (text?.type !== 'SpreadElement') yield* around(text, source, EVALUATED_NAME);
  }
  if (node.type === 'AwaitExpression') yield* around(nodeIn(node, 'argument'), source, AWAIT_NAMES.take);
  if (node.type === 'ForOfStatement' && node.await === true) yield* aroundEach(nodeIn(node, 'right'), source);
  for (const child of childrenOf(node)) yield* awaitEdits(child, source);
}

/** The text for `eval` with its awaits tracked; anything else as it is. */
export function evaluated(text: unknown): unknown {
  if (typeof text !== 'string' || !/\bawait\b/.test(text)) return text;
  try {
    return new EditedText(text, [...awaitEdits({ ...parse(text, 'script') }, text)]).code;
  } catch {
    // The engine reports what is wrong with it.
    return text;
  }
}

function* aroundEach(node: SyntaxNode | undefined, source: string): Generator<Edit> {
  if (!node) return;
  const text = source.slice(node.start, node.end);
  // The text that the engine shows in its error where the value is not iterable.
  const shown = /^[\w$.]+$/.test(text) ? text : '(intermediate value)';
  yield* around(node, source, AWAIT_NAMES.each, `,'${shown}'`);
}

function* around(node: SyntaxNode | undefined, source: string, name: string, more = ''): Generator<Edit> {
  if (!node) return;
  // Minified code may have no space after the keyword, as in `await(async()=>1)()`.
  const space = /\w/.test(source[node.start - 1] ?? '') ? ' ' : '';
  // Two brackets, so that commas in the operand do not separate arguments.
  yield { start: node.start, end: node.start, text: `${space}${name}((` };
  yield { start: node.end, end: node.end, text: `)${more})` };
}
