import type { Sources } from '../errors/sources.ts';
import { decorate } from '../errors/uncaught.ts';
import { evalCode } from './cjs-code.ts';
import { evaluate } from './evaluate.ts';
import { dynamicImports, isIncomplete, replCode, type ReplCode } from './repl-code.ts';
import { arrowFor } from './syntax-errors.ts';

/** Runs the inputs of a REPL in the global scope. */
export class ReplInputs {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Whether an input continues on the next line. */
  isIncomplete(source: string): boolean {
    return (
      readable(source) === undefined &&
      (isIncomplete(source) || (isObject(source) && isIncomplete(`(${source}`)))
    );
  }

  /** Returns the value of an input, or a promise of it where the input waits. Errors of the input are thrown. */
  run(source: string, name: string): { readonly value: unknown } | Promise<{ readonly value: unknown }> {
    const read = readable(source);
    if (!read) return { value: this.#runUnread(source, name) };
    const { text, isAsync, lexical, constants } = read;
    this.#sources.add(name, source, text);
    for (const each of lexical) unlock(each);
    const value = evaluate(text.code, name);
    const done = (result: unknown) => {
      for (const each of constants) lock(each);
      return { value: result };
    };
    if (!isAsync) return done(value);
    return Promise.resolve(value).then((given) => done(Reflect.get(Object(given), 'value')));
  }

  /** The engine says what is wrong, or knows more of the language than the parser. */
  #runUnread(source: string, name: string): unknown {
    try {
      return evaluate(evalCode(source).code, name);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const isImport = error.message === 'Cannot use import statement outside a module';
      const shown = isImport ? new SyntaxError(`${NO_IMPORT}${dynamicImports(source)}`) : error;
      // The name of the input says nothing to the person who typed it.
      decorate(shown, arrowFor(error, source, name, 'script').replace(/^.*\n/, ''));
      throw shown;
    }
  }
}

const NO_IMPORT = 'Cannot use import statement inside the Node.js REPL, alternatively use dynamic import: ';

/** Reads an input, one that looks like an object as an expression first. Undefined if it does not parse. */
function readable(source: string): ReplCode | undefined {
  for (const each of isObject(source) ? [`(${source.trim()})`, source] : [source])
    try {
      return replCode(each);
    } catch {
      // The next one may parse.
    }
  return undefined;
}

const isObject = (source: string) => /^\s*\{/.test(source) && !/;\s*$/.test(source);

const locked = new WeakSet<(value: unknown) => void>();

/** Makes a variable constant, as far as a global can be. */
function lock(name: string): void {
  const value: unknown = Reflect.get(globalThis, name);
  const refuse = () => {
    throw new TypeError('Assignment to constant variable.');
  };
  locked.add(refuse);
  Object.defineProperty(globalThis, name, { configurable: true, get: () => value, set: refuse });
}

/** Lets a constant be declared again. */
function unlock(name: string): void {
  const set = Object.getOwnPropertyDescriptor(globalThis, name)?.set;
  if (!set || !locked.has(set)) return;
  const value: unknown = Reflect.get(globalThis, name);
  Object.defineProperty(globalThis, name, { value, configurable: true, enumerable: true, writable: true });
}
