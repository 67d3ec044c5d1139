import { boundNames } from '../names.ts';
import { childrenOf, nodeIn, nodesIn, type SyntaxNode } from '../syntax.ts';

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** Declares the parameter properties of a class as fields, and sets them once the constructor has its `this`. */
export function* parameterPropertyEdits(node: SyntaxNode): Generator<Insertion> {
  const body = nodeIn(node, 'body');
  const members = body ? nodesIn(body, 'body') : [];
  const method = members.find((each) => each.kind === 'constructor' && nodeIn(each, 'value')?.body);
  const constructor = method && nodeIn(method, 'value');
  if (!body || !constructor) return;
  const names = nodesIn(constructor, 'params')
    .filter((each) => each.type === 'TSParameterProperty')
    .flatMap((each) => [...boundNames(each)]);
  if (names.length === 0) return;
  yield { at: body.start + 1, text: names.map((name) => `${name};`).join('') };
  const sets = names.map((name) => `this.${name}=${name}`).join(',');
  const statements = nodeIn(constructor, 'body');
  if (!statements) return;
  if (!nodeIn(node, 'superClass')) {
    yield { at: statements.start + 1, text: `${sets};` };
    return;
  }
  for (const { call, parent } of superCalls(statements, constructor)) {
    const isStatement = parent.type === 'ExpressionStatement';
    if (!isStatement) yield { at: call.start, text: '(' };
    yield { at: call.end, text: isStatement ? `,${sets}` : `,${sets},this)` };
  }
}

function* superCalls(
  node: SyntaxNode,
  parent: SyntaxNode,
): Generator<{ readonly call: SyntaxNode; readonly parent: SyntaxNode }> {
  if (node.type === 'CallExpression' && nodeIn(node, 'callee')?.type === 'Super')
    yield { call: node, parent };
  if (node !== parent && /^(?:Function|Class)/.test(node.type)) return;
  for (const child of childrenOf(node)) yield* superCalls(child, node);
}
