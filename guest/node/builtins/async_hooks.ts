import type { MakeBuiltin } from './builtin.ts';
import { needFunction, needString } from './internal/errors.ts';
import { current, nextId, runIn, type Frame } from './async/context.ts';

/** Holds a value for the running code and for whatever it starts by callbacks, `then` and `await`. */
class AsyncLocalStorage {
  readonly #name: string | undefined;
  readonly #default: unknown;
  #enabled = false;

  constructor(options: { defaultValue?: unknown; name?: string } = {}) {
    this.#default = options.defaultValue;
    this.#name = options.name;
  }

  static bind(original: unknown): unknown {
    return AsyncResource.bind(original);
  }

  static snapshot() {
    const frame = current();
    return (callback: (...args: unknown[]) => unknown, ...args: unknown[]) =>
      runIn(frame, () => callback(...args));
  }

  get name(): string {
    return this.#name ?? '';
  }

  disable(): void {
    this.#enabled = false;
  }

  getStore(): unknown {
    const { values } = current();
    if (values.has(this)) return this.#enabled ? values.get(this) : undefined;
    return this.#default;
  }

  enterWith(store: unknown): void {
    this.#enabled = true;
    current.set({ ...current(), values: new Map(current().values).set(this, store) });
  }

  run(store: unknown, callback: (...args: unknown[]) => unknown, ...args: unknown[]): unknown {
    this.#enabled = true;
    const frame: Frame = { ...current(), values: new Map(current().values).set(this, store) };
    return runIn(frame, () => callback(...args));
  }

  exit(callback: (...args: unknown[]) => unknown, ...args: unknown[]): unknown {
    const values = new Map(current().values);
    values.delete(this);
    return runIn({ ...current(), values }, () => callback(...args));
  }
}

class AsyncResource {
  readonly #frame: Frame;
  readonly #id: number;
  readonly #trigger: number;

  constructor(
    type: unknown,
    options: number | { triggerAsyncId?: number; requireManualDestroy?: boolean } = {},
  ) {
    needString(type, 'type');
    const trigger = typeof options === 'number' ? options : options.triggerAsyncId;
    this.#id = nextId();
    this.#trigger = trigger ?? current().id;
    this.#frame = { ...current(), id: this.#id, trigger: this.#trigger };
  }

  static bind(original: unknown, type?: string, self?: unknown): unknown {
    needFunction(original, 'fn');
    return new AsyncResource(type || original.name || 'bound-anonymous-fn').bind(original, self);
  }

  runInAsyncScope(callback: (...args: unknown[]) => unknown, self?: unknown, ...args: unknown[]): unknown {
    return runIn(this.#frame, () => Reflect.apply(callback, self, args));
  }

  bind(original: unknown, self?: unknown): unknown {
    needFunction(original, 'fn');
    const run = (...call: Parameters<AsyncResource['runInAsyncScope']>) => this.runInAsyncScope(...call);
    const bound = function (this: unknown, ...args: unknown[]) {
      return run(original, self === undefined ? this : self, ...args);
    };
    return Object.defineProperty(bound, 'length', { value: original.length, configurable: true });
  }

  asyncId(): number {
    return this.#id;
  }

  triggerAsyncId(): number {
    return this.#trigger;
  }

  emitDestroy(): this {
    return this;
  }
}

/** Accepts hooks but never calls them, because the engine does not report its promises here. */
function createHook(callbacks: Record<string, unknown>) {
  for (const name of ['init', 'before', 'after', 'destroy', 'promiseResolve'])
    if (callbacks[name] !== undefined) needFunction(callbacks[name], `hook.${name}`);
  const hook = { enable: () => hook, disable: () => hook };
  return hook;
}

export const makeAsyncHooks: MakeBuiltin = () => ({
  AsyncLocalStorage,
  AsyncResource,
  createHook,
  executionAsyncId: () => current().id,
  triggerAsyncId: () => current().trigger,
  executionAsyncResource: () => ({}),
  asyncWrapProviders: Object.freeze({ __proto__: null }),
});
