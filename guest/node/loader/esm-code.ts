import { AWAIT_NAMES, awaitEdits } from './await-code.ts';
import { blank, EditedText, type Edit } from './edits.ts';
import { boundNames, isFunction, isName, scopeOf } from './names.ts';
import { childrenOf, nameOf, nodeIn, nodesIn, parse, type SyntaxNode } from './syntax.ts';

/** A module that a module imports or re-exports from. */
export interface ModuleRequest {
  readonly specifier: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The offset in the source of the first statement that names it. */
  readonly start: number;
}

/** An import of `name` from request number `from`. `start` and `end` are its offsets in the source. */
export interface NamedImport {
  readonly from: number;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Re-exports `name` of request number `from` as `exported`. Where `name` is null, it is the whole namespace. */
export interface Reexport {
  readonly exported: string;
  readonly from: number;
  readonly name: string | null;
}

/** An ECMAScript module, turned into a function whose parameters are its imports. */
export interface EsmCode {
  readonly text: EditedText;
  readonly requests: readonly ModuleRequest[];
  readonly imports: readonly NamedImport[];
  readonly reexports: readonly Reexport[];
  /** The numbers of the requests of `export * from`. */
  readonly stars: readonly number[];
  /** The names that the module itself exports. */
  readonly exports: readonly string[];
  readonly isAsync: boolean;
  /** The numbers of the requests whose namespaces are parameters of the function. */
  readonly namespaces: readonly number[];
}

/** The types of nodes with a list of statements, where another statement can be inserted. */
const STATEMENTS = new Set(['Program', 'BlockStatement', 'StaticBlock', 'SwitchCase']);

/** The prefix of names that are added to the code. No source uses it. */
const OWN = '__vtr_';

/**
 * Turns an ECMAScript module into a generator function. Up to its `yield`, the generator passes on getters of its exports:
 * by then functions are hoisted, and everything else is in its temporal dead zone. The second step runs the module. The
 * parameters are: the function that takes the getters, `import.meta`, `import()`, an object whose `place` is set to the
 * offset in the source where the module awaits, the two functions of await-code.ts, an object of bindings for each
 * request, and a namespace for each of `namespaces`. Throws a SyntaxError with `pos`.
 */
export function esmCode(source: string, followsAwait = false): EsmCode {
  const program: SyntaxNode = { ...parse(source, 'module') };
  const edits: Edit[] = followsAwait ? [...awaitEdits(program, source)] : [];
  const replace = (start: number, end: number, text: string) => edits.push({ start, end, text });
  const hide = (start: number, end: number) => replace(start, end, blank(source.slice(start, end)));
  // A semicolon stays, because a blank could join the statements before and after.
  const hideStatement = ({ start, end }: SyntaxNode) =>
    replace(start, end, `;${blank(source.slice(start + 1, end))}`);
  if (source.startsWith('#!')) replace(0, 2, '//');

  const requests: ModuleRequest[] = [];
  const imports: NamedImport[] = [];
  const reexports: Reexport[] = [];
  const stars: number[] = [];
  const namespaces: number[] = [];
  const namespaceNames: string[] = [];
  const getters = new Map<string, string>();
  /** Keyed by the local name of an import: the request and the name in it; null for the namespace. */
  const bindings = new Map<string, { readonly from: number; readonly name: string | null }>();
  let defaultFunction = false;
  let isAsync = false;

  const requestOf = (node: SyntaxNode): number => {
    const specifier = String(nodeIn(node, 'source')?.value);
    const attributes = Object.fromEntries(
      nodesIn(node, 'attributes').map((each) => [
        nameOf(nodeIn(each, 'key')),
        String(nodeIn(each, 'value')?.value),
      ]),
    );
    const key = JSON.stringify(attributes);
    const known = requests.findIndex(
      (each) => each.specifier === specifier && JSON.stringify(each.attributes) === key,
    );
    return known >= 0 ? known : requests.push({ specifier, attributes, start: node.start }) - 1;
  };

  const statements = nodesIn(program, 'body');
  for (const node of statements) {
    switch (node.type) {
      case 'ImportDeclaration': {
        const from = requestOf(node);
        for (const each of nodesIn(node, 'specifiers')) {
          const local = nameOf(nodeIn(each, 'local'));
          if (each.type === 'ImportNamespaceSpecifier') {
            bindings.set(local, { from, name: null });
            namespaces.push(from);
            namespaceNames.push(local);
            continue;
          }
          const imported = nodeIn(each, 'imported');
          const name = each.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(imported);
          bindings.set(local, { from, name });
          const at = imported ?? each;
          imports.push({ from, name, start: at.start, end: at.end });
        }
        hideStatement(node);
        break;
      }
      case 'ExportAllDeclaration': {
        const from = requestOf(node);
        const exported = nodeIn(node, 'exported');
        if (exported) reexports.push({ exported: nameOf(exported), from, name: null });
        else stars.push(from);
        hideStatement(node);
        break;
      }
    }
  }
  for (const node of statements) {
    if (node.type === 'ExportNamedDeclaration') {
      const declaration = nodeIn(node, 'declaration');
      const specifiers = nodesIn(node, 'specifiers');
      if (declaration) {
        hide(node.start, declaration.start);
        for (const name of declaredBy(declaration)) getters.set(name, name);
        continue;
      }
      const from = nodeIn(node, 'source') ? requestOf(node) : undefined;
      for (const each of specifiers) {
        const exported = nameOf(nodeIn(each, 'exported'));
        const local = nodeIn(each, 'local');
        const binding = bindings.get(nameOf(local));
        if (from !== undefined) {
          reexports.push({ exported, from, name: nameOf(local) });
          imports.push({ from, name: nameOf(local), start: local?.start ?? 0, end: local?.end ?? 0 });
        } else if (binding) reexports.push({ exported, from: binding.from, name: binding.name });
        else getters.set(exported, nameOf(local));
      }
      hideStatement(node);
    } else if (node.type === 'ExportDefaultDeclaration') {
      const declaration = nodeIn(node, 'declaration');
      if (!declaration) continue;
      const id = nodeIn(declaration, 'id');
      if (id && declaration.type !== 'FunctionExpression' && declaration.type.endsWith('Declaration')) {
        hide(node.start, declaration.start);
        getters.set('default', nameOf(id));
      } else if (declaration.type === 'FunctionDeclaration') {
        hide(node.start, declaration.start);
        const head = /^(?:async\s+)?function\s*\*?/.exec(source.slice(declaration.start))?.[0].length ?? 0;
        replace(declaration.start + head, declaration.start + head, ` ${OWN}default`);
        getters.set('default', `${OWN}default`);
        defaultFunction = true;
      } else {
        // As a property of an object, an anonymous function or class gets the name `default`.
        const opening = /^export\s+default/.exec(source.slice(node.start))?.[0].length ?? 0;
        replace(node.start, node.start + opening, `const ${OWN}default=({default:`);
        const end = /^[\s\S]*?(?=;?\s*$)/.exec(source.slice(declaration.start, node.end))?.[0].length ?? 0;
        replace(declaration.start + end, declaration.start + end, '}).default;');
        getters.set('default', `${OWN}default`);
      }
    }
  }

  const scopes: ReadonlySet<string>[] = [];
  /** Members that are assigned to or deleted. These stay accesses of the namespace, which throws the right error. */
  const written = new Set<SyntaxNode | undefined>();
  /** The offsets of expression statements, which may follow a statement without a semicolon. */
  const openings = new Set<number>();
  const isShadowed = (name: string) => scopes.some((scope) => scope.has(name));

  const refer = (node: SyntaxNode, parent: SyntaxNode) => {
    const name = nameOf(node);
    const binding = bindings.get(name);
    if (!binding || isShadowed(name)) return;
    if (binding.name === null) {
      // A member of a namespace is read from the bindings directly, because the namespace is a slow proxy.
      const isMember =
        parent.type === 'MemberExpression' &&
        parent.object === node &&
        parent.computed !== true &&
        !written.has(parent);
      if (isMember) replace(node.start, node.end, `${OWN}${binding.from}`);
      return;
    }
    const access = `${OWN}${binding.from}${accessOf(binding.name)}`;
    const isCalled =
      (parent.type === 'CallExpression' && parent.callee === node) ||
      (parent.type === 'TaggedTemplateExpression' && parent.tag === node);
    // Without a semicolon, the added bracket would turn the statement before into a call.
    if (isCalled && openings.has(node.start)) replace(node.start, node.start, ';');
    if (parent.type === 'Property' && parent.shorthand === true) replace(node.end, node.end, `:${access}`);
    else replace(node.start, node.end, isCalled ? `(0,${access})` : access);
  };

  const visit = (node: SyntaxNode, parent: SyntaxNode, inFunction: boolean): void => {
    switch (node.type) {
      case 'Identifier':
        return refer(node, parent);
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'BreakStatement':
      case 'ContinueStatement':
        return;
      case 'ExportNamedDeclaration': {
        const declaration = nodeIn(node, 'declaration');
        if (declaration) visit(declaration, node, inFunction);
        return;
      }
      case 'MetaProperty':
        if (nameOf(nodeIn(node, 'meta')) === 'import') replace(node.start, node.end, `${OWN}meta`);
        return;
      case 'ImportExpression':
        replace(node.start, node.start + 'import'.length, `${OWN}import`);
        break;
      case 'AssignmentExpression':
        written.add(nodeIn(node, 'left'));
        break;
      case 'UpdateExpression':
      case 'UnaryExpression':
        if (node.type === 'UpdateExpression' || node.operator === 'delete')
          written.add(nodeIn(node, 'argument'));
        break;
      case 'AwaitExpression':
        if (!inFunction) {
          isAsync = true;
          const awaited = nodeIn(node, 'argument');
          if (awaited) {
            replace(awaited.start, awaited.start, `(${OWN}at.place=${node.start},`);
            replace(awaited.end, awaited.end, ')');
          }
        }
        break;
      case 'ForOfStatement':
        if (node.await === true && !inFunction) {
          isAsync = true;
          const left = nodeIn(node, 'left');
          const named = (left && nodesIn(left, 'declarations')[0]) ?? left;
          if (named && STATEMENTS.has(parent.type))
            replace(node.start, node.start, `${OWN}at.place=${named.start};`);
        }
        break;
    }
    if (node.type === 'ExpressionStatement' && STATEMENTS.has(parent.type)) openings.add(node.start);
    const scope = bindings.size > 0 ? scopeOf(node) : undefined;
    if (scope) scopes.push(scope);
    // An await in a class field or static block is not at the top of the module either.
    const inside = inFunction || isFunction(node) || node.type === 'StaticBlock';
    for (const child of childrenOf(node)) {
      if (isName(node, child)) continue;
      visit(child, node, inside);
    }
    if (scope) scopes.pop();
  };
  for (const statement of statements) visit(statement, program, false);

  const parameters = [
    `${OWN}export`,
    `${OWN}meta`,
    `${OWN}import`,
    `${OWN}at`,
    AWAIT_NAMES.take,
    AWAIT_NAMES.each,
    ...requests.map((_, index) => `${OWN}${index}`),
    ...namespaceNames,
  ];
  const given = [...getters].map(([exported, local]) => `${JSON.stringify(exported)}:()=>${local}`);
  const named = defaultFunction
    ? `Object.defineProperty(${OWN}default,"name",{value:"default",configurable:true});`
    : '';
  const header = `(${isAsync ? 'async ' : ''}function*(${parameters.join(',')}){"use strict";${named}${OWN}export({__proto__:null,${given.join(',')}});yield;`;
  edits.unshift({ start: 0, end: 0, text: header });
  edits.push({ start: source.length, end: source.length, text: '\n})' });
  return {
    text: new EditedText(source, edits),
    requests,
    imports,
    reexports,
    stars,
    exports: [...getters.keys()],
    isAsync,
    namespaces,
  };
}

function* declaredBy(declaration: SyntaxNode): Generator<string> {
  if (declaration.type === 'VariableDeclaration')
    for (const each of nodesIn(declaration, 'declarations')) yield* boundNames(nodeIn(each, 'id'));
  else if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration')
    yield nameOf(nodeIn(declaration, 'id'));
}

function accessOf(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
