/** What code that runs now has inherited from what started it. */
export interface Frame {
  readonly values: ReadonlyMap<object, unknown>;
  readonly id: number;
  readonly trigger: number;
}

const root: Frame = { values: new Map(), id: 1, trigger: 0 };
let frame = root;
let ids = 1;

export const current = Object.assign(() => frame, {
  set(next: Frame): void {
    frame = next;
    if (next !== root) follow();
  },
});

export const nextId = (): number => ++ids;

export function runIn<Result>(inside: Frame, run: () => Result): Result {
  follow();
  const before = frame;
  frame = inside;
  try {
    return run();
  } finally {
    frame = before;
  }
}

type Callback = (this: unknown, ...args: unknown[]) => unknown;

/** The callback, run later in today's frame. */
export function keep<Value>(callback: Value): Value {
  if (typeof callback !== 'function' || frame === root) return callback;
  const inside = frame;
  const original = callback as Callback & Value;
  const wrapped: Callback = function (...args) {
    const before = frame;
    frame = inside;
    try {
      return Reflect.apply(original, this, args);
    } finally {
      frame = before;
    }
  };
  return wrapped as Callback & Value;
}

let following = false;

/**
 * From the first use on, promises' `then`, timers and the like carry the frame. What the engine continues after an
 * `await` asks nobody: there the frame is lost.
 */
function follow(): void {
  if (following) return;
  following = true;
  const { then } = Promise.prototype;
  Promise.prototype.then = function (fulfilled, rejected) {
    return Reflect.apply(then, this, [keep(fulfilled), keep(rejected)]) as never;
  };
  const scope: Record<string, unknown> & typeof globalThis = globalThis;
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'] as const) {
    const original: unknown = scope[name];
    if (typeof original !== 'function') continue;
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
