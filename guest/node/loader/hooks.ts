import type { HookContext, Loaded, Resolution } from './hook-types.ts';
import type { HooksThread } from './hooks-thread.ts';
import { argTypeError, argValueError, nodeError, received } from '../builtins/internal/errors.ts';

type NextHook<Answer> = (what: string, context: HookContext) => Answer;
type Hook<Answer> = (
  what: string,
  context: HookContext,
  next: (what: string, context?: Partial<HookContext>) => Answer,
) => Answer;

interface HookPair {
  readonly resolve: Hook<Resolution> | undefined;
  readonly load: Hook<Loaded> | undefined;
}

/** The hooks of `module.registerHooks`. The last one is called first, and calls the one before it. */
export class Hooks {
  #pairs: readonly HookPair[] = [];

  /** The hooks of `module.register`. They are called after all others, and only for imports. */
  thread: HooksThread | undefined;

  get isEmpty(): boolean {
    return this.#pairs.length === 0;
  }

  get isForImports(): boolean {
    return !this.isEmpty || this.thread !== undefined;
  }

  register({ resolve, load }: { readonly resolve?: unknown; readonly load?: unknown }): {
    deregister(): void;
  } {
    const pair = {
      resolve: hookOf<Resolution>('hooks.resolve', resolve),
      load: hookOf<Loaded>('hooks.load', load),
    };
    this.#pairs = [...this.#pairs, pair];
    return { deregister: () => void (this.#pairs = this.#pairs.filter((each) => each !== pair)) };
  }

  resolve(specifier: string, context: HookContext, usual: NextHook<Resolution>): Resolution {
    const hooks = this.#pairs.flatMap((each) => each.resolve ?? []);
    const answer = chain('resolve', hooks, usual)(specifier, context);
    if (typeof answer.url !== 'string') throw notReturned('a URL string', 'url', 'resolve', answer.url);
    return answer;
  }

  load(url: string, context: HookContext, usual: NextHook<Loaded>): Loaded {
    const hooks = this.#pairs.flatMap((each) => each.load ?? []);
    return chain('load', hooks, usual)(url, context);
  }
}

function hookOf<Answer>(name: string, hook: unknown): Hook<Answer> | undefined {
  if (hook === undefined) return undefined;
  if (typeof hook !== 'function') throw argTypeError(name, 'Function', hook);
  return (...args) => Reflect.apply(hook, undefined, args);
}

function chain<Answer extends { readonly shortCircuit?: boolean }>(
  name: string,
  hooks: readonly Hook<Answer>[],
  usual: NextHook<Answer>,
): NextHook<Answer> {
  return hooks.reduce<NextHook<Answer>>(
    (below, hook) => (what, context) => {
      let isNextCalled = false;
      const answer = hook(what, context, (next, more) => {
        isNextCalled = true;
        return below(next, { ...context, ...more });
      });
      if (!isNextCalled && answer?.shortCircuit !== true)
        throw notReturned('true', 'shortCircuit', name, answer?.shortCircuit);
      return answer;
    },
    usual,
  );
}

/** The text of a source that a hook returned. */
export function textOf(source: unknown): string {
  if (typeof source === 'string') return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return new TextDecoder().decode(source);
  throw notReturned('a string, an ArrayBuffer, or a TypedArray', 'source', 'load', source);
}

/** The error for a hook that returned an invalid value. */
export function notReturned(what: string, property: string, hook: string, value: unknown): Error {
  return nodeError(
    'ERR_INVALID_RETURN_PROPERTY_VALUE',
    `Expected ${what} to be returned for the "${property}" from the "${hook}" hook but got${received(value).slice(' Received'.length)}.`,
    TypeError,
  );
}

/** Whether this is the result that the loader gives without hooks. */
export function isUsual(loaded: Loaded, usual: Loaded | undefined): boolean {
  return usual !== undefined && loaded.source === usual.source && loaded.format === usual.format;
}

/** The conditions that a hook gives. Undefined means the default ones. */
export function conditionsOf(given: unknown, name: string): ReadonlySet<string> | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) throw argValueError(name, given, 'expected an array');
  return new Set(given);
}
