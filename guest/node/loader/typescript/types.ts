import { blank, type Edit } from '../edits.ts';
import { childrenOf, isNode, nodeIn, nodesIn, type SyntaxNode } from '../syntax.ts';
import { transformEdits } from './transform.ts';
import { hasOnlyTypes, isOnlyType } from './type-nodes.ts';

/** Thrown for TypeScript that needs more than stripping types. `start` and `end` are offsets in the source. */
export class UnsupportedTypeScript extends SyntaxError {
  readonly start: number;
  readonly end: number;
  constructor(what: string, { start, end }: { readonly start: number; readonly end: number }) {
    super(what);
    this.start = start;
    this.end = end;
  }
}

/** The fields of nodes that hold only types. */
const TYPE_FIELDS = [
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeParameters',
  'superTypeArguments',
];

const MEMBER_MODIFIERS = /^(?:public|private|protected|readonly|override|abstract|declare)\b/;

/**
 * Returns edits that replace the types of a tree with blanks, so that lines and columns stay the same. With `transforms`,
 * TypeScript syntax that runs is turned into JavaScript too.
 */
export function typeEdits(source: string, program: SyntaxNode, transforms = false): Edit[] {
  const edits: Edit[] = transforms ? transformEdits(source, program) : [];
  const hide = (start: number, end: number, first = '') => {
    const text = blank(source.slice(start, end));
    edits.push({ start, end, text: first + text.slice(first.length) });
  };
  // A semicolon stays, because a blank could join the statements before and after.
  const hideStatement = (node: SyntaxNode) => hide(node.start, node.end, ';');
  const nextOf = (text: string, from: number) => source.indexOf(text, from);

  const hideImplements = (node: SyntaxNode) => {
    const list = nodesIn(node, 'implements');
    const last = list.at(-1);
    if (!last || !list[0]) return;
    hide(source.lastIndexOf('implements', list[0].start), last.end);
  };

  /** Hides the modifiers before the key of a class member. */
  const hideModifiers = (node: SyntaxNode, key: SyntaxNode) => {
    for (let at = node.start; at < key.start;) {
      const rest = source.slice(at, key.start);
      const space = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)+/.exec(rest)?.[0].length ?? 0;
      if (space > 0) {
        at += space;
        continue;
      }
      const word = MEMBER_MODIFIERS.exec(rest)?.[0];
      if (word !== undefined) hide(at, at + word.length);
      at += word?.length ?? /^\w+|^./s.exec(rest)?.[0].length ?? 1;
    }
  };

  const hideMarks = (node: SyntaxNode, key: SyntaxNode) => {
    if (node.optional !== true && node.definite !== true) return;
    const after = node.computed === true ? nextOf(']', key.end) + 1 : key.end;
    const at = /^\s*[?!]/.exec(source.slice(after))?.[0].length;
    if (at !== undefined) hide(after + at - 1, after + at);
  };

  const visitMember = (node: SyntaxNode): boolean => {
    const key = nodeIn(node, 'key');
    if (!key) return true;
    const value = nodeIn(node, 'value');
    const isBodiless = node.type.startsWith('TSAbstract') || value?.type.startsWith('TSDeclare');
    if (
      node.abstract === true ||
      node.declare === true ||
      isBodiless ||
      value?.type === 'TSEmptyBodyFunctionExpression'
    ) {
      hideStatement(node);
      return false;
    }
    hideModifiers(node, key);
    hideMarks(node, key);
    return true;
  };

  const visitSpecifiers = (node: SyntaxNode) => {
    for (const each of nodesIn(node, 'specifiers')) {
      if (each.importKind !== 'type' && each.exportKind !== 'type') continue;
      const comma = /^\s*,/.exec(source.slice(each.end))?.[0].length ?? 0;
      hide(each.start, each.end + comma);
    }
  };

  const visitParameters = (node: SyntaxNode) => {
    const [first] = nodesIn(node, 'params');
    if (first && isThis(first)) {
      const comma = /^\s*,/.exec(source.slice(first.end))?.[0].length ?? 0;
      hide(first.start, first.end + comma);
    }
  };

  const refuse = (what: string, node: SyntaxNode) => {
    if (!transforms) throw new UnsupportedTypeScript(`${what} is not supported in strip-only mode`, node);
  };

  const visit = (node: SyntaxNode): void => {
    if (node.type !== 'TSModuleDeclaration' && isOnlyType(node)) return hideStatement(node);
    switch (node.type) {
      case 'TSModuleDeclaration':
        if (source.startsWith('module', node.start) && nodeIn(node, 'id')?.type === 'Identifier')
          throw new UnsupportedTypeScript(
            '`module` keyword is not supported. Use `namespace` instead.',
            node,
          );
        if (hasOnlyTypes(node)) return hideStatement(node);
        refuse('TypeScript namespace declaration', node);
        break;
      case 'TSEnumDeclaration':
        refuse('TypeScript enum', node);
        for (const member of nodesIn(node, 'members')) {
          const value = nodeIn(member, 'initializer');
          if (value) visit(value);
        }
        return;
      case 'TSImportEqualsDeclaration':
        if (node.importKind === 'type') return hideStatement(node);
        return refuse('TypeScript import equals declaration', node);
      case 'TSExportAssignment':
        refuse('TypeScript export assignment', node);
        break;
      case 'TSParameterProperty': {
        const parameter = nodeIn(node, 'parameter');
        refuse('TypeScript parameter property', parameter ?? node);
        if (parameter) hideModifiers(node, nodeIn(parameter, 'left') ?? parameter);
        break;
      }
      case 'TSTypeAssertion': {
        if (!transforms)
          throw new UnsupportedTypeScript(
            "The angle-bracket syntax for type assertions, `<T>expr`, is not supported in type strip mode. Instead, use the 'as' syntax: `expr as T`.",
            node,
          );
        const value = nodeIn(node, 'expression');
        return value && visit(value);
      }
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSInstantiationExpression':
      case 'TSNonNullExpression': {
        const inner = nodeIn(node, 'expression');
        if (!inner) return;
        visit(inner);
        const close = closingAfter(source, inner.end, node.end);
        return hide(close, node.end);
      }
      case 'ImportDeclaration':
        visitSpecifiers(node);
        return;
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
      case 'ExportDefaultDeclaration': {
        const declaration = nodeIn(node, 'declaration');
        if (declaration && isOnlyType(declaration)) return hideStatement(node);
        visitSpecifiers(node);
        break;
      }
      case 'TSIndexSignature':
        return hideStatement(node);
      case 'MethodDefinition':
      case 'PropertyDefinition':
      case 'AccessorProperty':
      case 'TSAbstractMethodDefinition':
      case 'TSAbstractPropertyDefinition':
        if (!visitMember(node)) return;
        break;
      case 'ClassDeclaration':
      case 'ClassExpression':
        if (node.abstract === true) {
          const at = nextOf('abstract', node.start);
          hide(at, at + 'abstract'.length);
        }
        hideImplements(node);
        break;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        visitParameters(node);
        break;
      case 'Identifier':
      case 'ObjectPattern':
      case 'ArrayPattern': {
        const type = nodeIn(node, 'typeAnnotation');
        if (type && (node.optional === true || node.definite === true)) {
          const mark = /[?!]\s*$/.exec(source.slice(node.start, type.start));
          if (mark) hide(node.start + mark.index, node.start + mark.index + 1);
        } else if (node.optional === true) hide(node.end - 1, node.end);
        break;
      }
      case 'VariableDeclarator':
        if (node.definite === true) {
          const id = nodeIn(node, 'id');
          const type = id && nodeIn(id, 'typeAnnotation');
          const mark = id && source.lastIndexOf('!', type?.start ?? id.end);
          if (mark !== undefined && mark >= node.start) hide(mark, mark + 1);
        }
        break;
    }
    for (const field of TYPE_FIELDS) {
      const type = node[field];
      if (isNode(type)) hide(type.start, type.end);
    }
    for (const child of childrenOf(node)) {
      if (isTypeChild(node, child) || isThis(child)) continue;
      visit(child);
    }
  };
  visit(program);
  return edits;
}

/** Whether a parameter only declares the type of `this`. */
function isThis(node: SyntaxNode): boolean {
  return node.type === 'Identifier' && node.name === 'this';
}

function isTypeChild(node: SyntaxNode, child: SyntaxNode): boolean {
  return TYPE_FIELDS.some((field) => node[field] === child) || nodesIn(node, 'implements').includes(child);
}

/** The offset after the brackets that close around an inner expression. */
function closingAfter(source: string, from: number, end: number): number {
  let at = from;
  for (;;) {
    const closing = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*\)/.exec(source.slice(at, end));
    if (!closing) return at;
    at += closing[0].length;
  }
}
