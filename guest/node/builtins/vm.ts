import { needString } from './internal/errors.ts';
import { isFunction, membersOf } from './internal/guards.ts';
import { evaluate } from '../loader/evaluate.ts';
import type { Sources } from '../errors/sources.ts';
import { constants, createContext, isContext, needContext } from './vm/contexts.ts';
import { VmImports, type ImportsOptions } from './vm/imports.ts';
import { makeScriptClass } from './vm/script.ts';

/**
 * Makes `node:vm` as far as one realm allows. Scripts in another context see its object's members before the
 * globals, and their top-level declarations become members. All contexts share the language's own classes.
 */
export function makeVm(sources: Sources, options: ImportsOptions) {
  const Script = makeScriptClass(sources, new VmImports(options));
  return {
    Script,
    createContext,
    createScript: (source: unknown, options?: unknown) => new Script(source, options),
    runInThisContext: (source: unknown, options?: unknown) =>
      new Script(source, options).runInThisContext(options),
    runInContext: (source: unknown, context: object, options?: unknown) =>
      new Script(source, options).runInContext(context, options),
    runInNewContext: (source: unknown, object?: object, options?: unknown) =>
      new Script(source, options).runInNewContext(object, options),
    isContext,
    compileFunction: (source: unknown, parameters?: readonly string[], given?: unknown) =>
      compileFunction((code, how) => new Script(code, how), source, parameters, given),
    measureMemory: () => Promise.resolve({ total: { jsMemoryEstimate: 0, jsMemoryRange: [0, 0] } }),
    constants,
  };
}

interface InContext {
  runInContext(context: unknown): unknown;
}

function compileFunction(
  scriptOf: (code: string, options: object) => InContext,
  source: unknown,
  parameters: readonly string[] = [],
  options?: unknown,
): unknown {
  needString(source, 'code');
  const { filename, parsingContext, contextExtensions, importModuleDynamically } = membersOf(options);
  const extensions: readonly unknown[] = Array.isArray(contextExtensions) ? contextExtensions : [];
  const names = extensions.map((_each, at) => `__vtr_extension${at}`);
  const within = names.map((name) => `with(${name})`).join('');
  const code = `(function(${names.join(',')}){${within}return (function (${parameters.join(',')}) {${source}\n})})`;
  const name = String(filename || 'node:vm');
  let made: unknown;
  if (parsingContext === undefined) made = evaluate(code, name);
  else {
    needContext(parsingContext, 'options.parsingContext', 'Context');
    made = scriptOf(code, { filename: name, importModuleDynamically }).runInContext(parsingContext);
  }
  return isFunction(made) ? Reflect.apply(made, undefined, [...extensions]) : undefined;
}
