import { Parser, type Program } from 'acorn';
import { evalCode } from './cjs-code.ts';
import { EditedText, type Edit } from './edits.ts';
import { declaredNames, isFunction } from './names.ts';
import { childrenOf, COMMON, nameOf, nodeIn, nodesIn, parse, type SyntaxNode } from './syntax.ts';

/** The code of one input of the REPL. Its declarations become globals, so that later inputs see them. */
export interface ReplCode {
  readonly text: EditedText;
  /** It has an `await` outside functions: its value is a promise of `{ value }`. */
  readonly isAsync: boolean;
  /** The names that `let`, `const` and `class` declare in it. */
  readonly lexical: readonly string[];
  readonly constants: readonly string[];
}

/** Reads an input. Throws acorn's SyntaxError. */
export function replCode(source: string): ReplCode {
  const program: SyntaxNode = { ...read(source) };
  const body = nodesIn(program, 'body');
  const lexical = body.filter(
    (node) =>
      node.type === 'ClassDeclaration' || (node.type === 'VariableDeclaration' && node.kind !== 'var'),
  );
  const isAsync = awaits(program);
  const edits = isAsync ? asyncEdits(source, body) : body.flatMap(declarationEdits);
  return {
    text: new EditedText(source, [...edits, ...importEdits(source)]),
    isAsync,
    lexical: [...declaredNames(lexical)],
    constants: [...declaredNames(lexical.filter((node) => node.kind === 'const'))],
  };
}

/** Whether a text that does not parse may do so with more lines. */
export function isIncomplete(source: string): boolean {
  try {
    read(source);
    return false;
  } catch (error) {
    const { message = '', pos }: { readonly message?: string; readonly pos?: unknown } = Object(error);
    if (/^Unterminated (?:template|comment)/.test(message)) return true;
    if (message.startsWith('Unterminated string constant')) return /\\\r?\n$/.test(source);
    return message.startsWith('Unexpected token') && Number(pos) >= source.length;
  }
}

function read(source: string): Program {
  return Parser.parse(source, {
    ...COMMON,
    sourceType: 'script',
    allowAwaitOutsideFunction: /\bawait\b/.test(source),
  });
}

function awaits(node: SyntaxNode): boolean {
  if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await === true)) return true;
  if (isFunction(node)) return false;
  for (const child of childrenOf(node)) if (awaits(child)) return true;
  return false;
}

/** `import()` becomes a call of the function that imports from the working directory. */
function importEdits(source: string): readonly Edit[] {
  return evalCode(source).edits.filter(({ text }) => text !== '');
}

/** Without `await`: a `var` of evaluated code is a global, while `let`, `const` and `class` end with it. */
function declarationEdits(node: SyntaxNode): Edit[] {
  const { start, end } = node;
  if (node.type === 'ClassDeclaration')
    return [
      { start, end: start, text: `var ${nameOf(nodeIn(node, 'id'))}=` },
      { start: end, end, text: ';' },
    ];
  if (node.type !== 'VariableDeclaration' || node.kind === 'var') return [];
  return [{ start, end: start + String(node.kind).length, text: 'var' }, ...emptied(node)];
}

/** `let x` without a value, which may be there from before. */
function emptied(node: SyntaxNode): Edit[] {
  return nodesIn(node, 'declarations').flatMap((each) =>
    nodeIn(each, 'init') ? [] : [{ start: each.end, end: each.end, text: '=undefined' }],
  );
}

/** With `await`: an async function, in which declarations are assignments to variables that are declared before it. */
function asyncEdits(source: string, body: readonly SyntaxNode[]): Edit[] {
  const names = [...new Set(declaredNames(body))];
  const functions = body
    .filter((node) => node.type === 'FunctionDeclaration')
    .map((node) => nameOf(nodeIn(node, 'id')));
  const hoisted = functions.map((name) => `globalThis.${name}=${name};`).join('');
  const head = `${names.length > 0 ? `var ${names.join()};` : ''}(async()=>{${hoisted}`;
  return [
    { start: 0, end: 0, text: head },
    ...body.flatMap(assignmentEdits),
    ...returnEdits(source, body.at(-1)),
    { start: source.length, end: source.length, text: '\n})()' },
  ];
}

function assignmentEdits(node: SyntaxNode): Edit[] {
  const { start, end } = node;
  if (node.type === 'ClassDeclaration')
    return [
      { start, end: start, text: `${nameOf(nodeIn(node, 'id'))}=` },
      { start: end, end, text: ';' },
    ];
  if (node.type !== 'VariableDeclaration') return [];
  const last = nodesIn(node, 'declarations').at(-1)?.end ?? end;
  return [
    { start, end: start + String(node.kind).length, text: 'void (' },
    ...emptied(node),
    { start: last, end: last, text: ')' },
  ];
}

/** The value of the last expression, in an object: a promise would be waited for. */
function returnEdits(source: string, last: SyntaxNode | undefined): Edit[] {
  if (last?.type !== 'ExpressionStatement') return [];
  const end = source[last.end - 1] === ';' ? last.end - 1 : last.end;
  return [
    { start: last.start, end: last.start, text: 'return {value:(' },
    { start: end, end, text: ')}' },
  ];
}

/** The same imports by `import()`, which a REPL can run. */
export function dynamicImports(source: string): string {
  const program: SyntaxNode = { ...parse(source, 'module') };
  return nodesIn(program, 'body')
    .filter((node) => node.type === 'ImportDeclaration')
    .map((node) => {
      const names = nodesIn(node, 'specifiers');
      const [first] = names;
      const call = `await import(${JSON.stringify(nameOf(nodeIn(node, 'source')))});`;
      if (!first) return call;
      if (first.type === 'ImportNamespaceSpecifier')
        return `const ${nameOf(nodeIn(first, 'local'))} = ${call}`;
      return `const { ${names.map(boundImport).join(', ')} } = ${call}`;
    })
    .join('');
}

function boundImport(specifier: SyntaxNode): string {
  const local = nameOf(nodeIn(specifier, 'local'));
  const imported = nameOf(nodeIn(specifier, 'imported')) || 'default';
  return local === imported ? local : `${imported}: ${local}`;
}
