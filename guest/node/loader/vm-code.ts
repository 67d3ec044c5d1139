import { EditedText, type Edit } from './edits.ts';
import { boundNames, isFunction, scopeOf } from './names.ts';
import { childrenOf, nameOf, nodeIn, nodesIn, parse, type SyntaxNode } from './syntax.ts';

/** What the code of {@link vmCode} calls. */
export const VM_NAMES = {
  imports: '__vtr_vm_imports',
  tick: '__vtr_tick',
  typeOf: '__vtr_typeof',
  take: '__vtr_take',
} as const;

export interface VmHow {
  /** Loops and functions ask whether their time is over. */
  readonly isTimed: boolean;
  /** Under which number what `import()` does here is kept. */
  readonly importId: number;
  /** For a context: its functions are taken before anything runs, and what is not there has no type. */
  readonly isInContext: boolean;
}

/** A script of `node:vm`. Throws acorn's SyntaxError. */
export function vmCode(source: string, { isTimed, isInContext, importId }: VmHow): EditedText {
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
    if (isInContext && node.type === 'UnaryExpression' && node.operator === 'typeof') {
      const operand = nodeIn(node, 'argument');
      const name = nameOf(operand);
      if (operand?.type === 'Identifier' && !bound.has(name)) {
        edits.push({ start: node.start, end: node.end, text: `${VM_NAMES.typeOf}(${JSON.stringify(name)})` });
        return;
      }
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return new EditedText(source, edits);
}

/** What a statement at the top declares for this script and those after it, and the context's object does not show. */
function lexicalNames(node: SyntaxNode): string[] {
  if (node.type === 'ClassDeclaration') return [nameOf(nodeIn(node, 'id'))];
  if (node.type !== 'VariableDeclaration' || node.kind === 'var') return [];
  return nodesIn(node, 'declarations').flatMap((each) => [...boundNames(nodeIn(each, 'id'))]);
}

/** Every name that something in it declares. */
function* namesIn(node: SyntaxNode): Generator<string> {
  if (node.type === 'VariableDeclarator') yield* boundNames(nodeIn(node, 'id'));
  else if (node.type.endsWith('Declaration')) yield nameOf(nodeIn(node, 'id'));
  yield* scopeOf(node) ?? [];
  for (const child of childrenOf(node)) yield* namesIn(child);
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
