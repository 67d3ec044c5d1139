import type { Edit } from '../edits.ts';
import { childrenOf, isNode, nodeIn, nodesIn, type SyntaxNode } from '../syntax.ts';
import { TypeBlanks } from './blanks.ts';
import { hideInClass, hideInMember, hideModifiers } from './members.ts';
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

/**
 * Returns edits that replace the types of a tree with blanks, so that lines and columns stay the same. With `transforms`,
 * TypeScript syntax that runs is turned into JavaScript too.
 */
export function typeEdits(source: string, program: SyntaxNode, transforms = false): Edit[] {
  const blanks = new TypeBlanks(source, transforms ? transformEdits(source, program) : []);
  new TypeStripper(blanks, transforms).visit(program);
  return blanks.edits;
}

class TypeStripper {
  readonly #blanks: TypeBlanks;
  readonly #transforms: boolean;

  constructor(blanks: TypeBlanks, transforms: boolean) {
    this.#blanks = blanks;
    this.#transforms = transforms;
  }

  visit(node: SyntaxNode): void {
    if (node.type !== 'TSModuleDeclaration' && isOnlyType(node)) return this.#blanks.hideStatement(node);
    const goesOn = node.type.startsWith('TS') ? this.#enterTypeScript(node) : this.#enter(node);
    if (!goesOn) return;
    for (const field of TYPE_FIELDS) {
      const type = node[field];
      if (isNode(type)) this.#blanks.hide(type.start, type.end);
    }
    for (const child of childrenOf(node)) {
      if (isTypeChild(node, child) || isThis(child)) continue;
      this.visit(child);
    }
  }

  /** Hides the types of TypeScript's own syntax. Returns whether the children of the node are to be visited. */
  #enterTypeScript(node: SyntaxNode): boolean {
    switch (node.type) {
      case 'TSModuleDeclaration':
        return this.#enterNamespace(node);
      case 'TSEnumDeclaration':
        this.#refuse('TypeScript enum', node);
        for (const member of nodesIn(node, 'members')) this.#visitIn(member, 'initializer');
        return false;
      case 'TSImportEqualsDeclaration':
        if (node.importKind === 'type') this.#blanks.hideStatement(node);
        else this.#refuse('TypeScript import equals declaration', node);
        return false;
      case 'TSExportAssignment':
        this.#refuse('TypeScript export assignment', node);
        return true;
      case 'TSParameterProperty': {
        const parameter = nodeIn(node, 'parameter');
        this.#refuse('TypeScript parameter property', parameter ?? node);
        if (parameter) hideModifiers(this.#blanks, node, nodeIn(parameter, 'left') ?? parameter);
        return true;
      }
      case 'TSTypeAssertion':
        if (!this.#transforms)
          throw new UnsupportedTypeScript(
            "The angle-bracket syntax for type assertions, `<T>expr`, is not supported in type strip mode. Instead, use the 'as' syntax: `expr as T`.",
            node,
          );
        this.#visitIn(node, 'expression');
        return false;
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSInstantiationExpression':
      case 'TSNonNullExpression': {
        const inner = nodeIn(node, 'expression');
        if (!inner) return false;
        this.visit(inner);
        this.#blanks.hide(closingAfter(this.#blanks.source, inner.end, node.end), node.end);
        return false;
      }
      case 'TSIndexSignature':
        this.#blanks.hideStatement(node);
        return false;
      case 'TSAbstractMethodDefinition':
      case 'TSAbstractPropertyDefinition':
        return hideInMember(this.#blanks, node);
      default:
        return true;
    }
  }

  #enterNamespace(node: SyntaxNode): boolean {
    const isOldKeyword = this.#blanks.source.startsWith('module', node.start);
    if (isOldKeyword && nodeIn(node, 'id')?.type === 'Identifier')
      throw new UnsupportedTypeScript('`module` keyword is not supported. Use `namespace` instead.', node);
    if (hasOnlyTypes(node)) {
      this.#blanks.hideStatement(node);
      return false;
    }
    this.#refuse('TypeScript namespace declaration', node);
    return true;
  }

  /** Hides the types of JavaScript's syntax. Returns whether the children of the node are to be visited. */
  #enter(node: SyntaxNode): boolean {
    switch (node.type) {
      case 'ImportDeclaration':
        this.#hideSpecifiers(node);
        return false;
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
      case 'ExportDefaultDeclaration': {
        const declaration = nodeIn(node, 'declaration');
        if (declaration && isOnlyType(declaration)) {
          this.#blanks.hideStatement(node);
          return false;
        }
        this.#hideSpecifiers(node);
        return true;
      }
      case 'MethodDefinition':
      case 'PropertyDefinition':
      case 'AccessorProperty':
        return hideInMember(this.#blanks, node);
      case 'ClassDeclaration':
      case 'ClassExpression':
        hideInClass(this.#blanks, node);
        return true;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression': {
        const [first] = nodesIn(node, 'params');
        if (first && isThis(first)) this.#blanks.hideInList(first);
        return true;
      }
      case 'Identifier':
      case 'ObjectPattern':
      case 'ArrayPattern':
        this.#hideMarkOfName(node);
        return true;
      case 'VariableDeclarator':
        if (node.definite === true) this.#hideMarkOfVariable(node);
        return true;
      default:
        return true;
    }
  }

  #visitIn(node: SyntaxNode, field: string): void {
    const child = nodeIn(node, field);
    if (child) this.visit(child);
  }

  #refuse(what: string, node: SyntaxNode): void {
    if (!this.#transforms)
      throw new UnsupportedTypeScript(`${what} is not supported in strip-only mode`, node);
  }

  #hideSpecifiers(node: SyntaxNode): void {
    for (const each of nodesIn(node, 'specifiers'))
      if (each.importKind === 'type' || each.exportKind === 'type') this.#blanks.hideInList(each);
  }

  /** Hides the `?` after a parameter, before its type if it has one. */
  #hideMarkOfName(node: SyntaxNode): void {
    const type = nodeIn(node, 'typeAnnotation');
    if (type && (node.optional === true || node.definite === true)) {
      const mark = /[?!]\s*$/.exec(this.#blanks.source.slice(node.start, type.start));
      if (mark) this.#blanks.hide(node.start + mark.index, node.start + mark.index + 1);
    } else if (node.optional === true) this.#blanks.hide(node.end - 1, node.end);
  }

  /** Hides the `!` after the name of a variable. */
  #hideMarkOfVariable(node: SyntaxNode): void {
    const id = nodeIn(node, 'id');
    if (!id) return;
    const mark = this.#blanks.source.lastIndexOf('!', nodeIn(id, 'typeAnnotation')?.start ?? id.end);
    if (mark >= node.start) this.#blanks.hide(mark, mark + 1);
  }
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
