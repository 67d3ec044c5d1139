import { argTypeError, needInteger, needString, nodeError } from './internal/errors.ts';
import { PlainProxy } from './internal/proxies.ts';
import { evalCode } from '../loader/cjs-code.ts';
import { evaluate } from '../loader/evaluate.ts';
import type { EditedText } from '../loader/edits.ts';
import { arrowFor } from '../loader/syntax-errors.ts';
import { VM_NAMES, vmCode, type VmCodeOptions } from '../loader/vm-code.ts';
import type { Sources } from '../errors/sources.ts';
import { arrowOfThrown, decorate } from '../errors/uncaught.ts';

interface ScriptOptions {
  readonly filename?: string;
  readonly lineOffset?: number;
  readonly columnOffset?: number;
  readonly importModuleDynamically?: unknown;
}

/** The default `import()` of a script. */
type Import = (specifier: string, options?: unknown) => Promise<unknown>;

/** The names that scripts of a context declared with `let`, `const` and `class`, with access to their variables. */
type Lexical = Map<string, readonly [read: () => unknown, write: (value: unknown) => void]>;

interface RunOptions {
  readonly timeout?: unknown;
  readonly displayErrors?: unknown;
}

interface CompileOptions {
  readonly filename?: string;
  readonly parsingContext?: object;
  readonly contextExtensions?: readonly object[];
}
const compileOptions = (options: unknown): CompileOptions => (options ?? {}) as CompileOptions;

const contexts = new WeakMap<object, Lexical>();

/** The time by which the running script must end, on the clock of {@link performance.now}. */
let deadline = Infinity;
const TIMED_OUT = Symbol('a script took too long');

/** Loops and functions of scripts with a timeout call this. */
function tick(): void {
  if (performance.now() > deadline) throw TIMED_OUT;
}

/**
 * Makes `node:vm` as far as one realm allows. Scripts in another context see its object's members before the
 * globals, and their top-level declarations become members. All contexts share the language's own classes.
 */
