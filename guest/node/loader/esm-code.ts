import { AWAIT_NAMES, awaitEdits } from './await-code.ts';
import { EditedText } from './edits.ts';
import { Declarations } from './esm-code/declarations.ts';
import { References } from './esm-code/references.ts';
import { OWN, SourceEdits } from './esm-code/source-edits.ts';
import type { EsmCode } from './esm-code/types.ts';
import { nodesIn, parse, type SyntaxNode } from './syntax.ts';

/**
 * Turns an ECMAScript module into a generator function. Up to its `yield`, the generator passes on getters of its exports:
 * by then functions are hoisted, and everything else is in its temporal dead zone. The second step runs the module. The
 * parameters are: the function that takes the getters, `import.meta`, `import()`, an object whose `place` is set to the
 * offset in the source where the module awaits, the two functions of await-code.ts, an object of bindings for each
 * request, and a namespace for each of `namespaces`. Throws a SyntaxError with `pos`.
 */
export function esmCode(source: string, followsAwait = false): EsmCode {
  const program: SyntaxNode = { ...parse(source, 'module') };
  const edits = new SourceEdits(source, followsAwait ? awaitEdits(program, source) : []);
  if (source.startsWith('#!')) edits.replace(0, 2, '//');
  const statements = nodesIn(program, 'body');
  const declarations = new Declarations(edits, statements);
  const references = new References(edits, declarations.bindings);
  for (const statement of statements) references.visit(statement, program, false);
  const { isAsync } = references;
  const { requests, imports, reexports, stars, namespaces, getters } = declarations;
  const text = new EditedText(source, [
    { start: 0, end: 0, text: headerOf(declarations, isAsync) },
    ...edits.edits,
    { start: source.length, end: source.length, text: '\n})' },
  ]);
  return { text, requests, imports, reexports, stars, exports: [...getters.keys()], isAsync, namespaces };
}

/** The beginning of the function, up to its first step. */
function headerOf(
  { requests, namespaceNames, getters, hasDefaultFunction }: Declarations,
  isAsync: boolean,
): string {
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
  const named = hasDefaultFunction
    ? `Object.defineProperty(${OWN}default,"name",{value:"default",configurable:true});`
    : '';
  return `(${isAsync ? 'async ' : ''}function*(${parameters.join(',')}){"use strict";${named}${OWN}export({__proto__:null,${given.join(',')}});yield;`;
}
