import { childrenOf, isNode, nameOf, nodeIn, nodesIn, type SyntaxNode } from './syntax.ts';

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

export function isFunction(node: SyntaxNode): boolean {
  return FUNCTIONS.has(node.type);
}

/** The names that a pattern binds. */
export function* boundNames(pattern: SyntaxNode | undefined): Generator<string> {
  switch (pattern?.type) {
    case 'Identifier':
      yield nameOf(pattern);
      return;
    case 'ObjectPattern':
      for (const property of nodesIn(pattern, 'properties'))
        yield* boundNames(nodeIn(property, property.type === 'RestElement' ? 'argument' : 'value'));
      return;
    case 'ArrayPattern':
      for (const element of nodesIn(pattern, 'elements')) yield* boundNames(element);
      return;
    case 'AssignmentPattern':
      return yield* boundNames(nodeIn(pattern, 'left'));
    case 'RestElement':
      return yield* boundNames(nodeIn(pattern, 'argument'));
    case 'TSParameterProperty':
      return yield* boundNames(nodeIn(pattern, 'parameter'));
    case undefined:
  }
}

/** The `var` names in a function's body, which belong to the function even if declared in a block. */
function* hoisted(node: SyntaxNode): Generator<string> {
  if (isFunction(node)) return;
  if (node.type === 'VariableDeclaration' && node.kind === 'var')
    for (const each of nodesIn(node, 'declarations')) yield* boundNames(nodeIn(each, 'id'));
  if (node.type.endsWith('Expression') && node.type !== 'ClassExpression') return;
  for (const child of childrenOf(node)) yield* hoisted(child);
}

const DECLARATIONS = new Set([
  'FunctionDeclaration',
  'ClassDeclaration',
  'TSEnumDeclaration',
  'TSModuleDeclaration',
  'TSImportEqualsDeclaration',
]);

/** The names that the statements of a block declare, without those of inner blocks. */
export function* declaredNames(statements: readonly SyntaxNode[]): Generator<string> {
  for (const statement of statements) {
    if (DECLARATIONS.has(statement.type)) yield nameOf(nodeIn(statement, 'id'));
    else if (statement.type === 'VariableDeclaration')
      for (const each of nodesIn(statement, 'declarations')) yield* boundNames(nodeIn(each, 'id'));
  }
}

/** The names that a node brings into scope for its children. */
export function scopeOf(node: SyntaxNode): ReadonlySet<string> | undefined {
  if (isFunction(node)) {
    const names = new Set<string>();
    for (const parameter of nodesIn(node, 'params'))
      for (const name of boundNames(parameter)) names.add(name);
    const body = nodeIn(node, 'body');
    if (body) for (const child of childrenOf(body)) for (const name of hoisted(child)) names.add(name);
    if (node.type === 'FunctionExpression') names.add(nameOf(nodeIn(node, 'id')));
    if (node.type !== 'ArrowFunctionExpression') names.add('arguments');
    return names;
  }
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
      return new Set(declaredNames(nodesIn(node, 'body')));
    case 'SwitchStatement':
      return new Set(
        nodesIn(node, 'cases').flatMap((each) => [...declaredNames(nodesIn(each, 'consequent'))]),
      );
    case 'CatchClause':
      return new Set(boundNames(nodeIn(node, 'param')));
    case 'ForStatement':
      return new Set(declaredNames([node.init].filter(isNode)));
    case 'ForInStatement':
    case 'ForOfStatement':
      return new Set(declaredNames([node.left].filter(isNode)));
    case 'ClassExpression':
      return new Set([nameOf(nodeIn(node, 'id'))]);
    default:
      return undefined;
  }
}

/** Whether a child is just a name, not a reference to a variable. */
export function isName(node: SyntaxNode, child: SyntaxNode): boolean {
  switch (node.type) {
    case 'MemberExpression':
      return node.property === child && node.computed !== true;
    case 'Property':
      // In `{ a }` the key is the same node as the value, and the value is a reference.
      return node.key === child && node.computed !== true && node.value !== child;
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return node.key === child && node.computed !== true;
    case 'LabeledStatement':
      return node.label === child;
    case 'ClassDeclaration':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassExpression':
      return node.id === child;
    default:
      return false;
  }
}
