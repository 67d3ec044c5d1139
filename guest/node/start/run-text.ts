import { nodeError } from '../builtins/internal/errors.ts';
import { setArrow } from '../errors/uncaught.ts';
import { AWAIT_NAMES } from '../loader/await-code.ts';
import { cjsCode, evalCode } from '../loader/cjs-code.ts';
import { esmCode } from '../loader/esm-code.ts';
import { evaluate } from '../loader/evaluate.ts';
import { fileUrl, joined } from '../loader/files.ts';
import { arrowFor, asSyntaxError, isModuleSyntax, shownSyntaxError } from '../loader/syntax-errors.ts';
import { asIs, type JavaScriptText } from '../loader/typescript.ts';
import type { KernelLink } from '../kernel/link.ts';
import { defineGlobals, defineLazyGlobal } from './globals.ts';
import { printAtEnd } from './print.ts';
import type { RunParts } from './run-parts.ts';

/** Runs a program from `-e` or from standard input. */
export function runText(parts: RunParts, source: string, name: string, print: boolean): void {
  const { cli, modules, made, sources, builtins } = parts;
  const { process } = made;
  const cwd = process.cwd();
  const url = fileUrl(`${cwd}/[eval1]`);
  const { typescript } = modules;
  const asModule = (reading: JavaScriptText) => {
    if (print) throw nodeError('ERR_EVAL_ESM_CANNOT_PRINT', '--print cannot be used with ESM input');
    parts.main(modules.esm.runText(url, url, reading));
  };
  const isTyped = cli.inputType?.endsWith('typescript') === true;
  let reading = isTyped ? typescript.read(source, name) : asIs(source);
  if (cli.inputType?.startsWith('module')) return asModule(reading);

  defineTextGlobals(parts, name);
  defineGlobals({ __filename: name, __dirname: '.' });
  let wrong = wrongWith(reading.text);
  if (wrong && !isTyped && typescript.mode !== 'none' && !isModuleSyntax(wrong, reading.text)) {
    try {
      reading = typescript.read(source, name);
    } catch (error) {
      const shown = asSyntaxError(wrong, source, 'script');
      const why = error instanceof SyntaxError ? error.message : '';
      setArrow(shown, `${arrowFor(shown, source, name, 'script')}${why}\n`);
      throw shown;
    }
    wrong = wrongWith(reading.text);
  }
  const { text } = reading;
  if (wrong && isModuleSyntax(wrong, text)) return asModule(reading);
  if (wrong) throw shownSyntaxError(wrong, text, name, 'script');
  const code = evalCode(text, {
    strict: cli.flags.has('--use-strict'),
    followsAwait: modules.awaits.isFollowed(text, `${cwd}/${name}`),
  });
  sources.add(name, reading.shown, reading.placed(code));
  const value = evaluate(code.code, name);
  if (print) printAtEnd(process, value, builtins.load('util'));
}

/** Defines what text without a file finds in its scope. */
export function defineTextGlobals({ modules, made, builtins }: RunParts, name: string): void {
  const { Module } = modules.cjs;
  const cwd = made.process.cwd();
  const module = new Module(name);
  module.filename = `${cwd}/${name}`;
  module.paths = Module._nodeModulePaths(cwd);
  defineGlobals({
    module,
    exports: module.exports,
    require: modules.cjs.requireOf(module),
    [AWAIT_NAMES.take]: modules.awaits.take,
    [AWAIT_NAMES.each]: modules.awaits.each,
    __vtr_import: modules.esm.importFrom(fileUrl(`${cwd}/${name}`)),
  });
  for (const each of builtins.names)
    if (!/[/:]|^_/.test(each) && !(each in globalThis)) defineLazyGlobal(each, () => builtins.load(each));
}

/** Returns the syntax error of a script, or undefined if it parses. */
function wrongWith(source: string): SyntaxError | undefined {
  try {
    (0, eval)(`(function () {${evalCode(source).code}\n})`);
    return undefined;
  } catch (error) {
    return error instanceof SyntaxError ? error : undefined;
  }
}

/** `--check`: parses the program without running it. */
export function check(parts: RunParts, given: string | undefined): void {
  const { modules, made, link } = parts;
  const { process } = made;
  const path =
    given === undefined || given === '-'
      ? undefined
      : modules.cjs.Module._resolveFilename(joined(process.cwd(), given), null, true);
  const source = path === undefined ? readInput(link) : modules.files.readText(path);
  const name = path ?? '[stdin]';
  const format = modules.cjs.formatOf(name);
  const isEsm =
    path !== undefined &&
    (/\.m[jt]s$/.test(path) || (format ? format === 'module' : modules.esm.looksLikeModule(source)));
  try {
    if (isEsm) esmCode(source);
    else (0, eval)(cjsCode(source).code);
  } catch (error) {
    if (path === undefined && isModuleSyntax(error, source)) return;
    throw shownSyntaxError(error, source, name, isEsm ? 'module' : 'script');
  }
}

export function readInput(link: KernelLink): string {
  const decoder = new TextDecoder();
  let text = '';
  for (let piece = link.readInput(); piece; piece = link.readInput())
    text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}
