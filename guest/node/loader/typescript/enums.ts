import { nameOf, nodeIn, nodesIn, type SyntaxNode } from '../syntax.ts';
import { constantOf, type Constant } from './enum-values.ts';
import type { Scope, Scopes } from './scopes.ts';

/** The edits of a file, to which those of an enum are added. */
export interface EnumContext {
  readonly source: string;
  readonly enums: Map<string, Map<string, Constant>>;
  replace(start: number, end: number, text: string): void;
  insert(at: number, text: string): void;
  visit(node: SyntaxNode, parent: SyntaxNode, scopes: Scopes): void;
}

/** The code before the function that fills an enum, and its argument. */
interface EnumCode {
  readonly head: string;
  readonly around: string;
}

/** Turns an enum into an object with its members, and the names of those that are numbers. */
export function enumEdits(
  context: EnumContext,
  node: SyntaxNode,
  scopes: Scopes,
  { head, around }: EnumCode,
): void {
  const { source, enums } = context;
  const name = nameOf(nodeIn(node, 'id'));
  const members = nodesIn(node, 'members');
  const values = enums.get(name) ?? new Map<string, Constant>();
  enums.set(name, values);
  context.replace(node.start, source.indexOf('{', node.start) + 1, `${head}(function (${name}) {`);
  let next: Constant = 0;
  for (const member of members) {
    const key = nameOf(nodeIn(member, 'id'));
    const quoted = JSON.stringify(key);
    const init = nodeIn(member, 'initializer');
    const value: Constant = init ? constantOf(init, name, enums) : next;
    const isText = typeof value === 'string';
    const written = isText ? `${name}[${quoted}]` : `${name}[${name}[${quoted}]`;
    const rest = isText ? '' : `]=${quoted}`;
    if (init) {
      context.replace(member.start, source.indexOf('=', nodeIn(member, 'id')?.end) + 1, `${written}=`);
      const owned: Scope = new Map([...values.keys()].map((each) => [each, name]));
      context.visit(init, member, [...scopes, owned]);
      context.insert(member.end, rest);
    } else {
      const shown = value === undefined ? 'void 0' : value;
      context.replace(member.start, member.end, `${written}=${shown}${rest}`);
    }
    values.set(key, value);
    next = typeof value === 'number' ? value + 1 : undefined;
  }
  hideLastComma(context, members.at(-1), node.end);
  context.replace(node.end - 1, node.end, `;return ${name};})(${around});`);
}

function hideLastComma(context: EnumContext, last: SyntaxNode | undefined, end: number): void {
  const comma = last && /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*,/.exec(context.source.slice(last.end, end));
  if (last && comma) context.replace(last.end + comma[0].length - 1, last.end + comma[0].length, '');
}
