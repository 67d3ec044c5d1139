import { argTypeError, argValueError, needFunction, needObject, nodeError } from '../internal/errors.ts';
import { MockTimers } from './mock-timers.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

interface Call {
  readonly arguments: unknown[];
  readonly error: unknown;
  readonly result: unknown;
  readonly stack: Error;
  readonly target: unknown;
  readonly this: unknown;
}

class MockFunctionContext {
  #calls: Call[] = [];
  #implementation: AnyFunction;
  readonly #once = new Map<number, AnyFunction>();
  readonly #times: number;
  readonly #restore: { undo: (() => void) | undefined; original: AnyFunction };

  constructor(implementation: AnyFunction, original: AnyFunction, times: number, undo?: () => void) {
    this.#implementation = implementation;
    this.#times = times;
    this.#restore = { undo, original };
  }

  get calls(): Call[] {
    return this.#calls.slice();
  }

  callCount(): number {
    return this.#calls.length;
  }

  mockImplementation(implementation: unknown): void {
    needFunction(implementation, 'implementation');
    this.#implementation = implementation;
  }

  mockImplementationOnce(implementation: unknown, onCall: number = this.#calls.length): void {
    needFunction(implementation, 'implementation');
    if (onCall < this.#calls.length)
      throw argValueError('onCall', onCall, `must be >= ${this.#calls.length}`);
    this.#once.set(onCall, implementation);
  }

  resetCalls(): void {
    this.#calls = [];
  }

  restore(): void {
    this.#restore.undo?.();
    this.#implementation = this.#restore.original;
    this.#once.clear();
  }

  call(self: unknown, args: unknown[], target: (new (...args: unknown[]) => unknown) | undefined): unknown {
    const number = this.#calls.length;
    const implementation =
      this.#once.get(number) ?? (number < this.#times ? this.#implementation : this.#restore.original);
    this.#once.delete(number);
    let result: unknown;
    let error: unknown;
    let made: unknown = self;
    try {
      if (target) {
        result = Reflect.construct(implementation, args, target);
        made = result;
      } else result = Reflect.apply(implementation, self, args);
    } catch (thrown) {
      error = thrown;
      throw thrown;
    } finally {
      this.#calls.push({ arguments: args, error, result, stack: new Error(), target, this: made });
    }
    return result;
  }
}

interface MockOptions {
  readonly times?: number;
  readonly getter?: boolean;
  readonly setter?: boolean;
}

const isOptions = (value: unknown): value is MockOptions => typeof value === 'object' && value !== null;

export class MockTracker {
  #mocks: MockFunctionContext[] = [];
  #timers: MockTimers | undefined;

  get timers(): MockTimers {
    return (this.#timers ??= new MockTimers());
  }

  fn(original?: unknown, implementation?: unknown, options?: unknown): unknown {
    let [first, second, chosen] = [original, implementation, options];
    if (isOptions(first)) [first, second, chosen] = [undefined, undefined, first];
    else if (isOptions(second)) [second, chosen] = [first, second];
    const base = first ?? function () {};
    needFunction(base, 'original');
    const used = second ?? base;
    needFunction(used, 'implementation');
    return this.#make(base, used, isOptions(chosen) ? chosen : {});
  }

  method(target: unknown, name: string | symbol, implementation?: unknown, options?: unknown): unknown {
    if ((typeof target !== 'object' && typeof target !== 'function') || target === null)
      throw argTypeError('object', 'Object', target);
    let [used, chosen] = [implementation, options];
    if (isOptions(used)) [used, chosen] = [undefined, used];
    const { getter = false, setter = false, ...rest } = isOptions(chosen) ? chosen : {};
    if (getter && setter)
      throw argValueError('options.setter', setter, "cannot be used with 'options.getter'");
    const property = propertyOf(target, name);
    const original: unknown = getter ? property?.get : setter ? property?.set : property?.value;
    if (typeof original !== 'function') throw argValueError('methodName', original, 'must be a method');
    needFunction(original, 'methodName');
    const mock = this.#make(
      original,
      typeof used === 'function' ? (used as AnyFunction) : original,
      rest,
      () => {
        if (property) Object.defineProperty(target, name, property);
      },
    );
    const shape = { configurable: property?.configurable ?? true, enumerable: property?.enumerable ?? true };
    const { get, set } = property ?? {};
    if (getter) Object.defineProperty(target, name, { ...shape, get: mock, ...(set && { set }) });
    else if (setter) Object.defineProperty(target, name, { ...shape, ...(get && { get }), set: mock });
    else Object.defineProperty(target, name, { ...shape, value: mock, writable: property?.writable ?? true });
    return mock;
  }

  getter(target: object, name: string | symbol, implementation?: unknown, options?: unknown): unknown {
    return this.#accessor(target, name, implementation, options, { getter: true });
  }

  setter(target: object, name: string | symbol, implementation?: unknown, options?: unknown): unknown {
    return this.#accessor(target, name, implementation, options, { setter: true });
  }

  #accessor(
    target: object,
    name: string | symbol,
    implementation: unknown,
    options: unknown,
    kind: MockOptions,
  ): unknown {
    const [used, chosen] = isOptions(implementation)
      ? [undefined, implementation]
      : [implementation, options];
    return this.method(target, name, used, { ...(isOptions(chosen) && chosen), ...kind });
  }

  module(): never {
    throw nodeError(
      'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
      'mock.module is not available in this workspace; mock the methods of what is imported instead',
    );
  }

  reset(): void {
    this.restoreAll();
    this.#timers?.reset();
    this.#mocks = [];
  }

  restoreAll(): void {
    for (const mock of this.#mocks) mock.restore();
  }

  #make(
    original: AnyFunction,
    implementation: AnyFunction,
    { times = Infinity }: MockOptions,
    undo?: () => void,
  ): AnyFunction {
    if (times !== Infinity && !(Number.isInteger(times) && times > 0))
      throw argValueError('options.times', times);
    const context = new MockFunctionContext(implementation, original, times, undo);
    this.#mocks.push(context);
    return new Proxy(original, {
      apply: (_target, self, args: unknown[]) => context.call(self, args, undefined),
      construct: (_target, args: unknown[], target) => {
        const made = context.call(undefined, args, target as never);
        needObject(made, 'constructed');
        return made;
      },
      get: (target, name, receiver) =>
        name === 'mock' ? context : (Reflect.get(target, name, receiver) as unknown),
    });
  }
}

function propertyOf(target: object, name: string | symbol): PropertyDescriptor | undefined {
  for (let at: object | null = target; at; at = Object.getPrototypeOf(at) as object | null) {
    const property = Object.getOwnPropertyDescriptor(at, name);
    if (property) return property;
  }
  return undefined;
}
