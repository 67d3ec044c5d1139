import type { LoadBuiltin, NodeHost } from '../../builtin.ts';
import { argTypeError, argValueError, needFunction, needInteger, needObject } from '../../internal/errors.ts';
import { mockModule } from './mock-modules.ts';
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

/** A mock, which is undone at the end of a test. */
interface Mock {
  restore(): void;
}

class MockFunctionContext implements Mock {
  #calls: Call[] = [];
  #implementation: AnyFunction;
  readonly #once = new Map<number, AnyFunction>();
  readonly #times: number;
  readonly #undo: (() => void) | undefined;
  readonly #original: AnyFunction;

  /** `undo`: where it stands in the place of a method. */
  constructor(implementation: AnyFunction, original: AnyFunction, times: number, undo?: () => void) {
    this.#implementation = implementation;
    this.#original = original;
    this.#times = times;
    this.#undo = undo;
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

  mockImplementationOnce(implementation: unknown, onCall?: unknown): void {
    needFunction(implementation, 'implementation');
    const call = onCall ?? this.#calls.length;
    needInteger(call, 'onCall', this.#calls.length);
    this.#once.set(call, implementation);
  }

  resetCalls(): void {
    this.#calls = [];
  }

  restore(): void {
    if (this.#undo) this.#undo();
    else this.#implementation = this.#original;
  }

  static call(
    context: MockFunctionContext,
    args: unknown[],
    self: unknown,
    target?: (...args: never[]) => unknown,
    made?: (...args: never[]) => unknown,
  ): unknown {
    const number = context.#calls.length;
    const implementation = context.#once.get(number) ?? context.#implementation;
    if (number + 1 === context.#times) context.restore();
    context.#once.delete(number);
    let result: unknown;
    let error: unknown;
    try {
      result = target
        ? Reflect.construct(implementation, args, made)
        : Reflect.apply(implementation, self, args);
      return result;
    } catch (thrown) {
      error = thrown;
      throw thrown;
    } finally {
      const call = {
        arguments: args,
        error,
        result,
        stack: new Error(),
        target,
        this: target ? result : self,
      };
      context.#calls.push(call);
    }
  }
}

interface Access {
  readonly type: 'get' | 'set';
  readonly value: unknown;
  readonly stack: Error;
}

class MockPropertyContext implements Mock {
  readonly #object: object;
  readonly #name: string | symbol;
  readonly #before: PropertyDescriptor;
  readonly #original: unknown;
  readonly #once = new Map<number, unknown>();
  #value: unknown;
  #accesses: Access[] = [];

  constructor(object: object, name: string | symbol, given: { readonly value: unknown } | undefined) {
    const before = Object.getOwnPropertyDescriptor(object, name);
    if (!before) throw argValueError('propertyName', name, 'is not a property of the object');
    this.#object = object;
    this.#name = name;
    this.#before = before;
    this.#original = Reflect.get(object, name);
    this.#value = given ? given.value : this.#original;
    Object.defineProperty(object, name, {
      configurable: before.configurable ?? false,
      enumerable: before.enumerable ?? false,
      get: () => this.#accessed('get', this.#value),
      set: (value: unknown) => this.mockImplementation(value),
    });
  }

  get accesses(): Access[] {
    return this.#accesses.slice();
  }

  accessCount(): number {
    return this.#accesses.length;
  }

  mockImplementation(value: unknown): void {
    if (!this.#before.writable) throw argValueError('propertyName', this.#name, 'cannot be set');
    this.#value = this.#accessed('set', value);
  }

  mockImplementationOnce(value: unknown, onAccess?: unknown): void {
    const access = onAccess ?? this.#accesses.length;
    needInteger(access, 'onAccess', this.#accesses.length);
    this.#once.set(access, value);
  }

  resetAccesses(): void {
    this.#accesses = [];
  }

  restore(): void {
    Object.defineProperty(this.#object, this.#name, { ...this.#before, value: this.#original });
  }

  #accessed(type: Access['type'], usual: unknown): unknown {
    const at = this.#accesses.length;
    const value = this.#once.has(at) ? this.#once.get(at) : usual;
    this.#once.delete(at);
    this.#accesses.push({ type, value, stack: new Error() });
    return value;
  }
}

interface MockOptions {
  readonly times?: unknown;
  readonly getter?: unknown;
  readonly setter?: unknown;
}

const isOptions = (value: unknown): value is MockOptions => typeof value === 'object' && value !== null;

function timesOf({ times = Infinity }: MockOptions): number {
  if (times === Infinity) return Infinity;
  needInteger(times, 'options.times', 1);
  return times;
}

function needName(name: unknown, argument: string): asserts name is string | symbol {
  if (typeof name !== 'string' && typeof name !== 'symbol')
    throw argTypeError(argument, ['string', 'symbol'], name);
}

export class MockTracker {
  readonly #host: NodeHost;
  readonly #load: LoadBuiltin;
  #mocks: Mock[] = [];
  #timers: MockTimers | undefined;

  constructor(host: NodeHost, load: LoadBuiltin) {
    this.#host = host;
    this.#load = load;
    // Only with its flag, as node has it.
    if (host.process.execArgv.includes('--experimental-test-module-mocks'))
      Object.defineProperty(this, 'module', {
        value: (specifier: unknown, options?: unknown) => {
          const mock = mockModule(this.#host, this.#load, specifier, options);
          this.#mocks.push(mock);
          return mock;
        },
        configurable: true,
        writable: true,
      });
  }

  get timers(): MockTimers {
    return (this.#timers ??= new MockTimers(this.#host, this.#load));
  }

  fn(original: unknown = function () {}, implementation: unknown = original, options: unknown = {}): unknown {
    let [first, second, chosen] = [original, implementation, options];
    if (isOptions(first)) {
      chosen = first;
      first = second = function () {};
    } else if (isOptions(second)) {
      chosen = second;
      second = first;
    }
    needFunction(first, 'original');
    needFunction(second, 'implementation');
    needObject(chosen, 'options');
    return this.#make(first, new MockFunctionContext(second, first, timesOf(chosen)));
  }

  method(target: unknown, name: unknown, implementation?: unknown, options: unknown = {}): unknown {
    needName(name, 'methodName');
    if (typeof target !== 'function') needTarget(target);
    let [used, chosen] = [implementation, options];
    if (isOptions(used)) [used, chosen] = [undefined, used];
    if (used !== undefined) needFunction(used, 'implementation');
    needObject(chosen, 'options');
    const { getter = false, setter = false } = chosen;
    if (typeof getter !== 'boolean') throw argTypeError('options.getter', 'boolean', getter);
    if (typeof setter !== 'boolean') throw argTypeError('options.setter', 'boolean', setter);
    const times = timesOf(chosen);
    if (getter && setter)
      throw argValueError('options.setter', setter, "cannot be used with 'options.getter'");
    const property = propertyOf(target, name);
    const original: unknown = getter ? property?.get : setter ? property?.set : property?.value;
    if (!property || typeof original !== 'function')
      throw argValueError('methodName', original, 'must be a method');
    needFunction(original, 'methodName');
    const context = new MockFunctionContext(used ?? original, original, times, () => {
      Object.defineProperty(target, name, property);
    });
    const mock = this.#make(original, context);
    const { get, set, writable = false } = property;
    const shape = { configurable: property.configurable ?? false, enumerable: property.enumerable ?? false };
    if (getter) Object.defineProperty(target, name, { ...shape, get: mock, ...(set && { set }) });
    else if (setter) Object.defineProperty(target, name, { ...shape, ...(get && { get }), set: mock });
    else Object.defineProperty(target, name, { ...shape, value: mock, writable });
    return mock;
  }

  getter(target: unknown, name: unknown, implementation?: unknown, options?: unknown): unknown {
    return this.#accessor('getter', target, name, implementation, options);
  }

  setter(target: unknown, name: unknown, implementation?: unknown, options?: unknown): unknown {
    return this.#accessor('setter', target, name, implementation, options);
  }

  #accessor(
    kind: 'getter' | 'setter',
    target: unknown,
    name: unknown,
    implementation: unknown,
    options: unknown = {},
  ): unknown {
    let [used, chosen] = [implementation, options];
    if (isOptions(used)) [used, chosen] = [undefined, used];
    needObject(chosen, 'options');
    if (chosen[kind] === false) throw argValueError(`options.${kind}`, false, 'cannot be false');
    return this.method(target, name, used, { ...chosen, [kind]: chosen[kind] ?? true });
  }

  property(object: unknown, name: unknown, ...rest: unknown[]): unknown {
    needObject(object, 'object');
    needName(name, 'propertyName');
    const context = new MockPropertyContext(object, name, rest.length > 0 ? { value: rest[0] } : undefined);
    this.#mocks.push(context);
    return withMock(object, context);
  }

  reset(): void {
    this.restoreAll();
    this.#timers?.reset();
    this.#mocks = [];
  }

  restoreAll(): void {
    for (const mock of this.#mocks) mock.restore();
  }

  #make(original: AnyFunction, context: MockFunctionContext): AnyFunction {
    this.#mocks.push(context);
    return withMock(original, context, {
      apply: (_target, self, args: unknown[]) => MockFunctionContext.call(context, args, self),
      construct: (target, args: unknown[], made) =>
        MockFunctionContext.call(context, args, undefined, target, made as never) as object,
    });
  }
}

/** Returns the target, with the mock as its property. */
function withMock<Target extends object>(
  target: Target,
  mock: Mock,
  more: ProxyHandler<Target> = {},
): Target {
  return new Proxy(target, {
    ...more,
    get: (from, name, receiver): unknown => (name === 'mock' ? mock : Reflect.get(from, name, receiver)),
  });
}

function needTarget(value: unknown): asserts value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw argTypeError('object', 'object', value);
}

function propertyOf(target: object, name: string | symbol): PropertyDescriptor | undefined {
  for (let at: object | null = target; at; at = Object.getPrototypeOf(at) as object | null) {
    const property = Object.getOwnPropertyDescriptor(at, name);
    if (property) return property;
  }
  return undefined;
}
