/** The values that running code has inherited from the code that started it. */
export interface Frame {
  readonly values: ReadonlyMap<object, unknown>;
  readonly id: number;
  readonly trigger: number;
}

const root: Frame = { values: new Map(), id: 1, trigger: 0 };
let frame = root;
let ids = 1;
let following = false;
/** The frames that ran last in this turn, and in the one before. */
let latest = root;
let before = root;

export const current = Object.assign(() => frame, {
  set(next: Frame): void {
    frame = next;
    if (next !== root) follow();
  },
});

/** Where something that nobody caught may have come from, likeliest first. */
export const recent = (turns: 1 | 2): readonly Frame[] =>
  turns === 1 ? [frame, latest] : [frame, latest, before];

export const nextId = (): number => ++ids;

export function runIn<Result>(inside: Frame, run: () => Result): Result {
  follow();
  const around = frame;
  frame = latest = inside;
  try {
    return run();
  } finally {
    frame = around;
  }
}

/** Marks functions that carry the frame to their callbacks by themselves. */
export const KEEPS = Symbol('keeps the frame');

/** As {@link runIn}, for what has been begun already: where nothing is inherited, nothing is followed. */
export function goOnIn(inside: Frame, run: () => unknown): void {
  if (inside === root) run();
  else runIn(inside, run);
}

type Callback = (this: unknown, ...args: unknown[]) => unknown;

/** Nothing of the program runs: what comes next has inherited nothing. */
export function leaveFrame(): void {
  frame = root;
  if (latest === root) return;
  before = latest;
  latest = root;
}

/** The callback, run later in today's frame. */
export function keep<Value>(callback: Value): Value {
  if (typeof callback !== 'function' || !following) return callback;
  const inside = frame;
  const original = callback as Callback & Value;
  const wrapped: Callback = function (...args) {
    const around = frame;
    frame = latest = inside;
    try {
      return Reflect.apply(original, this, args);
    } finally {
      frame = around;
    }
  };
  return wrapped as Callback & Value;
}

const { then } = Promise.prototype;
const { resolve } = Promise;

/**
 * Wraps the operand of `await` in programs that track it (loader/await-code.ts). Just before the engine continues, the frame
 * is set to the current one again: its own reaction to the same promise comes right after ours.
 */
export function take(value: unknown): unknown {
  if (!following) return value;
  const inside = frame;
  const restore = () => {
    frame = latest = inside;
  };
  // As `await` itself makes it: a promise is taken as it is.
  const promise = Reflect.apply(resolve, Promise, [value]) as Promise<unknown>;
  void Reflect.apply(then, promise, [restore, restore]);
  return promise;
}

type Next = (this: unknown, ...args: unknown[]) => unknown;
type Steps = { readonly next: Next; readonly return?: Next };

/** Wraps the operand of `for await`, so that each step goes through {@link take}. `shown` is its text in the program. */
export function each(iterable: unknown, shown: string): unknown {
  const start: unknown = Reflect.get(Object(iterable), Symbol.asyncIterator);
  const startSync: unknown = Reflect.get(Object(iterable), Symbol.iterator);
  if (typeof start !== 'function' && typeof startSync !== 'function')
    throw new TypeError(`${shown} is not async iterable`);
  if (!following) return iterable;
  return {
    [Symbol.asyncIterator]: () =>
      typeof start === 'function'
        ? told(Reflect.apply(start, iterable, []) as Steps, (result) => result)
        : told(Reflect.apply(startSync as Next, iterable, []) as Steps, settled),
  };
}

function told(steps: Steps, resultOf: (result: unknown) => unknown): object {
  const { next } = steps;
  return {
    next: (...args: unknown[]) => take(resultOf(Reflect.apply(next, steps, args))),
    get return() {
      const end = steps.return;
      return end && ((...args: unknown[]) => take(resultOf(Reflect.apply(end, steps, args))));
    },
  };
}

/** A step of an iterator that is not asynchronous: its value is waited for. */
function settled(result: unknown): Promise<unknown> {
  const { value, done } = Object(result) as { value: unknown; done: unknown };
  const whole = (settledValue: unknown) => ({ value: settledValue, done });
  return Reflect.apply(then, Reflect.apply(resolve, Promise, [value]), [whole]) as Promise<unknown>;
}

/**
 * From the first use on, promises' `then`, timers and the like carry the frame, and what is awaited where the code says so.
 */
function follow(): void {
  if (following) return;
  following = true;
  Promise.prototype.then = function (fulfilled, rejected) {
    return Reflect.apply(then, this, [keep(fulfilled), keep(rejected)]) as never;
  };
  const scope: Record<string, unknown> & typeof globalThis = globalThis;
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'] as const) {
    const original: unknown = scope[name];
    if (typeof original !== 'function' || Object.hasOwn(original, KEEPS)) continue;
    const wrapped = function (this: unknown, callback: unknown, ...rest: unknown[]): unknown {
      return Reflect.apply(original, this, [keep(callback), ...rest]);
    };
    Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
    Object.defineProperty(scope, name, {
      value: wrapped,
      writable: true,
      configurable: true,
      enumerable: true,
    });
  }
  const { process } = globalThis;
  if (process) {
    const { nextTick } = process;
    process.nextTick = (callback: (...args: never[]) => void, ...args: unknown[]) =>
      Reflect.apply(nextTick, process, [keep(callback), ...args]);
  }
}
