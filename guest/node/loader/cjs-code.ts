import { parse as lex } from 'es-module-lexer/js';
import { AWAIT_NAMES, awaitEdits } from './await-code.ts';
import { EditedText, type Edit } from './edits.ts';
import { parse, type SyntaxNode } from './syntax.ts';

/** `import()` in a script is called by this name, a parameter of its function. */
const IMPORT = '__vtr_import';

/** A function around it of its own keeps `arguments` as node has them. */
const AROUND = `(function (${IMPORT}, ${AWAIT_NAMES.take}, ${AWAIT_NAMES.each}) { return `;
const HEADER = 'function (exports, require, module, __filename, __dirname) {';

/** Of `--use-strict`. */
const STRICT = "'use strict';";

export interface HowRead {
  /** `--use-strict`. */
  readonly strict?: boolean;
  /** What is awaited goes through the functions of await-code.ts. */
  readonly followsAwait?: boolean;
  /** What a program has put into `Module.wrap` in place of node's own. */
  readonly wrap?: ((script: string) => string) | undefined;
}

/** A CommonJS module as the function around it. */
export function cjsCode(source: string, how: HowRead = {}): EditedText {
  if (!how.wrap) return scriptCode(source, how, AROUND + HEADER + (how.strict ? STRICT : ''), '\n}})');
  const [head = '', tail = ''] = how.wrap('\0').split('\0');
  return scriptCode(source, how, AROUND + head, `${tail.replace(/;\s*$/, '')}\n})`);
}

/** A script that is run as it is, in the global scope, where `import()` is a global of that name. */
export function evalCode(source: string, how: HowRead = {}): EditedText {
  return scriptCode(source, how, how.strict ? STRICT : '', '');
}

function scriptCode(
  source: string,
  { followsAwait = false }: HowRead,
  header: string,
  footer: string,
): EditedText {
  const edits: Edit[] = [{ start: 0, end: 0, text: header }];
  if (source.startsWith('#!')) edits.push({ start: 0, end: 2, text: '//' });
  const told = followsAwait ? parsed(source) : undefined;
  if (told) edits.push(...awaitEdits(told, source));
  if (/\bimport\s*(?:\/\*[\s\S]*?\*\/\s*)?\(/.test(source)) edits.push(...lexedImports(source));
  edits.push({ start: source.length, end: source.length, text: footer });
  return new EditedText(source, edits);
}

function parsed(source: string): SyntaxNode | undefined {
  try {
    return { ...parse(source, 'script') };
  } catch {
    // The engine says what is wrong with it.
    return undefined;
  }
}

function lexedImports(source: string): Edit[] {
  try {
    const [imports] = lex(source);
    return imports.flatMap(({ d, ss }) =>
      d > -1 && source.startsWith('import', ss) ? [{ start: ss, end: ss + 6, text: IMPORT }] : [],
    );
  } catch {
    // No script that the lexer can read: the engine says what is wrong with it.
    return [];
  }
}
