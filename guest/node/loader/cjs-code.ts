import { AWAIT_NAMES, awaitEdits } from './await-code.ts';
import { EditedText, type Edit } from './edits.ts';
import type { LexImports } from './imports/main.ts';
import { parse, type SyntaxNode } from './syntax.ts';

/** `import()` in a script becomes a call of this parameter of its function. */
const IMPORT = '__vtr_import';

/** These parameters belong to an outer function, so that `arguments` of the inner one is the same as in node. */
const AROUND = `(function (${IMPORT}, ${AWAIT_NAMES.take}, ${AWAIT_NAMES.each}) { return `;
const HEADER = 'function (exports, require, module, __filename, __dirname) {';

/** The directive that `--use-strict` adds. */
const STRICT = "'use strict';";

let lexer: () => LexImports = () => {
  throw new Error('The lexer of imports is not part of this node.');
};

/** Says how the lexer is loaded, before any script runs. */
export function lexImportsBy(load: () => LexImports): void {
  lexer = load;
}

export interface CjsCodeOptions {
  /** Set by `--use-strict`. */
  readonly strict?: boolean;
  /** Whether each `await` goes through the functions of await-code.ts. */
  readonly followsAwait?: boolean;
  /** The program's own `Module.wrap`, if it has replaced node's. */
  readonly wrap?: ((script: string) => string) | undefined;
}

/** Wraps a CommonJS module in its function. */
export function cjsCode(source: string, how: CjsCodeOptions = {}): EditedText {
  if (!how.wrap) return scriptCode(source, how, AROUND + HEADER + (how.strict ? STRICT : ''), '\n}})');
  const [head = '', tail = ''] = how.wrap('\0').split('\0');
  return scriptCode(source, how, AROUND + head, `${tail.replace(/;\s*$/, '')}\n})`);
}

/** Prepares a script that runs in the global scope, where `import()` becomes a call of a global function. */
export function evalCode(source: string, how: CjsCodeOptions = {}): EditedText {
  return scriptCode(source, how, how.strict ? STRICT : '', '');
}

function scriptCode(
  source: string,
  { followsAwait = false }: CjsCodeOptions,
  header: string,
  footer: string,
): EditedText {
  const edits: Edit[] = [{ start: 0, end: 0, text: header }];
  if (source.startsWith('#!')) edits.push({ start: 0, end: 2, text: '//' });
  const program = followsAwait ? parsed(source) : undefined;
  if (program) edits.push(...awaitEdits(program, source));
  if (/\bimport\s*(?:\/\*[\s\S]*?\*\/\s*)?\(/.test(source))
    edits.push(...lexedImports(source), ...evaluatedImports(source));
  edits.push({ start: source.length, end: source.length, text: footer });
  return new EditedText(source, edits);
}

function parsed(source: string): SyntaxNode | undefined {
  try {
    return { ...parse(source, 'script') };
  } catch {
    // The engine will report the error when the code runs.
    return undefined;
  }
}

/** The import in text for `eval`, by which Playwright's runner loads test files. That text sees the parameter, too. */
function evaluatedImports(source: string): Edit[] {
  return [...source.matchAll(/(?<![.\w$])eval\(\s*['"`](import)\(/dg)].flatMap(({ indices }) => {
    const [start, end] = indices?.[1] ?? [];
    return start === undefined || end === undefined ? [] : [{ start, end, text: IMPORT }];
  });
}

function lexedImports(source: string): Edit[] {
  const lex = lexer();
  try {
    const [imports] = lex(source);
    return imports.flatMap(({ d, ss }) =>
      d > -1 && source.startsWith('import', ss) ? [{ start: ss, end: ss + 6, text: IMPORT }] : [],
    );
  } catch {
    // The lexer cannot read the script. The engine will report the error when it runs.
    return [];
  }
}