export function makeVm(
  sources: Sources,
  { importMain, withModules }: { readonly importMain: () => Import; readonly withModules: boolean },
) {
  const constants = {
    USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol('vm_dynamic_import_main_context_default'),
    DONT_CONTEXTIFY: Symbol('vm_context_no_contextify'),
  };
  const imports: Import[] = [];

  /** Registers a script's `import()` and returns the number under which the script finds it. */
  function importing(how: unknown, script: () => unknown): number {
    const run = async (specifier: string, options?: unknown): Promise<unknown> => {
      if (how === constants.USE_MAIN_CONTEXT_DEFAULT_LOADER) return importMain()(specifier, options);
      if (typeof how !== 'function')
        throw nodeError(
          'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING',
          'A dynamic import callback was not specified.',
          TypeError,
        );
      if (!withModules)
        throw nodeError(
          'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG',
          'A dynamic import callback was invoked without --experimental-vm-modules',
          TypeError,
        );
      return (await Reflect.apply(how, undefined, [specifier, script(), {}])) as unknown;
    };
    Object.defineProperty(globalThis, VM_NAMES.imports, { value: imports, configurable: true });
    return imports.push(run) - 1;
  }

  /** Parses a script without running it. Throws its syntax error. */
  function check(source: string, filename: string): void {
    const { code } = evalCode(source);
    try {
      (0, eval)(`(function () {${code}\n})`);
    } catch (error) {
      try {
        (0, eval)(`0 && (async function () {${code}\n})`);
      } catch {
        decorate(error, arrowFor(error, source, filename, 'script'));
        throw error;
      }
    }
  }

  function read(source: string, how: VmCodeOptions): EditedText {
    try {
      return vmCode(source, how);
    } catch {
      // The parser cannot read the source, but the engine may.
      return evalCode(source);
    }
  }

  const optionsOf = (options: unknown): ScriptOptions =>
    typeof options === 'string' ? { filename: options } : ((options ?? {}) as ScriptOptions);

  class Script {
    readonly #source: string;
    readonly #filename: string;
    readonly #importId: number;

    constructor(source: unknown, options?: unknown) {
      const { filename = 'evalmachine.<anonymous>', importModuleDynamically } = optionsOf(options);
      this.#filename = filename;
      this.#source = String(source);
      this.#importId = /\bimport\b/.test(this.#source) ? importing(importModuleDynamically, () => this) : 0;
      check(this.#source, filename);
    }

    runInThisContext(options?: unknown): unknown {
      return this.#run(options, false, (code) => evaluate(code, this.#filename));
    }

    runInContext(context: object, options?: unknown): unknown {
      needContext(context, 'contextifiedObject');
      return this.#run(options, true, (code) => inContext(code, this.#filename, context));
    }

    runInNewContext(object: object = {}, options?: unknown): unknown {
      return this.runInContext(createContext(object), options);
    }

    #run(options: unknown, isInContext: boolean, run: (code: string) => unknown): unknown {
      const { timeout, displayErrors = true } = (
        typeof options === 'object' && options !== null ? options : {}
      ) as RunOptions;
      if (timeout !== undefined) needInteger(timeout, 'options.timeout', 1, 2 ** 32 - 1);
      const text = read(this.#source, {
        isTimed: timeout !== undefined,
        isInContext,
        importId: this.#importId,
      });
      sources.add(this.#filename, this.#source, text);
      try {
        return timeout === undefined ? run(text.code) : inTime(Number(timeout), () => run(text.code));
      } catch (error) {
        const arrow = displayErrors === false ? undefined : arrowOfThrown(sources, error);
        if (arrow !== undefined) decorate(error, arrow);
        throw error;
      }
    }

    createCachedData(): Uint8Array {
      return new Uint8Array(0);
    }
  }

  function inTime(timeout: number, run: () => unknown): unknown {
    const before = deadline;
    deadline = Math.min(before, performance.now() + timeout);
    Object.defineProperty(globalThis, VM_NAMES.tick, { value: tick, configurable: true });
    const isOver = () => before > deadline && performance.now() > deadline;
    const timedOut = () =>
      nodeError('ERR_SCRIPT_EXECUTION_TIMEOUT', `Script execution timed out after ${timeout}ms`);
    try {
      const value = run();
      if (isOver()) throw timedOut();
      return value;
    } catch (error) {
      throw error === TIMED_OUT && isOver() ? timedOut() : error;
    } finally {
      deadline = before;
    }
  }

  function needContext(object: unknown, name: string, wanted = 'vm.Context'): void {
    if (typeof object !== 'object' || object === null || !contexts.has(object))
      throw argTypeError(name, wanted, object);
  }

  function createContext(given: unknown = {}): object {
    const object = given === constants.DONT_CONTEXTIFY ? {} : given;
    if ((typeof object !== 'object' && typeof object !== 'function') || object === null)
      throw argTypeError('object', 'Object', object);
    if (!contexts.has(object)) contexts.set(object, new Map());
    return object;
  }

  /**
   * Runs a script in a context. Variables become its members when set, and functions before the script runs.
   */
  function inContext(code: string, filename: string, context: object): unknown {
    let passing = false;
    const lexical: Lexical = contexts.get(context) ?? new Map();
    const isThere = (key: string) =>
      lexical.has(key) || key in context || key === 'globalThis' || Object.hasOwn(LANGUAGE, key);
    const get = (key: string): unknown => {
      const declared = lexical.get(key);
      if (declared) return declared[0]();
      if (key in context) return Reflect.get(context, key);
      return key === 'globalThis' ? context : (Reflect.get(globalThis, key) as unknown);
    };
    const scope = new PlainProxy(context, {
      has: (_target, key) => !passing && typeof key === 'string' && !OWN.has(key),
      get: (_target, key) => {
        if (typeof key === 'symbol') return undefined;
        if (isThere(key)) return get(key);
        throw new ReferenceError(`${key} is not defined`);
      },
      set(target, key, value) {
        const declared = typeof key === 'string' ? lexical.get(key) : undefined;
        if (!declared) return Reflect.set(target, key, value);
        declared[1](value);
        return true;
      },
    });
    const take = (
      getters: Readonly<Record<string, () => unknown>>,
      declared: Readonly<Record<string, [() => unknown, (value: unknown) => void]>>,
    ) => {
      for (const [name, reached] of Object.entries(declared)) {
        if (lexical.has(name)) throw new SyntaxError(`Identifier '${name}' has already been declared`);
        lexical.set(name, reached);
      }
      passing = true;
      try {
        for (const [name, value] of Object.entries(getters)) Reflect.set(context, name, value());
      } finally {
        passing = false;
      }
    };
    const run = (0, eval)(
      `(function (__vtr_scope, __vtr_code, ${VM_NAMES.take}, ${VM_NAMES.typeOf}) { with (__vtr_scope) { return eval(__vtr_code) } })\n//# sourceURL=blob:vm`,
    ) as (...given: unknown[]) => unknown;
    const typeOf = (name: string) => (isThere(name) ? typeof get(name) : 'undefined');
    return Reflect.apply(run, context, [scope, `${code}\n//# sourceURL=${filename}`, take, typeOf]);
  }

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
    isContext(object: unknown) {
      if (typeof object !== 'object' || object === null) throw argTypeError('object', 'Object', object);
      return contexts.has(object);
    },
    compileFunction(source: unknown, parameters: readonly string[] = [], options?: unknown) {
      needString(source, 'code');
      const { filename = '', parsingContext, contextExtensions = [] } = compileOptions(options);
      const names = contextExtensions.map((_each, at) => `__vtr_extension${at}`);
      const within = names.map((name) => `with(${name})`).join('');
      const code = `(function(${names.join(',')}){${within}return (function (${parameters.join(',')}) {${source}\n})})`;
      if (parsingContext !== undefined) needContext(parsingContext, 'options.parsingContext', 'Context');
      const made = parsingContext
        ? inContext(code, filename || 'node:vm', parsingContext)
        : evaluate(code, filename || 'node:vm');
      return Reflect.apply(made as () => unknown, undefined, contextExtensions) as unknown;
    },
    measureMemory: () => Promise.resolve({ total: { jsMemoryEstimate: 0, jsMemoryRange: [0, 0] } }),
    constants,
  };
}

const OWN = new Set(['__vtr_scope', '__vtr_code', '__vtr_to', 'eval', ...Object.values(VM_NAMES)]);

/** The globals that exist in every context. */
const LANGUAGE: Readonly<Record<string, true>> = Object.fromEntries(
  Object.getOwnPropertyNames(globalThis)
    .filter((name) => /^[A-Z]|^(?:decode|encode|escape|unescape|eval|is|parse|undefined|NaN)/.test(name))
    .map((name) => [name, true]),
);
