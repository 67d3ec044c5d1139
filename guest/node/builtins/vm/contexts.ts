import { argTypeError } from '../internal/errors.ts';
import { isFunction } from '../internal/guards.ts';
import { PlainProxy } from '../internal/proxies.ts';
import { VM_NAMES, vmCode } from '../../loader/vm-code.ts';

type Variable = readonly [read: () => unknown, write: (value: unknown) => void];

/** The names that scripts of a context declared with `let`, `const` and `class`, with access to their variables. */
type Lexical = Map<string, Variable>;

const contexts = new WeakMap<object, Lexical>();

export const constants = {
  USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol('vm_dynamic_import_main_context_default'),
  DONT_CONTEXTIFY: Symbol('vm_context_no_contextify'),
};

export function isContext(object: unknown): boolean {
  if (typeof object !== 'object' || object === null) throw argTypeError('object', 'Object', object);
  return contexts.has(object);
}

export function needContext(object: unknown, name: string, wanted = 'vm.Context'): asserts object is object {
  if (typeof object !== 'object' || object === null || !contexts.has(object))
    throw argTypeError(name, wanted, object);
}

export function createContext(given: unknown = {}): object {
  const object = given === constants.DONT_CONTEXTIFY ? {} : given;
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null)
    throw argTypeError('object', 'Object', object);
  if (!contexts.has(object)) contexts.set(object, new Map());
  return object;
}

/**
 * Runs a script in a context. Variables become its members when set, and functions before the script runs.
 */
export function runInContext(code: string, filename: string, context: object): unknown {
  const scope = new ContextScope(context, contexts.get(context) ?? new Map());
  const run: unknown = (0, eval)(
    `(function (__vtr_scope, __vtr_code, ${HELPERS.map((name) => VM_NAMES[name]).join()}) { with (__vtr_scope) { return eval(__vtr_code) } })\n//# sourceURL=blob:vm`,
  );
  if (!isFunction(run)) throw new TypeError('The script has no function');
  const given = [scope.proxy(), `${code}\n//# sourceURL=${filename}`, ...HELPERS.map((name) => scope[name])];
  return Reflect.apply(run, context, given);
}

/** The functions of the scope that the code of a script calls. */
const HELPERS = ['take', 'typeOf', 'functionOf', 'thisOf'] as const;

/** Makes what `new Function` of a context makes: its names, and `this` without an object, are those of the context. */
function makeFunction(context: object, words: readonly string[]): unknown {
  // The text of the function below may hide where its parameters end, which this one checks.
  Reflect.construct(Function, words);
  const parameters = words.slice(0, -1).join();
  const source = `(function anonymous(${parameters}\n) {\n${words.at(-1) ?? ''}\n})`;
  const { code } = vmCode(source, { isTimed: false, isInContext: true, importId: 0, ownsThis: true });
  return runInContext(code, 'evalmachine.<anonymous>', context);
}

/** The variables that a running script sees: its declarations, its context's members and the language's globals. */
class ContextScope {
  readonly #context: object;
  readonly #lexical: Lexical;
  /** True while the script's own functions are read, which the scope would hide. */
  #isPassing = false;
  /** The name whose type is asked for. It is undefined where nothing has it, and no error. */
  #asked: string | undefined;

  constructor(context: object, lexical: Lexical) {
    this.#context = context;
    this.#lexical = lexical;
  }

  #has(key: string): boolean {
    return (
      this.#lexical.has(key) || key in this.#context || key === 'globalThis' || Object.hasOwn(LANGUAGE, key)
    );
  }

  #get(key: string): unknown {
    const declared = this.#lexical.get(key);
    if (declared) return declared[0]();
    if (key in this.#context) return Reflect.get(this.#context, key);
    return key === 'globalThis' ? this.#context : Reflect.get(globalThis, key);
  }

  /** The object of the `with` statement in which the script runs. */
  proxy(): object {
    return new PlainProxy(this.#context, {
      has: (_target, key) => !this.#isPassing && typeof key === 'string' && !OWN.has(key),
      get: (_target, key) => {
        if (typeof key === 'symbol') return undefined;
        if (this.#has(key)) return this.#get(key);
        if (key === this.#asked) return undefined;
        throw new ReferenceError(`${key} is not defined`);
      },
      set: (target, key, value) => {
        const declared = typeof key === 'string' ? this.#lexical.get(key) : undefined;
        if (!declared) return Reflect.set(target, key, value);
        declared[1](value);
        return true;
      },
    });
  }

  /** Takes the declarations of a script before it runs. `getters` return its functions. */
  readonly take = (
    getters: Readonly<Record<string, () => unknown>>,
    declared: Readonly<Record<string, Variable>>,
  ): void => {
    for (const [name, variable] of Object.entries(declared)) {
      if (this.#lexical.has(name)) throw new SyntaxError(`Identifier '${name}' has already been declared`);
      this.#lexical.set(name, variable);
    }
    this.#isPassing = true;
    try {
      for (const [name, value] of Object.entries(getters)) Reflect.set(this.#context, name, value());
    } finally {
      this.#isPassing = false;
    }
  };

  /** Returns the context's own `Function` for that of the realm, whose functions would see the realm's globals. */
  readonly functionOf = (value: unknown): unknown => {
    if (value !== Function) return value;
    const context = this.#context;
    return function (...words: unknown[]) {
      return makeFunction(context, words.map(String));
    };
  };

  readonly thisOf = (value: unknown): unknown => (value === globalThis ? this.#context : value);

  /** Answers `typeof` of a name, which `read` evaluates where objects of `with` may have it as well. */
  readonly typeOf = (name: string, read: () => string): string => {
    const before = this.#asked;
    this.#asked = name;
    try {
      return read();
    } finally {
      this.#asked = before;
    }
  };
}

/** Names in the code around a script, which no context may hide. */
const OWN = new Set(['__vtr_scope', '__vtr_code', '__vtr_to', 'eval', ...Object.values(VM_NAMES)]);

/** The globals that exist in every context. */
const LANGUAGE: Readonly<Record<string, true>> = Object.fromEntries(
  Object.getOwnPropertyNames(globalThis)
    .filter((name) => /^[A-Z]|^(?:decode|encode|escape|unescape|eval|is|parse|undefined|NaN)/.test(name))
    .map((name) => [name, true]),
);
