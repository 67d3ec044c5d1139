import { PlainProxy } from './builtins/internal/proxies.ts';
import { nodeError, needString } from './builtins/internal/errors.ts';
import { evalCode } from './loader/cjs-code.ts';
import { evaluate } from './loader/cjs.ts';
import { arrowFor } from './loader/syntax-errors.ts';
import { nameOf, nodeIn, nodesIn, parse, type SyntaxNode } from './loader/syntax.ts';
import type { Sources } from './sources.ts';
import { setArrow } from './uncaught.ts';

interface ScriptOptions {
  readonly filename?: string;
  readonly lineOffset?: number;
  readonly columnOffset?: number;
  readonly timeout?: number;
}

const contexts = new WeakSet();

/**
 * `node:vm` as far as one realm goes: scripts of another context see its object's members before the globals, and what
 * they declare at their top becomes a member; classes of the language are the same in all.
 */
export function makeVm(sources: Sources) {
  function compiled(source: string, filename: string): string {
    const code = evalCode(source, 'javascript');
    sources.add(filename, source, code);
    try {
      // Read once without running it: what cannot be read says so here.
      (0, eval)(`(function () {${code.code}\n})`);
    } catch (error) {
      try {
        (0, eval)(`0 && (async function () {${code.code}\n})`);
      } catch {
        setArrow(error, arrowFor(error, source, filename, 'script', 'javascript'));
        throw error;
      }
    }
    return code.code;
  }

  const optionsOf = (options: unknown): ScriptOptions =>
    typeof options === 'string' ? { filename: options } : ((options ?? {}) as ScriptOptions);

  class Script {
    readonly #code: string;
    readonly #filename: string;

    constructor(source: unknown, options?: unknown) {
      const { filename = 'evalmachine.<anonymous>' } = optionsOf(options);
      this.#filename = filename;
      this.#code = compiled(String(source), filename);
    }

    runInThisContext(): unknown {
      return evaluate(this.#code, this.#filename);
    }

    runInContext(context: object): unknown {
      if (!contexts.has(context))
        throw nodeError(
          'ERR_INVALID_ARG_TYPE',
          'The "contextifiedObject" argument must be an vm.Context',
          TypeError,
        );
      return inContext(this.#code, this.#filename, context);
    }

    runInNewContext(object: object = {}): unknown {
      return this.runInContext(createContext(object));
    }

    createCachedData(): Uint8Array {
      return new Uint8Array(0);
    }
  }

  function createContext(object: object = {}): object {
    contexts.add(object);
    return object;
  }

  /** Variables of a script become members of its context as they are set; functions are taken before anything runs. */
  function inContext(code: string, filename: string, context: object): unknown {
    let passing = false;
    const scope = new PlainProxy(context, {
      has: (_target, key) => !passing && typeof key === 'string' && !OWN.has(key),
      get: (target, key) => {
        if (key === Symbol.unscopables) return undefined;
        if (key in target) return Reflect.get(target, key) as unknown;
        if (key === 'globalThis') return target;
        if (Object.hasOwn(LANGUAGE, key)) return Reflect.get(globalThis, key) as unknown;
        throw new ReferenceError(`${String(key)} is not defined`);
      },
      set: (target, key, value) => Reflect.set(target, key, value),
    });
    const take = (getters: Readonly<Record<string, () => unknown>>) => {
      passing = true;
      try {
        for (const [name, get] of Object.entries(getters)) Reflect.set(context, name, get());
      } finally {
        passing = false;
      }
    };
    const getters = topFunctions(code).map((name) => `${name}:()=>${name}`);
    const run = (0, eval)(
      `(function (__vtr_scope, __vtr_code, __vtr_take) { with (__vtr_scope) { return eval(__vtr_code) } })`,
    ) as (scope: object, code: string, take: unknown) => unknown;
    return run(scope, `__vtr_take({${getters.join(',')}});${code}\n//# sourceURL=${filename}`, take);
  }

  return {
    Script,
    createContext,
    createScript: (source: unknown, options?: unknown) => new Script(source, options),
    runInThisContext: (source: unknown, options?: unknown) => new Script(source, options).runInThisContext(),
    runInContext: (source: unknown, context: object, options?: unknown) =>
      new Script(source, options).runInContext(context),
    runInNewContext: (source: unknown, object?: object, options?: unknown) =>
      new Script(source, options).runInNewContext(object),
    isContext(object: unknown) {
      if (typeof object !== 'object' || object === null)
        throw nodeError('ERR_INVALID_ARG_TYPE', 'The "object" argument must be of type object.', TypeError);
      return contexts.has(object);
    },
    compileFunction(source: unknown, parameters: readonly string[] = [], options?: unknown) {
      needString(source, 'code');
      const { filename = '' } = optionsOf(options);
      return evaluate(`(function (${parameters.join(',')}) {${source}\n})`, filename || 'node:vm');
    },
    measureMemory: () => Promise.resolve({ total: { jsMemoryEstimate: 0, jsMemoryRange: [0, 0] } }),
    constants: {
      USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol('vm_dynamic_import_main_context_default'),
      DONT_CONTEXTIFY: Symbol('vm_context_no_contextify'),
    },
  };
}

const OWN = new Set(['__vtr_scope', '__vtr_code', '__vtr_take', 'eval']);

function topFunctions(code: string): string[] {
  const program: SyntaxNode = { ...parse(code, 'script', 'javascript') };
  return nodesIn(program, 'body').flatMap((node) =>
    node.type === 'FunctionDeclaration' ? [nameOf(nodeIn(node, 'id'))] : [],
  );
}

/** What every context has of its own. */
const LANGUAGE: Readonly<Record<string, true>> = Object.fromEntries(
  Object.getOwnPropertyNames(globalThis)
    .filter((name) => /^[A-Z]|^(?:decode|encode|escape|unescape|eval|is|parse|undefined|NaN)/.test(name))
    .map((name) => [name, true]),
);
