import { Parser, type Node as AcornNode, type Options, type Program } from 'acorn';

/** A node of the syntax tree, in a form that is easy to walk: any field may hold nodes. */
export interface SyntaxNode extends AcornNode {
  readonly [field: string]: unknown;
}

export type Language = 'javascript' | 'typescript';

/** The language of a file, from its extension. */
export function languageOf(path: string): Language {
  return /\.[cm]?ts$/.test(path) ? 'typescript' : 'javascript';
}

/** Throws acorn's SyntaxError, which has `pos` and `loc`. */
export function parse(source: string, sourceType: 'module' | 'script'): Program {
  return Parser.parse(source, {
    ...COMMON,
    sourceType,
    // A CommonJS script is the body of a function.
    ...(sourceType === 'script' && { allowReturnOutsideFunction: true, allowNewTargetOutsideFunction: true }),
  });
}

export const COMMON: Options = { ecmaVersion: 'latest', allowHashBang: true };

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
}

/** The children of a node, in no particular order. */
export function* childrenOf(node: SyntaxNode): Generator<SyntaxNode> {
  let last: unknown;
  for (const key in node) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const each of value) if (isNode(each)) yield each;
      // The key and the value of `{ a }` are the same node.
    } else if (value !== last && isNode(value)) yield (last = value);
  }
}

export function nodeIn(node: SyntaxNode, field: string): SyntaxNode | undefined {
  const value = node[field];
  return isNode(value) ? value : undefined;
}

export function nodesIn(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function nameOf(node: SyntaxNode | undefined): string {
  if (!node) return '';
  return String(node.type === 'Literal' ? node.value : node.name);
}
