import { declaredNames, isName } from '../names.ts';
import { childrenOf, nameOf, nodeIn, type SyntaxNode } from '../syntax.ts';
import { isTypeNode } from './type-nodes.ts';

/** Maps each name in scope to the namespace or enum object that it is a member of; undefined for plain variables. */
export type Scope = ReadonlyMap<string, string | undefined>;

/** The scopes around a node, the innermost last. */
export type Scopes = readonly Scope[];

export function ownerOf(name: string, scopes: Scopes): string | undefined {
  for (const scope of scopes.toReversed()) if (scope.has(name)) return scope.get(name);
  return undefined;
}

/** The scope of the body of a namespace, whose exported variables are members of its object. */
export function namespaceMembers(statements: readonly SyntaxNode[], name: string): Scope {
  const members = new Map<string, string | undefined>();
  for (const each of statements) {
    const declaration = nodeIn(each, 'declaration') ?? each;
    const isMember = each.type === 'ExportNamedDeclaration' && declaration.type === 'VariableDeclaration';
    for (const declared of declaredNames([declaration])) members.set(declared, isMember ? name : undefined);
  }
  return members;
}

/** The names that are used as values, or may be. */
export function usedNames(program: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Identifier') names.add(nameOf(node));
    for (const child of childrenOf(node)) {
      if (isName(node, child)) continue;
      if (node.type === 'TSImportEqualsDeclaration' && child === node.id) continue;
      if (!isTypeNode(child) || child.type.startsWith('TSEnum') || child.type === 'TSModuleBlock')
        visit(child);
    }
  };
  visit(program);
  return names;
}
