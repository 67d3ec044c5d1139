import { boundNames } from '../names.ts';
import { nameOf, nodeIn, nodesIn, type SyntaxNode } from '../syntax.ts';
import { OWN, type SourceEdits } from './source-edits.ts';
import type { ModuleRequest, NamedImport, Reexport } from './types.ts';

/** The request that an imported name comes from, and its name there; null for the namespace. */
export interface Binding {
  readonly from: number;
  readonly name: string | null;
}

/** Collects what a module imports and exports, and takes these statements out of its code. */
export class Declarations {
  readonly requests: ModuleRequest[] = [];
  readonly imports: NamedImport[] = [];
  readonly reexports: Reexport[] = [];
  readonly stars: number[] = [];
  readonly namespaces: number[] = [];
  readonly namespaceNames: string[] = [];
  /** The local name of each exported one. */
  readonly getters = new Map<string, string>();
  /** Keyed by the local name of an import. */
  readonly bindings = new Map<string, Binding>();
  /** Whether the default export is a function without a name. */
  hasDefaultFunction = false;
  readonly #edits: SourceEdits;

  constructor(edits: SourceEdits, statements: readonly SyntaxNode[]) {
    this.#edits = edits;
    for (const node of statements) {
      if (node.type === 'ImportDeclaration') this.#import(node);
      else if (node.type === 'ExportAllDeclaration') this.#exportAll(node);
    }
    for (const node of statements) {
      if (node.type === 'ExportNamedDeclaration') this.#exportNamed(node);
      else if (node.type === 'ExportDefaultDeclaration') this.#exportDefault(node);
    }
  }

  #requestOf(node: SyntaxNode): number {
    const specifier = String(nodeIn(node, 'source')?.value);
    const attributes = Object.fromEntries(
      nodesIn(node, 'attributes').map((each) => [
        nameOf(nodeIn(each, 'key')),
        String(nodeIn(each, 'value')?.value),
      ]),
    );
    const key = JSON.stringify(attributes);
    const known = this.requests.findIndex(
      (each) => each.specifier === specifier && JSON.stringify(each.attributes) === key,
    );
    return known >= 0 ? known : this.requests.push({ specifier, attributes, start: node.start }) - 1;
  }

  #import(node: SyntaxNode): void {
    const from = this.#requestOf(node);
    for (const each of nodesIn(node, 'specifiers')) {
      const local = nameOf(nodeIn(each, 'local'));
      if (each.type === 'ImportNamespaceSpecifier') {
        this.bindings.set(local, { from, name: null });
        this.namespaces.push(from);
        this.namespaceNames.push(local);
        continue;
      }
      const imported = nodeIn(each, 'imported');
      const name = each.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(imported);
      this.bindings.set(local, { from, name });
      const at = imported ?? each;
      this.imports.push({ from, name, start: at.start, end: at.end });
    }
    this.#edits.hideStatement(node);
  }

  #exportAll(node: SyntaxNode): void {
    const from = this.#requestOf(node);
    const exported = nodeIn(node, 'exported');
    if (exported) this.reexports.push({ exported: nameOf(exported), from, name: null });
    else this.stars.push(from);
    this.#edits.hideStatement(node);
  }

  #exportNamed(node: SyntaxNode): void {
    const declaration = nodeIn(node, 'declaration');
    if (declaration) {
      this.#edits.hide(node.start, declaration.start);
      for (const name of declaredBy(declaration)) this.getters.set(name, name);
      return;
    }
    const from = nodeIn(node, 'source') ? this.#requestOf(node) : undefined;
    for (const each of nodesIn(node, 'specifiers')) {
      const exported = nameOf(nodeIn(each, 'exported'));
      const local = nodeIn(each, 'local');
      const name = nameOf(local);
      const binding = this.bindings.get(name);
      if (from !== undefined) {
        this.reexports.push({ exported, from, name });
        this.imports.push({ from, name, start: local?.start ?? 0, end: local?.end ?? 0 });
      } else if (binding) this.reexports.push({ exported, ...binding });
      else this.getters.set(exported, name);
    }
    this.#edits.hideStatement(node);
  }

  #exportDefault(node: SyntaxNode): void {
    const declaration = nodeIn(node, 'declaration');
    if (!declaration) return;
    const { source } = this.#edits;
    const { start, type } = declaration;
    const id = nodeIn(declaration, 'id');
    if (id && type !== 'FunctionExpression' && type.endsWith('Declaration')) {
      this.#edits.hide(node.start, start);
      this.getters.set('default', nameOf(id));
      return;
    }
    this.getters.set('default', `${OWN}default`);
    if (type === 'FunctionDeclaration') {
      this.#edits.hide(node.start, start);
      const head = /^(?:async\s+)?function\s*\*?/.exec(source.slice(start))?.[0].length ?? 0;
      this.#edits.insert(start + head, ` ${OWN}default`);
      this.hasDefaultFunction = true;
      return;
    }
    // As a property of an object, an anonymous function or class gets the name `default`.
    const opening = /^export\s+default/.exec(source.slice(node.start))?.[0].length ?? 0;
    this.#edits.replace(node.start, node.start + opening, `const ${OWN}default=({default:`);
    const end = /^[\s\S]*?(?=;?\s*$)/.exec(source.slice(start, node.end))?.[0].length ?? 0;
    this.#edits.insert(start + end, '}).default;');
  }
}

function* declaredBy(declaration: SyntaxNode): Generator<string> {
  if (declaration.type === 'VariableDeclaration')
    for (const each of nodesIn(declaration, 'declarations')) yield* boundNames(nodeIn(each, 'id'));
  else if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration')
    yield nameOf(nodeIn(declaration, 'id'));
}
