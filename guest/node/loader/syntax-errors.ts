import { pointedAt, setArrow } from '../errors/uncaught.ts';
import { positionAt } from './edits.ts';
import { parse } from './syntax.ts';

/** In V8's words, then in those of SpiderMonkey. */
const MODULE_ONLY = [
  'Cannot use import statement outside a module',
  "Unexpected token 'export'",
  "Cannot use 'import.meta' outside a module",
  'import declarations may only appear at top level of a module',
  'export declarations may only appear at top level of a module',
  'import.meta may only appear in a module',
];

/** Errors that a module may cause too. Whether it parses as a module decides. */
const MAYBE_MODULE = [
  'await is only valid in async functions and the top level bodies of modules',
  'Unexpected reserved word',
  "Identifier '__filename' has already been declared",
  "Identifier '__dirname' has already been declared",
  "Identifier 'module' has already been declared",
  "Identifier 'exports' has already been declared",
  "Identifier 'require' has already been declared",
  'await is only valid in async functions, async generators and modules',
  'for await (... of ...) is only valid in async functions and async generators',
  'redeclaration of formal parameter __filename',
  'redeclaration of formal parameter __dirname',
  'redeclaration of formal parameter module',
  'redeclaration of formal parameter exports',
  'redeclaration of formal parameter require',
];

/** Whether a script failed to parse because it is an ECMAScript module. */
export function isModuleSyntax(error: unknown, source: string): boolean {
  if (!(error instanceof SyntaxError)) return false;
  const { message } = error;
  const isParserError = 'pos' in error;
  if (!isParserError && MODULE_ONLY.some((text) => message.includes(text))) return true;
  if (!isParserError && !MAYBE_MODULE.some((text) => message.includes(text))) return false;
  try {
    parse(source, 'module');
    return true;
  } catch {
    return false;
  }
}

/** Shows where a text fails to parse, as node does: the line, with carets below. */
export function arrowFor(
  error: unknown,
  source: string,
  name: string,
  sourceType: 'module' | 'script',
): string {
  let [pos, length] = [0, 1];
  const message = error instanceof Error ? error.message : '';
  try {
    parse(source, sourceType);
  } catch (parsed) {
    if (parsed instanceof Error && 'pos' in parsed && typeof parsed.pos === 'number') pos = parsed.pos;
    // The engine points at the word `await`, the parser at the position after it.
    if (error instanceof SyntaxError && error.message.startsWith('await is only valid'))
      pos = Math.max(0, source.lastIndexOf('await', pos));
    const before = /[\p{ID_Start}$_][\p{ID_Continue}$]*\s*$/u.exec(source.slice(0, pos));
    if (before && error instanceof SyntaxError && error.message.startsWith('Missing initializer'))
      pos = before.index;
    const named = /^Unexpected (?:identifier|token) '(.+)'$/.exec(message)?.[1];
    if (named !== undefined && !source.startsWith(named, pos)) {
      const next = source.indexOf(named, pos);
      if (next !== -1) pos = next;
    }
    const nameless = /\bfunction\s*\*?\s*$/.exec(source.slice(0, pos));
    if (nameless) pos = nameless.index;
    const isCall = message.startsWith('missing )');
    if (isCall) pos = lastToken(source, pos);
    length = !isCall && isUnfinished(source, sourceType) ? 0 : tokenLength(source.slice(pos));
  }
  const { line, column } = positionAt(source, pos);
  const lines = source.split(/\r?\n/);
  const text = lines[line - 1] ?? '';
  return pointedAt(name, line, text, column, length);
}

/** Whether a text ends too early. The engine cannot tell, because its code continues after the source. */
function isUnfinished(source: string, sourceType: 'module' | 'script'): boolean {
  try {
    parse(source, sourceType);
    return false;
  } catch (error) {
    if (!(error instanceof Error) || !('pos' in error) || typeof error.pos !== 'number') return false;
    return error.pos >= source.length && error.message.startsWith('Unexpected token');
  }
}

/** The offset of the last token before `end`. */
function lastToken(source: string, end: number): number {
  const before = source.slice(0, end).trimEnd();
  return /(?:[\p{ID_Continue}$]+|"[^"\n]*"|'[^'\n]*'|[^])$/u.exec(before)?.index ?? 0;
}

function tokenLength(rest: string): number {
  return /^(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|\d+|"[^"\n]*"?|'[^'\n]*'?)/u.exec(rest)?.[0].length ?? 1;
}

const OPEN_CALL = 'missing ) after argument list';

/** Whether an unfinished text ends in a call. The engine is asked, with code that cannot run because it does not parse. */
function isOpenCall(source: string): boolean {
  try {
    (0, eval)(`(async function* () { ${withoutModuleWords(source)}`);
  } catch (error) {
    return error instanceof SyntaxError && error.message === OPEN_CALL;
  }
  return false;
}

function withoutModuleWords(source: string): string {
  return source
    .replace(/^#!.*/, '')
    .replace(/^([ \t]*)import\b(?!\s*[(.])[^;\n]*?(?:from\s*)?(["'])[^"'\n]*\2[^;\n]*/gm, '$1')
    .replace(/^([ \t]*)export\s+(?:default\b)?/gm, '$1;');
}

/** Turns an error of the parser into one with the engine's wording. */
export function asSyntaxError(error: unknown, source: string, sourceType: 'module' | 'script'): unknown {
  if (error instanceof SyntaxError && isUnfinished(source, sourceType))
    return new SyntaxError(isOpenCall(source) ? OPEN_CALL : 'Unexpected end of input');
  if (!(error instanceof SyntaxError) || !('pos' in error)) return error;
  try {
    (0, eval)(`(async function* () { "use strict"; ${withoutModuleWords(source)}\n})`);
  } catch (engines) {
    if (engines instanceof SyntaxError)
      return new SyntaxError(
        sourceType === 'module' && engines.message.startsWith('await is only valid')
          ? 'Unexpected reserved word'
          : engines.message,
      );
  }
  return new SyntaxError(error.message.replace(/ \(\d+:\d+\)$/, ''));
}

/** The error of a text that does not parse, in the engine's words and with its position in the file `name`. */
export function shownSyntaxError(
  error: unknown,
  source: string,
  name: string,
  sourceType: 'module' | 'script',
): unknown {
  const shown = asSyntaxError(error, source, sourceType);
  setArrow(shown, arrowFor(shown, source, name, sourceType));
  return shown;
}
