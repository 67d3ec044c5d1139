import { blank, type Edit } from '../edits.ts';
import { isName, scopeOf } from '../names.ts';
import { childrenOf, nameOf, nodeIn, nodesIn, type SyntaxNode } from '../syntax.ts';
import type { Constant } from './enum-values.ts';
import { enumEdits } from './enums.ts';
import { parameterPropertyEdits } from './parameter-properties.ts';
import { namespaceMembers, ownerOf, usedNames, type Scopes } from './scopes.ts';
import { isOnlyType, isTypeNode } from './type-nodes.ts';

/** Turns enums, namespaces, parameter properties, `import x =` and `export =` into JavaScript with the same line numbers. */
export function transformEdits(source: string, program: SyntaxNode): Edit[] {
  const transform = new TypeScriptTransform(source, program);
  transform.visit(program, program, []);
  return transform.edits;
}

/** A list of statements. `owner` is the namespace whose body they are. */
interface Block {
  readonly scopes: Scopes;
  readonly owner: string | undefined;
  /** The keyword that declares an enum or a namespace here. */
  readonly keyword: 'var' | 'let';
}

export class TypeScriptTransform {
  readonly source: string;
  readonly edits: Edit[] = [];
  /** The member values of each enum, keyed by its name: an enum may have several declarations. */
  readonly enums = new Map<string, Map<string, Constant>>();
  readonly #used: ReadonlySet<string>;

  constructor(source: string, program: SyntaxNode) {
    this.source = source;
    this.#used = usedNames(program);
  }

  replace(start: number, end: number, text: string): void {
    this.edits.push({ start, end, text: text + lineEnds(this.source.slice(start, end)) });
  }

  insert(at: number, text: string): void {
    this.edits.push({ start: at, end: at, text });
  }

