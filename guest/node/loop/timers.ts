import { KEEPS } from '../builtins/async/context.ts';
import { needFunction } from '../builtins/internal/errors.ts';
import { makeImmediateClass } from './immediate.ts';
import type { EventLoop } from './loop.ts';
import type { TimerItem } from './timer-item.ts';
import { TimerQueue } from './timer-queue.ts';
import { warnOverflow } from './timeout.ts';

/** Node's timers of one process, over its loop. */
export function makeTimers(loop: EventLoop) {
  const queue = new TimerQueue(loop);
  const { Timeout } = queue;
  let immediates = 0;
  const Immediate = makeImmediateClass(loop, (change) => {
    immediates += change;
    loop.count(change);
  });
  dispose(Timeout.prototype, 'close');
  dispose(Immediate.prototype, '_clear');
  inspectFlat(Timeout.prototype);
  inspectFlat(Immediate.prototype);

  function setTimeout(callback: unknown, delay?: unknown, ...args: unknown[]) {
    needFunction(callback, 'callback');
    return new Timeout(callback, delay, args, false);
  }
  function setInterval(callback: unknown, delay?: unknown, ...args: unknown[]) {
    needFunction(callback, 'callback');
    return new Timeout(callback, delay, args, true);
  }
  function setImmediate(callback: unknown, ...args: unknown[]) {
    needFunction(callback, 'callback');
    return new Immediate(callback, args);
  }
  function clearTimeout(timer?: unknown): void {
    if (typeof timer === 'number' || typeof timer === 'string') queue.clear(queue.known.get(Number(timer)));
    // Any other value is taken for a timer, as in node.
    else queue.clear(timer as TimerItem | undefined);
  }
  function clearInterval(timer?: unknown): void {
    clearTimeout(timer);
  }
  function clearImmediate(immediate?: unknown): void {
    if (immediate instanceof Immediate && !immediate._destroyed) immediate._clear();
  }

  for (const each of [setTimeout, setInterval, setImmediate])
    Object.defineProperty(each, KEEPS, { value: true });
  return {
    global: { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate },
    /** The old functions that turn any object into a timer. */
    enrolled: {
      activate: (item: TimerItem, counts: boolean) => queue.activate(item, counts),
      unenroll: (item: TimerItem) => queue.unenroll(item),
      warnOverflow,
    },
    /** Returns the kind of each timer that keeps the process alive. */
    kept: (): string[] => [
      ...queue.kept.map(() => 'Timeout'),
      ...Array<string>(immediates).fill('Immediate'),
    ],
  };
}

export type Timers = ReturnType<typeof makeTimers>;

/** Adds `Symbol.dispose` for `using`, if the engine has that symbol. */
function dispose(prototype: object, method: string): void {
  const symbol: unknown = Reflect.get(Symbol, 'dispose');
  if (typeof symbol !== 'symbol') return;
  Object.defineProperty(prototype, symbol, {
    value() {
      Reflect.get(this, method).call(this);
    },
  });
}

/** Makes `util.inspect` show no more than the timer itself. */
function inspectFlat(prototype: object): void {
  Object.defineProperty(prototype, Symbol.for('nodejs.util.inspect.custom'), {
    value(this: object, _depth: number, options: object, inspect: (value: object, how: object) => string) {
      return inspect(this, { ...options, depth: 0, customInspect: false });
    },
  });
}
