import { blank, type Edit } from '../edits.ts';
import { constantOf, type Constant } from './enum-values.ts';
import { boundNames, declaredNames, isName, scopeOf } from '../names.ts';
import { childrenOf, nameOf, nodeIn, nodesIn, type SyntaxNode } from '../syntax.ts';
import { hasOnlyTypes, isOnlyType } from './type-nodes.ts';

/** Maps each name in scope to the namespace or enum object that it is a member of; undefined for plain variables. */
type Scope = ReadonlyMap<string, string | undefined>;

/** Turns enums, namespaces, parameter properties, `import x =` and `export =` into JavaScript with the same line numbers. */
export function transformEdits(source: string, program: SyntaxNode): Edit[] {
  const edits: Edit[] = [];
  const replace = (start: number, end: number, text: string): void => {
    edits.push({ start, end, text: text + lineEnds(source.slice(start, end)) });
  };
  const insert = (at: number, text: string): void => {
    edits.push({ start: at, end: at, text });
  };
  /** The member values of each enum, keyed by its name: an enum may have several declarations. */
  const enums = new Map<string, Map<string, Constant>>();
  const used = usedNames(program);

  const refer = (node: SyntaxNode, parent: SyntaxNode, scopes: readonly Scope[]) => {
    const name = nameOf(node);
    const owner = ownerOf(name, scopes);
    if (owner === undefined) return;
    const isShort = parent.type === 'Property' && parent.shorthand === true;
    replace(node.start, node.start + name.length, isShort ? `${name}:${owner}.${name}` : `${owner}.${name}`);
  };

  const visitEnum = (node: SyntaxNode, scopes: readonly Scope[], head: string, around: string) => {
    const name = nameOf(nodeIn(node, 'id'));
    const members = nodesIn(node, 'members');
    const values = enums.get(name) ?? new Map<string, Constant>();
    enums.set(name, values);
    replace(node.start, source.indexOf('{', node.start) + 1, `${head}(function (${name}) {`);
    let next: Constant = 0;
    for (const member of members) {
      const key = nameOf(nodeIn(member, 'id'));
      const quoted = JSON.stringify(key);
      const init = nodeIn(member, 'initializer');
      const value: Constant = init ? constantOf(init, name, enums) : next;
      const written = typeof value === 'string' ? `${name}[${quoted}]` : `${name}[${name}[${quoted}]`;
      const rest = typeof value === 'string' ? '' : `]=${quoted}`;
      if (init) {
        replace(member.start, source.indexOf('=', nodeIn(member, 'id')?.end) + 1, `${written}=`);
        const owned: Scope = new Map([...values.keys()].map((each) => [each, name]));
        visit(init, member, [...scopes, owned]);
        insert(member.end, rest);
      } else replace(member.start, member.end, `${written}=${value === undefined ? 'void 0' : value}${rest}`);
      values.set(key, value);
      next = typeof value === 'number' ? value + 1 : undefined;
    }
    const last = members.at(-1);
    const comma = last && /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*,/.exec(source.slice(last.end, node.end));
    if (last && comma) replace(last.end + comma[0].length - 1, last.end + comma[0].length, '');
    replace(node.end - 1, node.end, `;return ${name};})(${around});`);
  };

  /** `owner` is the namespace that exports this one, if any. */
  const visitNamespace = (
    node: SyntaxNode,
    scopes: readonly Scope[],
    head: string,
    owner: string | undefined,
  ): void => {
    const name = nameOf(nodeIn(node, 'id'));
    const body = nodeIn(node, 'body');
    if (!body) return;
    const object = owner === undefined ? name : `${owner}.${name}`;
    const around = `${object}||(${object}={})`;
    const opening = `${head}(function (${name}) {`;
    if (body.type === 'TSModuleDeclaration') {
      replace(node.start, body.start, opening);
      const inner = nameOf(nodeIn(body, 'id'));
      visitNamespace(body, [...scopes, new Map([[inner, undefined]])], `var ${inner}=`, name);
      return insert(node.end, `return ${name};})(${around});`);
    }
    replace(node.start, body.start + 1, opening);
    const statements = nodesIn(body, 'body');
    const own = new Map<string, string | undefined>();
    for (const each of statements) {
      const declaration = nodeIn(each, 'declaration') ?? each;
      const isMember = each.type === 'ExportNamedDeclaration' && declaration.type === 'VariableDeclaration';
      for (const declared of declaredNames([declaration])) own.set(declared, isMember ? name : undefined);
    }
    visitStatements(statements, [...scopes, own], name);
    replace(node.end - 1, node.end, `;return ${name};})(${around});`);
  };

  /** Visits the statements of a program, a block or the namespace `owner`. */
  const visitStatements = (
    statements: readonly SyntaxNode[],
    scopes: readonly Scope[],
    owner?: string,
    keyword = 'var',
  ) => {
    const known = new Set(
      statements.flatMap((each) => {
        const declaration = nodeIn(each, 'declaration') ?? each;
        const isOther = declaration.type === 'ClassDeclaration' || declaration.type === 'FunctionDeclaration';
        return isOther ? [nameOf(nodeIn(declaration, 'id'))] : [];
      }),
    );
    for (const statement of statements) {
      const declaration = nodeIn(statement, 'declaration');
      const isExport = statement.type === 'ExportNamedDeclaration';
      const node = isExport && declaration ? declaration : statement;
      if (isOnlyType(node) || isOnlyType(statement)) continue;
      const name = nameOf(nodeIn(node, 'id'));
      const from = isExport ? owner : undefined;
      if (node.type === 'TSEnumDeclaration' || node.type === 'TSModuleDeclaration') {
        const isFirst = !known.has(name);
        known.add(name);
        // A repeated declaration is exported already.
        if (isExport && (owner !== undefined || !isFirst)) replace(statement.start, node.start, '');
        const declares = isFirst ? `${keyword} ${name}=` : `${name}=`;
        if (node.type === 'TSModuleDeclaration') visitNamespace(node, scopes, declares, from);
        else
          visitEnum(
            node,
            scopes,
            from === undefined ? declares : `${declares}${from}.${name}=`,
            from === undefined
              ? `${isFirst && keyword === 'let' ? '' : `${name}||`}{}`
              : `${from}.${name}||{}`,
          );
        continue;
      }
      if (from !== undefined) {
        if (node.type === 'VariableDeclaration') {
          exportVariables(statement, node, scopes);
          continue;
        }
        replace(statement.start, node.start, '');
        insert(node.end, `;${from}.${name}=${name};`);
      }
      visit(node, statement, scopes, owner);
    }
  };

  const exportVariables = (statement: SyntaxNode, node: SyntaxNode, scopes: readonly Scope[]) => {
    const declarators = nodesIn(node, 'declarations');
    replace(statement.start, declarators[0]?.start ?? node.end, ';');
    for (const each of declarators) {
      const isPattern = nodeIn(each, 'id')?.type !== 'Identifier';
      if (!nodeIn(each, 'init')) {
        replace(each.start, each.end, 'void 0');
        continue;
      }
      if (isPattern) insert(each.start, '(');
      visit(each, node, scopes);
      if (isPattern) insert(each.end, ')');
    }
  };

  const visitImport = (node: SyntaxNode, scopes: readonly Scope[], owner: string | undefined) => {
    const id = nodeIn(node, 'id');
    const name = nameOf(id);
    const target = nodeIn(node, 'moduleReference');
    if (!id || !target) return;
    const isExport = node.isExport === true;
    if (!isExport && !used.has(name)) return replace(node.start, node.end, ';');
    const to = isExport ? `=${owner ?? 'exports'}.${name}` : '';
    replace(node.start, id.end, `const ${name}${to}`);
    let first = target;
    while (first.type === 'TSQualifiedName') first = nodeIn(first, 'left') ?? first;
    if (first.type === 'Identifier') refer(first, target, scopes);
  };

  const visitClass = (node: SyntaxNode) => {
    const body = nodeIn(node, 'body');
    const members = body ? nodesIn(body, 'body') : [];
    const built = members.find((each) => each.kind === 'constructor' && nodeIn(each, 'value')?.body);
    const made = built && nodeIn(built, 'value');
    if (!body || !made) return;
    const names = nodesIn(made, 'params')
      .filter((each) => each.type === 'TSParameterProperty')
      .flatMap((each) => [...boundNames(each)]);
    if (names.length === 0) return;
    insert(body.start + 1, names.map((name) => `${name};`).join(''));
    const sets = names.map((name) => `this.${name}=${name}`).join(',');
    const start = nodeIn(made, 'body');
    if (!start) return;
    if (!nodeIn(node, 'superClass')) return void insert(start.start + 1, `${sets};`);
    for (const { call, parent } of superCalls(start, made)) {
      const isStatement = parent.type === 'ExpressionStatement';
      if (!isStatement) insert(call.start, '(');
      insert(call.end, isStatement ? `,${sets}` : `,${sets},this)`);
    }
  };

  const visit = (node: SyntaxNode, parent: SyntaxNode, scopes: readonly Scope[], owner?: string): void => {
    if (isOnlyType(node)) return;
    switch (node.type) {
      case 'Identifier':
        return refer(node, parent, scopes);
      case 'TSImportEqualsDeclaration':
        return visitImport(node, scopes, owner);
      case 'TSExportAssignment': {
        const value = nodeIn(node, 'expression');
        if (!value) return;
        replace(node.start, source.indexOf('=', node.start) + 1, 'module.exports =');
        return visit(value, node, scopes);
      }
      case 'TSTypeAssertion': {
        const value = nodeIn(node, 'expression');
        if (!value) return;
        const end = source.indexOf('>', nodeIn(node, 'typeAnnotation')?.end) + 1;
        edits.push({ start: node.start, end, text: blank(source.slice(node.start, end)) });
        return visit(value, node, scopes);
      }
      case 'ClassDeclaration':
      case 'ClassExpression':
        visitClass(node);
        break;
    }
    const scope = scopeOf(node);
    const inside = scope ? [...scopes, new Map([...scope].map((name) => [name, undefined]))] : scopes;
    const statements = node.type === 'BlockStatement' || node.type === 'StaticBlock';
    if (statements || node.type === 'Program')
      return visitStatements(nodesIn(node, 'body'), inside, undefined, statements ? 'let' : 'var');
    for (const child of childrenOf(node)) {
      if (isTypeNode(child) || isName(node, child)) continue;
      visit(child, node, inside);
    }
  };
  visit(program, program, []);
  return edits;
}

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

function isTypeNode(node: SyntaxNode): boolean {
  if (node.type === 'TSModuleDeclaration') return hasOnlyTypes(node);
  return node.type.startsWith('TS') && !VALUES.has(node.type);
}

function ownerOf(name: string, scopes: readonly Scope[]): string | undefined {
  for (const scope of scopes.toReversed()) if (scope.has(name)) return scope.get(name);
  return undefined;
}

/** The names that are used as values, or may be. */
function usedNames(program: SyntaxNode): ReadonlySet<string> {
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

function* superCalls(
  node: SyntaxNode,
  parent: SyntaxNode,
): Generator<{ readonly call: SyntaxNode; readonly parent: SyntaxNode }> {
  if (node.type === 'CallExpression' && nodeIn(node, 'callee')?.type === 'Super')
    yield { call: node, parent };
  if (node !== parent && /^(?:Function|Class)/.test(node.type)) return;
  for (const child of childrenOf(node)) yield* superCalls(child, node);
}

function lineEnds(text: string): string {
  return text.replace(/[^\n]/g, '');
}
