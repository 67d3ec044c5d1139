import { EditedText, type Edit } from './edits.ts';
import { boundNames, isFunction, scopeOf } from './names.ts';
import { childrenOf, nameOf, nodeIn, nodesIn, parse, type SyntaxNode } from './syntax.ts';

/** The functions that the code of {@link vmCode} calls. */
export const VM_NAMES = {
  imports: '__vtr_vm_imports',
  tick: '__vtr_tick',
  typeOf: '__vtr_typeof',
  take: '__vtr_take',
  functionOf: '__vtr_function',
  thisOf: '__vtr_this',
} as const;

export interface VmCodeOptions {
  /** Whether loops and functions check for the timeout. */
  readonly isTimed: boolean;
  /** The number under which the script's `import()` function is stored. */
  readonly importId: number;
  /** Whether it runs in a context, which takes its functions before it runs, and handles `typeof` of unknown names. */
  readonly isInContext: boolean;
  /** Whether `this` is the context where it would be the realm's global object. */
  readonly ownsThis?: boolean;
}

/** Prepares a script of `node:vm`. Throws acorn's SyntaxError. */
export function vmCode(source: string, options: VmCodeOptions): EditedText {
  const { isTimed, isInContext, importId, ownsThis = false } = options;
  const program: SyntaxNode = { ...parse(source, 'script') };
  const edits: Edit[] = [];
  if (isInContext) {
    const getters = nodesIn(program, 'body').flatMap((node) => {
      const name = node.type === 'FunctionDeclaration' ? nameOf(nodeIn(node, 'id')) : undefined;
      return name === undefined ? [] : [`${name}:()=>${name}`];
    });
    const lexical = nodesIn(program, 'body')
      .flatMap(lexicalNames)
      .map((name) => `${name}:[()=>${name},__vtr_to=>{${name}=__vtr_to}]`);
    edits.push({
      start: 0,
      end: 0,
      text: `${VM_NAMES.take}({${getters.join(',')}},{${lexical.join(',')}});`,
    });
  }
  if (source.startsWith('#!')) edits.push({ start: 0, end: 2, text: '//' });
  const bound = isInContext ? new Set(namesIn(program)) : new Set<string>();
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'ImportExpression')
      edits.push({
        start: node.start,
        end: node.start + 'import'.length,
        text: `${VM_NAMES.imports}[${importId}]`,
      });
    if (isTimed) edits.push(...tick(node));
    if (isInContext) edits.push(...functionCall(node));
    if (ownsThis && node.type === 'ThisExpression')
      edits.push({ start: node.start, end: node.end, text: `${VM_NAMES.thisOf}(this)` });
    if (isInContext && node.type === 'UnaryExpression' && node.operator === 'typeof') {
      const operand = nodeIn(node, 'argument');
      const name = nameOf(operand);
      if (operand?.type === 'Identifier' && !bound.has(name)) {
        edits.push({
          start: node.start,
          end: node.end,
          text: `${VM_NAMES.typeOf}(${JSON.stringify(name)},()=>typeof ${name})`,
        });
        return;
      }
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return new EditedText(source, edits);
}

/** The `let`, `const` and `class` names of a top-level statement. Later scripts see them, but not the context's object. */
function lexicalNames(node: SyntaxNode): string[] {
  if (node.type === 'ClassDeclaration') return [nameOf(nodeIn(node, 'id'))];
  if (node.type !== 'VariableDeclaration' || node.kind === 'var') return [];
  return nodesIn(node, 'declarations').flatMap((each) => [...boundNames(nodeIn(each, 'id'))]);
}

/** Every name that is declared anywhere in a node. */
function* namesIn(node: SyntaxNode): Generator<string> {
  if (node.type === 'VariableDeclarator') yield* boundNames(nodeIn(node, 'id'));
  else if (node.type.endsWith('Declaration')) yield nameOf(nodeIn(node, 'id'));
  yield* scopeOf(node) ?? [];
  for (const child of childrenOf(node)) yield* namesIn(child);
}

/** Lets `new Function(text)` and `Function(text)` make a function of the context. */
function* functionCall(node: SyntaxNode): Generator<Edit> {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return;
  const callee = nodeIn(node, 'callee');
  if (callee?.type !== 'Identifier' || nameOf(callee) !== 'Function') return;
  const { start, end } = callee;
  const text = `${VM_NAMES.functionOf}(Function)`;
  yield { start, end, text: node.type === 'NewExpression' ? `(${text})` : text };
}

function* tick(node: SyntaxNode): Generator<Edit> {
  const body = nodeIn(node, 'body');
  if (!body) return;
  const call = `${VM_NAMES.tick}()`;
  if (isFunction(node)) {
    if (body.type !== 'BlockStatement') return;
    const directives = nodesIn(body, 'body').filter((each) => typeof each.directive === 'string');
    const at = directives.at(-1)?.end ?? body.start + 1;
    yield { start: at, end: at, text: `;${call};` };
  } else if (/^(?:For|ForIn|ForOf|While|DoWhile)Statement$/.test(node.type)) {
    yield { start: body.start, end: body.start, text: `{${call};` };
    yield { start: body.end, end: body.end, text: '}' };
  }
}
