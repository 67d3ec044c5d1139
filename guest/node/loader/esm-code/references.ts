import { isFunction, isName, scopeOf } from '../names.ts';
import { childrenOf, nameOf, nodeIn, nodesIn, type SyntaxNode } from '../syntax.ts';
import type { Binding } from './declarations.ts';
import { OWN, type SourceEdits } from './source-edits.ts';

/** The types of nodes with a list of statements, where another statement can be inserted. */
const STATEMENTS = new Set(['Program', 'BlockStatement', 'StaticBlock', 'SwitchCase']);

/** Turns references to imports, `import.meta`, `import()` and awaits at the top of a module into what its function has. */
export class References {
  readonly #edits: SourceEdits;
  readonly #bindings: ReadonlyMap<string, Binding>;
  readonly #scopes: ReadonlySet<string>[] = [];
  /** Members that are assigned to or deleted. These stay accesses of the namespace, which throws the right error. */
  readonly #written = new Set<SyntaxNode | undefined>();
  /** The offsets of expression statements, which may follow a statement without a semicolon. */
  readonly #openings = new Set<number>();
  /** Whether the module has a top-level await. */
  isAsync = false;

  constructor(edits: SourceEdits, bindings: ReadonlyMap<string, Binding>) {
    this.#edits = edits;
    this.#bindings = bindings;
  }

  visit(node: SyntaxNode, parent: SyntaxNode, inFunction: boolean): void {
    if (node.type === 'Identifier') return this.#refer(node, parent);
    if (!this.#enter(node, parent, inFunction)) return;
    if (node.type === 'ExpressionStatement' && STATEMENTS.has(parent.type)) this.#openings.add(node.start);
    const scope = this.#bindings.size > 0 ? scopeOf(node) : undefined;
    if (scope) this.#scopes.push(scope);
    // An await in a class field or static block is not at the top of the module either.
    const inside = inFunction || isFunction(node) || node.type === 'StaticBlock';
    for (const child of childrenOf(node)) {
      if (isName(node, child)) continue;
      this.visit(child, node, inside);
    }
    if (scope) this.#scopes.pop();
  }

  /** Edits a node itself. Returns whether its children are to be visited. */
  #enter(node: SyntaxNode, parent: SyntaxNode, inFunction: boolean): boolean {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'BreakStatement':
      case 'ContinueStatement':
        return false;
      case 'ExportNamedDeclaration': {
        const declaration = nodeIn(node, 'declaration');
        if (declaration) this.visit(declaration, node, inFunction);
        return false;
      }
      case 'MetaProperty':
        if (nameOf(nodeIn(node, 'meta')) === 'import')
          this.#edits.replace(node.start, node.end, `${OWN}meta`);
        return false;
      case 'ImportExpression':
        this.#edits.replace(node.start, node.start + 'import'.length, `${OWN}import`);
        return true;
      case 'AssignmentExpression':
        this.#written.add(nodeIn(node, 'left'));
        return true;
      case 'UpdateExpression':
      case 'UnaryExpression':
        if (node.type === 'UpdateExpression' || node.operator === 'delete')
          this.#written.add(nodeIn(node, 'argument'));
        return true;
      case 'AwaitExpression':
        if (!inFunction) this.#await(node);
        return true;
      case 'ForOfStatement':
        if (node.await === true && !inFunction) this.#forAwait(node, parent);
        return true;
      default:
        return true;
    }
  }

  #refer(node: SyntaxNode, parent: SyntaxNode): void {
    const name = nameOf(node);
    const binding = this.#bindings.get(name);
    if (!binding || this.#scopes.some((scope) => scope.has(name))) return;
    if (binding.name === null) {
      // A member of a namespace is read from the bindings directly, because the namespace is a slow proxy.
      const isMember =
        parent.type === 'MemberExpression' &&
        parent.object === node &&
        parent.computed !== true &&
        !this.#written.has(parent);
      if (isMember) this.#edits.replace(node.start, node.end, `${OWN}${binding.from}`);
      return;
    }
    const access = `${OWN}${binding.from}${accessOf(binding.name)}`;
    const isCalled =
      (parent.type === 'CallExpression' && parent.callee === node) ||
      (parent.type === 'TaggedTemplateExpression' && parent.tag === node);
    // Without a semicolon, the added bracket would turn the statement before into a call.
    if (isCalled && this.#openings.has(node.start)) this.#edits.insert(node.start, ';');
    if (parent.type === 'Property' && parent.shorthand === true) this.#edits.insert(node.end, `:${access}`);
    else this.#edits.replace(node.start, node.end, isCalled ? `(0,${access})` : access);
  }

  #await(node: SyntaxNode): void {
    this.isAsync = true;
    const awaited = nodeIn(node, 'argument');
    if (!awaited) return;
    this.#edits.insert(awaited.start, `(${OWN}at.place=${node.start},`);
    this.#edits.insert(awaited.end, ')');
  }

  #forAwait(node: SyntaxNode, parent: SyntaxNode): void {
    this.isAsync = true;
    const left = nodeIn(node, 'left');
    const named = (left && nodesIn(left, 'declarations')[0]) ?? left;
    if (named && STATEMENTS.has(parent.type))
      this.#edits.insert(node.start, `${OWN}at.place=${named.start};`);
  }
}

function accessOf(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
