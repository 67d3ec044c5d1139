import { current, goOnIn, nextId } from '../builtins/async/context.ts';
import type { EventLoop } from './loop.ts';
import { asyncId, contextFrame, refed, triggerId, type Callback } from './timer-item.ts';

/** Makes the class of what `setImmediate` returns. `count` hears how many of them keep the process alive. */
export function makeImmediateClass(loop: EventLoop, count: (change: 1 | -1) => void) {
  return class Immediate {
    _idleNext = null;
    _idlePrev = null;
    _onImmediate: Callback | null;
    _argv: unknown[] | undefined;
    _destroyed = false;
    [refed]: boolean | null = true;
    [asyncId] = nextId();
    [triggerId] = current().id;
    [contextFrame] = undefined;
    readonly #frame = current();

    constructor(callback: Callback, args: unknown[]) {
      this._onImmediate = callback;
      this._argv = args.length > 0 ? args : undefined;
      count(1);
      loop.addImmediate(() => this.#run());
    }

    #run(): void {
      const run = this._onImmediate;
      this._clear();
      if (run) goOnIn(this.#frame, () => Reflect.apply(run, this, this._argv ?? []));
    }

    _clear(): void {
      if (this[refed]) count(-1);
      this[refed] = null;
      this._onImmediate = null;
      this._destroyed = true;
    }

    ref(): this {
      if (this[refed] === false) {
        this[refed] = true;
        count(1);
      }
      return this;
    }

    unref(): this {
      if (this[refed] === true) {
        this[refed] = false;
        count(-1);
      }
      return this;
    }

    hasRef(): boolean {
      return this[refed] === true;
    }
  };
}
