import { nodeIn, nodesIn, type SyntaxNode } from '../syntax.ts';

/** Statements that only declare types. */
const TYPE_STATEMENTS = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSDeclareFunction',
  'TSNamespaceExportDeclaration',
]);

/** Whether a statement has no code that runs. */
export function isOnlyType(node: SyntaxNode): boolean {
  if (TYPE_STATEMENTS.has(node.type) || node.declare === true) return true;
  if (node.importKind === 'type' || node.exportKind === 'type') return node.type !== 'ImportSpecifier';
  return node.type === 'TSModuleDeclaration' && hasOnlyTypes(node);
}

/** Whether a namespace has no code that runs. */
export function hasOnlyTypes(declaration: SyntaxNode): boolean {
  if (declaration.declare === true || declaration.global === true) return true;
  const body = nodeIn(declaration, 'body');
  if (body?.type === 'TSModuleDeclaration') return hasOnlyTypes(body);
  return (body ? nodesIn(body, 'body') : []).every((statement) =>
    isOnlyType(nodeIn(statement, 'declaration') ?? statement),
  );
}

/** The nodes of TypeScript that run, or that hold something which runs. */
const VALUES = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
  'TSTypeAssertion',
  'TSParameterProperty',
  'TSImportEqualsDeclaration',
  'TSExportAssignment',
  'TSEnumDeclaration',
  'TSModuleDeclaration',
]);

export function isTypeNode(node: SyntaxNode): boolean {
  if (node.type === 'TSModuleDeclaration') return hasOnlyTypes(node);
  return node.type.startsWith('TS') && !VALUES.has(node.type);
}
