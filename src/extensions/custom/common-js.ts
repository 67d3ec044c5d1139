import { Parser } from 'acorn';
import { EditedText } from '../../../guest/node/loader/edits.ts';
import { Declarations } from '../../../guest/node/loader/esm-code/declarations.ts';
import { References } from '../../../guest/node/loader/esm-code/references.ts';
import { OWN, SourceEdits } from '../../../guest/node/loader/esm-code/source-edits.ts';
import { declaredNames, isName } from '../../../guest/node/loader/names.ts';
import {
  childrenOf,
  COMMON,
  languageOf,
  nameOf,
  nodeIn,
  nodesIn,
  type SyntaxNode,
} from '../../../guest/node/loader/syntax.ts';
import { readTypes } from '../../../guest/node/loader/typescript/read.ts';

/** Functions that the code calls: `one` gives a module's default and names, `all` its namespace. */
const HELPERS = [
  `${OWN}one=(m)=>m&&m.__esModule?m:Object.create(Object(m),{default:{value:m}})`,
  `${OWN}all=(m)=>m&&m.__esModule?m:Object.assign({},m,{default:m})`,
  `${OWN}out=(n,get)=>Object.defineProperty(exports,n,{enumerable:true,configurable:true,get})`,
  `${OWN}star=(m)=>{for(const n of Object.keys(m))if(n!=="default"&&!Object.hasOwn(exports,n))${OWN}out(n,()=>m[n])}`,
  `${OWN}import=async(n)=>${OWN}all(require(n))`,
  `${OWN}at={}`,
  `${OWN}meta=__meta`,
];

/**
 * Turns a module of any kind into CommonJS with the same line numbers: types are left out, imports become calls of
 * `require` and exports become getters. Throws an error for code that cannot be read.
 */
export function commonJs(path: string, source: string): string {
  const isTyped = languageOf(path) === 'typescript';
  const plain = source.replace(/^#!.*/, '');
  const text = isTyped ? withoutTypes(plain, path) : plain;
  const program = moduleIn(text);
  return `"use strict";${program ? converted(text, program, isTyped) : text}`;
}

/** The specifiers that the result of {@link commonJs} requires or imports by name. */
export function requiredBy(code: string): ReadonlySet<string> {
  const calls = code.matchAll(/\b(?:require|__vtr_import)\(\s*(["'])([^"'\n]+)\1\s*\)/g);
  return new Set([...calls].map(([, , name = '']) => name));
}

class LenientParser extends Parser {
  /** Ignores exports of types, which have no declaration any more. */
  raiseRecoverable(): void {}
}

function withoutTypes(source: string, path: string): string {
  const read = readTypes(source, path, true);
  if ('problem' in read) {
    const line = /:(\d+)$/m.exec(read.problem.snippet)?.[1];
    throw new SyntaxError(`Unexpected syntax in line ${line}: ${read.problem.message}`);
  }
  return new EditedText(source, read.edits).code;
}

/** The tree of an ECMAScript module; `undefined` for a script, which stays as it is. */
function moduleIn(text: string): SyntaxNode | undefined {
  if (!/\b(?:import|export)\b/.test(text)) return undefined;
  try {
    return { ...LenientParser.parse(text, { ...COMMON, sourceType: 'module' }) };
  } catch (error) {
    try {
      LenientParser.parse(text, { ...COMMON, sourceType: 'script', allowReturnOutsideFunction: true });
      return undefined;
    } catch {
      throw error;
    }
  }
}

function converted(text: string, program: SyntaxNode, isTyped: boolean): string {
  const edits = new SourceEdits(text);
  const statements = nodesIn(program, 'body');
  const used = isTyped ? usedNames(statements) : undefined;
  // An import of which no name is used was an import of types.
  const isForTypes = (node: SyntaxNode) => {
    const specifiers = nodesIn(node, 'specifiers');
    if (!used || node.type !== 'ImportDeclaration' || specifiers.length === 0) return false;
    return specifiers.every((each) => !used.has(nameOf(nodeIn(each, 'local'))));
  };
  const kept = statements.filter((node) => !isForTypes(node));
  for (const node of statements) if (isForTypes(node)) edits.hideStatement(node);
  const declarations = new Declarations(edits, kept);
  const references = new References(edits, declarations.bindings);
  for (const statement of kept) references.visit(statement, program, false);
  const declared = new Set(declaredNames(kept.map((node) => nodeIn(node, 'declaration') ?? node)));
  const isValue = (local: string) => !isTyped || declared.has(local) || local.startsWith(OWN);
  return headerOf(declarations, isValue) + new EditedText(text, edits.edits).code;
}

/** The code before the module's own: its exports first, so that modules that require each other see them. */
function headerOf(
  { requests, namespaces, namespaceNames, getters, reexports, stars, hasDefaultFunction }: Declarations,
  isValue: (local: string) => boolean,
): string {
  const exported = [...getters].filter(([, local]) => isValue(local));
  const out = (name: string, value: string) => `${OWN}out(${JSON.stringify(name)},()=>${value});`;
  const isExporting = getters.size + reexports.length + stars.length > 0;
  return [
    `const ${HELPERS.join(',')};`,
    isExporting ? 'Object.defineProperty(exports,"__esModule",{value:true});' : '',
    ...exported.map(([name, local]) => out(name, local)),
    hasDefaultFunction ? `Object.defineProperty(${OWN}default,"name",{value:"default"});` : '',
    ...requests.map(
      ({ specifier }, index) =>
        `const ${OWN}module${index}=require(${JSON.stringify(specifier)}),${OWN}${index}=${OWN}one(${OWN}module${index});`,
    ),
    ...namespaceNames.map((name, index) => `const ${name}=${OWN}all(${OWN}module${namespaces[index]});`),
    ...reexports.map(({ exported: name, from, name: original }) =>
      out(
        name,
        original === null ? `${OWN}all(${OWN}module${from})` : `${OWN}${from}[${JSON.stringify(original)}]`,
      ),
    ),
    ...stars.map((from) => `${OWN}star(${OWN}module${from});`),
  ].join('');
}

/** All names that the statements use as values. */
function usedNames(statements: readonly SyntaxNode[]): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'ImportDeclaration') return;
    if (node.type === 'Identifier') names.add(nameOf(node));
    for (const child of childrenOf(node)) if (!isName(node, child)) visit(child);
  };
  statements.forEach(visit);
  return names;
}
