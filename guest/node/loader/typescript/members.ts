import { nodeIn, nodesIn, type SyntaxNode } from '../syntax.ts';
import type { TypeBlanks } from './blanks.ts';

const MEMBER_MODIFIERS = /^(?:public|private|protected|readonly|override|abstract|declare)\b/;

/** Hides what of a class is only for types: `abstract`, and the interfaces that it implements. */
export function hideInClass(blanks: TypeBlanks, node: SyntaxNode): void {
  const { source } = blanks;
  if (node.abstract === true) {
    const at = source.indexOf('abstract', node.start);
    blanks.hide(at, at + 'abstract'.length);
  }
  const list = nodesIn(node, 'implements');
  const [first] = list;
  const last = list.at(-1);
  if (first && last) blanks.hide(source.lastIndexOf('implements', first.start), last.end);
}

/** Hides the types of a class member. Returns whether anything of it runs. */
export function hideInMember(blanks: TypeBlanks, node: SyntaxNode): boolean {
  const key = nodeIn(node, 'key');
  if (!key) return true;
  const value = nodeIn(node, 'value');
  const isBodiless =
    node.type.startsWith('TSAbstract') ||
    value?.type.startsWith('TSDeclare') ||
    value?.type === 'TSEmptyBodyFunctionExpression';
  if (node.abstract === true || node.declare === true || isBodiless) {
    blanks.hideStatement(node);
    return false;
  }
  hideModifiers(blanks, node, key);
  hideMarks(blanks, node, key);
  return true;
}

/** Hides the modifiers before the key of a class member. */
export function hideModifiers(blanks: TypeBlanks, node: SyntaxNode, key: SyntaxNode): void {
  for (let at = node.start; at < key.start;) {
    const rest = blanks.source.slice(at, key.start);
    const space = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)+/.exec(rest)?.[0].length ?? 0;
    if (space > 0) {
      at += space;
      continue;
    }
    const word = MEMBER_MODIFIERS.exec(rest)?.[0];
    if (word !== undefined) blanks.hide(at, at + word.length);
    at += word?.length ?? /^\w+|^./s.exec(rest)?.[0].length ?? 1;
  }
}

/** Hides the `?` or `!` after the key of a class member. */
function hideMarks(blanks: TypeBlanks, node: SyntaxNode, key: SyntaxNode): void {
  if (node.optional !== true && node.definite !== true) return;
  const after = node.computed === true ? blanks.source.indexOf(']', key.end) + 1 : key.end;
  const at = /^\s*[?!]/.exec(blanks.source.slice(after))?.[0].length;
  if (at !== undefined) blanks.hide(after + at - 1, after + at);
}
