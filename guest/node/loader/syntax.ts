import { Parser, type Node as AcornNode, type Options, type Program } from 'acorn';

/** A node of the tree as walks see it: any field may hold nodes. */
export interface SyntaxNode extends AcornNode {
  readonly [field: string]: unknown;
}

export type Language = 'javascript' | 'typescript';

/** By the ending of its name. */
export function languageOf(path: string): Language {
  return /\.[cm]?ts$/.test(path) ? 'typescript' : 'javascript';
}

/** Throws acorn's SyntaxError, which has `pos` and `loc`. */
export function parse(source: string, sourceType: 'module' | 'script'): Program {
  return Parser.parse(source, {
    ...COMMON,
    sourceType,
    // A script of CommonJS is the body of a function.
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
      // Key and value of `{ a }` are one.
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
