import { argTypeError, argValueError, nodeError } from '../internal/errors.ts';

type Callback = (...args: unknown[]) => void;

interface Timer {
  readonly id: number;
  readonly callback: Callback;
  readonly args: unknown[];
  at: number;
  readonly every: number | undefined;
}

const names = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'scheduler.wait', 'AbortSignal.timeout'];

let warned = false;

function warnOnce(): void {
  if (warned) return;
  warned = true;
  globalThis.process?.emitWarning(
    'The MockTimers API is an experimental feature and might change at any time',
    'ExperimentalWarning',
  );
}

/** Time that stands still until it is told to go on. */
export class MockTimers {
  #now = 0;
  #ids = 0;
  #timers: Timer[] = [];
  #undo: (() => void)[] = [];
  #enabled = false;

  enable(options: { apis?: readonly string[]; now?: number | Date } = {}): void {
    if (this.#enabled)
      throw nodeError('ERR_INVALID_STATE', 'Invalid state: MockTimers is already enabled!', Error);
    const { apis = names, now = 0 } = options;
    if (!Array.isArray(apis)) throw argTypeError('options.apis', 'Array', apis);
    for (const api of apis as string[])
      if (!names.includes(api)) throw argValueError('options.apis', api, `option ${api} is not supported`);
    this.#now = Number(now);
    this.#enabled = true;
    warnOnce();
    for (const api of apis as string[]) this.#replace(api);
  }

  reset(): void {
    for (const undo of this.#undo.splice(0)) undo();
    this.#timers = [];
    this.#now = 0;
    this.#enabled = false;
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')](): void {
    this.reset();
  }

  tick(milliseconds = 1): void {
    this.#needEnabled();
    if (milliseconds < 0) throw argValueError('time', 'positive integer', String(milliseconds));
    const end = this.#now + milliseconds;
    for (;;) {
      const next = this.#next();
      if (!next || next.at > end) break;
      this.#now = Math.max(this.#now, next.at);
      this.#fire(next);
    }
    this.#now = end;
  }

  runAll(): void {
    this.#needEnabled();
    const last = this.#timers.reduce((latest, timer) => Math.max(latest, timer.at), this.#now);
    this.tick(last - this.#now);
  }

  setTime(time: number): void {
    this.#needEnabled();
    this.#now = time;
  }

  #needEnabled(): void {
    if (!this.#enabled)
      throw nodeError(
        'ERR_INVALID_STATE',
        'Invalid state: You should enable MockTimers first by calling the .enable function',
        Error,
      );
  }

  #next(): Timer | undefined {
    return [...this.#timers].sort((one, other) => one.at - other.at || one.id - other.id)[0];
  }

  #fire(timer: Timer): void {
    if (timer.every === undefined) this.#timers = this.#timers.filter((each) => each !== timer);
    else timer.at += Math.max(1, timer.every);
    timer.callback(...timer.args);
  }

  #add(callback: Callback, delay: number, args: unknown[], every?: number) {
    const timer: Timer = {
      id: ++this.#ids,
      callback,
      args,
      at: this.#now + Math.max(0, Number(delay) || 0),
      every,
    };
    this.#timers.push(timer);
    return {
      ref: () => undefined,
      unref: () => undefined,
      hasRef: () => true,
      refresh: () => undefined,
      [Symbol.toPrimitive]: () => timer.id,
    };
  }

  #clear = (timer: unknown): void => {
    const id = Number(timer);
    this.#timers = this.#timers.filter((each) => each.id !== id);
  };

  #set(target: object, name: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
    this.#undo.push(() => {
      if (before) Object.defineProperty(target, name, before);
    });
  }

  #replace(api: string): void {
    switch (api) {
      case 'setTimeout':
        this.#set(globalThis, 'setTimeout', (callback: Callback, delay = 1, ...args: unknown[]) =>
          this.#add(callback, Math.max(1, delay), args),
        );
        return this.#set(globalThis, 'clearTimeout', this.#clear);
      case 'setInterval':
        this.#set(globalThis, 'setInterval', (callback: Callback, delay = 1, ...args: unknown[]) =>
          this.#add(callback, Math.max(1, delay), args, Math.max(1, delay)),
        );
        return this.#set(globalThis, 'clearInterval', this.#clear);
      case 'setImmediate':
        this.#set(globalThis, 'setImmediate', (callback: Callback, ...args: unknown[]) =>
          this.#add(callback, 0, args),
        );
        return this.#set(globalThis, 'clearImmediate', this.#clear);
      case 'Date':
        return this.#set(globalThis, 'Date', this.#date());
      case 'AbortSignal.timeout':
        return this.#set(AbortSignal, 'timeout', (delay: number) => {
          const abort = new AbortController();
          this.#add(
            () => abort.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
            delay,
            [],
          );
          return abort.signal;
        });
      default:
        return undefined;
    }
  }

  #date(): DateConstructor {
    const now = () => this.#now;
    return new Proxy(Date, {
      construct: (target, args: unknown[], made) =>
        Reflect.construct(target, args.length === 0 ? [now()] : args, made) as object,
      apply: (target) => new target(now()).toString(),
      get: (target, name, receiver) =>
        name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
    });
  }
}