  visit(node: SyntaxNode, parent: SyntaxNode, scopes: Scopes, owner?: string): void {
    if (isOnlyType(node)) return;
    switch (node.type) {
      case 'Identifier':
        return this.#refer(node, parent, scopes);
      case 'TSImportEqualsDeclaration':
        return this.#visitImport(node, scopes, owner);
      case 'TSExportAssignment':
        return this.#visitExportAssignment(node, scopes);
      case 'TSTypeAssertion':
        return this.#visitAssertion(node, scopes);
      case 'ClassDeclaration':
      case 'ClassExpression':
        for (const { at, text } of parameterPropertyEdits(node)) this.insert(at, text);
        break;
    }
    const scope = scopeOf(node);
    const inside = scope ? [...scopes, new Map([...scope].map((name) => [name, undefined]))] : scopes;
    const isBlock = node.type === 'BlockStatement' || node.type === 'StaticBlock';
    if (isBlock || node.type === 'Program')
      return this.#visitStatements(nodesIn(node, 'body'), {
        scopes: inside,
        owner: undefined,
        keyword: isBlock ? 'let' : 'var',
      });
    for (const child of childrenOf(node)) {
      if (isTypeNode(child) || isName(node, child)) continue;
      this.visit(child, node, inside);
    }
  }

  #visitStatements(statements: readonly SyntaxNode[], block: Block): void {
    const known = new Set(statements.flatMap(nameToMerge));
    for (const statement of statements) {
      const declaration = nodeIn(statement, 'declaration');
      const isExport = statement.type === 'ExportNamedDeclaration';
      const node = isExport && declaration ? declaration : statement;
      if (isOnlyType(node) || isOnlyType(statement)) continue;
      const name = nameOf(nodeIn(node, 'id'));
      if (node.type === 'TSEnumDeclaration' || node.type === 'TSModuleDeclaration') {
        const isFirst = !known.has(name);
        known.add(name);
        // A repeated declaration is exported already.
        if (isExport && (block.owner !== undefined || !isFirst))
          this.replace(statement.start, node.start, '');
        this.#visitObject(node, block, isFirst, isExport ? block.owner : undefined);
      } else if (isExport && block.owner !== undefined) this.#visitMember(statement, node, block);
      else this.visit(node, statement, block.scopes, block.owner);
    }
  }

  /** Turns an enum or a namespace into an object. `owner` is the namespace that exports it, if any. */
  #visitObject(
    node: SyntaxNode,
    { scopes, keyword }: Block,
    isFirst: boolean,
    owner: string | undefined,
  ): void {
    const name = nameOf(nodeIn(node, 'id'));
    const declares = isFirst ? `${keyword} ${name}=` : `${name}=`;
    if (node.type === 'TSModuleDeclaration') return this.#visitNamespace(node, scopes, declares, owner);
    if (owner !== undefined)
      return enumEdits(this, node, scopes, {
        head: `${declares}${owner}.${name}=`,
        around: `${owner}.${name}||{}`,
      });
    const isNew = isFirst && keyword === 'let';
    enumEdits(this, node, scopes, { head: declares, around: `${isNew ? '' : `${name}||`}{}` });
  }

  /** Visits an exported member of a namespace. */
  #visitMember(statement: SyntaxNode, node: SyntaxNode, { scopes, owner }: Block): void {
    if (node.type === 'VariableDeclaration') return this.#exportVariables(statement, node, scopes);
    const name = nameOf(nodeIn(node, 'id'));
    this.replace(statement.start, node.start, '');
    this.insert(node.end, `;${owner}.${name}=${name};`);
    this.visit(node, statement, scopes, owner);
  }

  /** `owner` is the namespace that exports this one, if any. */
  #visitNamespace(node: SyntaxNode, scopes: Scopes, head: string, owner: string | undefined): void {
    const name = nameOf(nodeIn(node, 'id'));
    const body = nodeIn(node, 'body');
    if (!body) return;
    const object = owner === undefined ? name : `${owner}.${name}`;
    const around = `${object}||(${object}={})`;
    const opening = `${head}(function (${name}) {`;
    if (body.type === 'TSModuleDeclaration') {
      this.replace(node.start, body.start, opening);
      const inner = nameOf(nodeIn(body, 'id'));
      this.#visitNamespace(body, [...scopes, new Map([[inner, undefined]])], `var ${inner}=`, name);
      return this.insert(node.end, `return ${name};})(${around});`);
    }
    this.replace(node.start, body.start + 1, opening);
    const statements = nodesIn(body, 'body');
    const inside = [...scopes, namespaceMembers(statements, name)];
    this.#visitStatements(statements, { scopes: inside, owner: name, keyword: 'var' });
    this.replace(node.end - 1, node.end, `;return ${name};})(${around});`);
  }

  #exportVariables(statement: SyntaxNode, node: SyntaxNode, scopes: Scopes): void {
    const declarators = nodesIn(node, 'declarations');
    this.replace(statement.start, declarators[0]?.start ?? node.end, ';');
    for (const each of declarators) {
      const isPattern = nodeIn(each, 'id')?.type !== 'Identifier';
      if (!nodeIn(each, 'init')) {
        this.replace(each.start, each.end, 'void 0');
        continue;
      }
      if (isPattern) this.insert(each.start, '(');
      this.visit(each, node, scopes);
      if (isPattern) this.insert(each.end, ')');
    }
  }

  #visitImport(node: SyntaxNode, scopes: Scopes, owner: string | undefined): void {
    const id = nodeIn(node, 'id');
    const name = nameOf(id);
    const target = nodeIn(node, 'moduleReference');
    if (!id || !target) return;
    const isExport = node.isExport === true;
    if (!isExport && !this.#used.has(name)) return this.replace(node.start, node.end, ';');
    const to = isExport ? `=${owner ?? 'exports'}.${name}` : '';
    this.replace(node.start, id.end, `const ${name}${to}`);
    let first = target;
    while (first.type === 'TSQualifiedName') first = nodeIn(first, 'left') ?? first;
    if (first.type === 'Identifier') this.#refer(first, target, scopes);
  }

  #visitExportAssignment(node: SyntaxNode, scopes: Scopes): void {
    const value = nodeIn(node, 'expression');
    if (!value) return;
    this.replace(node.start, this.source.indexOf('=', node.start) + 1, 'module.exports =');
    this.visit(value, node, scopes);
  }

  #visitAssertion(node: SyntaxNode, scopes: Scopes): void {
    const value = nodeIn(node, 'expression');
    if (!value) return;
    const end = this.source.indexOf('>', nodeIn(node, 'typeAnnotation')?.end) + 1;
    this.edits.push({ start: node.start, end, text: blank(this.source.slice(node.start, end)) });
    this.visit(value, node, scopes);
  }

  #refer(node: SyntaxNode, parent: SyntaxNode, scopes: Scopes): void {
    const name = nameOf(node);
    const owner = ownerOf(name, scopes);
    if (owner === undefined) return;
    const isShort = parent.type === 'Property' && parent.shorthand === true;
    const access = `${owner}.${name}`;
    this.replace(node.start, node.start + name.length, isShort ? `${name}:${access}` : access);
  }
}

/** The name of a class or function, with which an enum or a namespace of the same name is merged. */
function nameToMerge(statement: SyntaxNode): string[] {
  const declaration = nodeIn(statement, 'declaration') ?? statement;
  const isOther = declaration.type === 'ClassDeclaration' || declaration.type === 'FunctionDeclaration';
  return isOther ? [nameOf(nodeIn(declaration, 'id'))] : [];
}

function lineEnds(text: string): string {
  return text.replace(/[^\n]/g, '');
}
