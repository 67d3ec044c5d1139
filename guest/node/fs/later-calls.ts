import type { LoadBuiltin } from '../builtins/builtin.ts';
import { argTypeError } from '../builtins/internal/errors.ts';
import type { NodeFsCall } from '../../shared/wire.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { FsCore } from './core.ts';
import type { CallToSend } from './pending-calls.ts';

export type Operation = (...args: never[]) => unknown;
type Callback = (error: unknown, ...values: unknown[]) => void;

/** Makes the forms of synchronous operations that finish later: with a callback, and with a promise. */
export class LaterCalls {
  readonly #core: FsCore;
  readonly #loop: Pick<EventLoop, 'addOnce' | 'added'>;
  readonly #load: LoadBuiltin;

  constructor(core: FsCore, loop: Pick<EventLoop, 'addOnce' | 'added'>, load: LoadBuiltin) {
    this.#core = core;
    this.#loop = loop;
    this.#load = load;
  }

  /** Runs a function as an event of its own. */
  readonly later = <T>(run: () => T): Promise<T> =>
    new Promise((resolve, reject) =>
      this.#loop.addOnce(() => {
        try {
          resolve(run());
        } catch (error) {
          reject(error as Error);
        }
      }),
    );

  promised(operation: Operation): (...args: unknown[]) => Promise<unknown> {
    const core = this.#core;
    const checked = (args: unknown[]) => {
      try {
        return core.check(() => Reflect.apply(operation, core, args));
      } catch {
        // The promise is rejected with it, once the event comes.
        return undefined;
      }
    };
    // The others gain nothing from a dry run.
    const mayWait = onlyCall(operation) !== undefined;
    return (...args) =>
      this.later<unknown>(this.#pending(operation, args, mayWait ? checked(args) : undefined));
  }

  /** Returns the function that carries out an operation when its event comes, together with those that follow it. */
  #pending(operation: Operation, args: unknown[], first: CallToSend | undefined): () => unknown {
    const core = this.#core;
    const carryOut = () => Reflect.apply(operation, core, args) as unknown;
    if (!first || onlyCall(operation) !== first.call.op) return carryOut;
    // A call on an open file depends on what has happened to the file by the time at which the call is sent.
    const callNow = 'handle' in first.call ? () => core.check(carryOut) : () => first;
    const pending = core.addPending(callNow, this.#loop.added);
    return () => core.runPending(pending, carryOut);
  }

  /**
   * Makes the form that takes a callback as its last argument. Errors in the arguments themselves are thrown at
   * once. `more` and `whenFailed` give the values after the result, and those after an error.
   */
  withCallback(
    operation: Operation,
    more: (args: unknown[]) => unknown[] = () => [],
    whenFailed: (args: unknown[]) => unknown[] = () => [],
  ): (...args: unknown[]) => void {
    const core = this.#core;
    return (...given) => {
      const last = given.at(-1);
      let callback: Callback = thrown;
      let args = given;
      if (isCallback(last)) {
        callback = last;
        args = given.slice(0, -1);
      } else {
        if (BY_NUMBER.test(operation.name)) core.check(() => Reflect.apply(operation, core, given));
        // The last argument is no callback, so the callback is missing.
        if (operation.name !== 'closeSync' || given[1] !== undefined)
          throw argTypeError('cb', 'Function', undefined);
      }
      if (operation.name === 'readSync') this.#fillRead(args);
      const carryOut = this.#pending(
        operation,
        args,
        core.check(() => Reflect.apply(operation, core, args)),
      );
      this.#loop.addOnce(() => {
        let value: unknown;
        try {
          value = carryOut();
        } catch (error) {
          if (error instanceof TypeError || error instanceof RangeError) throw error;
          return callback(error, ...whenFailed(args));
        }
        const values = value === undefined ? [] : [value];
        const tell = () => callback(null, ...values, ...more(args));
        if (SEVERAL_STEPS.has(operation.name)) this.#hop(2, tell);
        else tell();
      });
    };
  }

  /** Fills in the buffer of `read`, which can also be given in the options or be left out. */
  #fillRead(args: unknown[]): void {
    const { Buffer } = this.#load('buffer');
    const [, given] = args;
    if (ArrayBuffer.isView(given) || (given !== undefined && typeof given !== 'object')) return;
    const options: { readonly buffer?: unknown } = given ?? {};
    const { buffer = Buffer.alloc(16384), ...part } = options;
    args.splice(1, 1, buffer, part);
  }

  /** Runs a function after `steps` events: operations that take node several steps must finish after those that take one. */
  #hop(steps: number, run: () => void): void {
    this.#loop.addOnce(() => (steps > 1 ? this.#hop(steps - 1, run) : run()));
  }
}

/** Operations that check their first argument before the callback. */
const BY_NUMBER = /^(?:f(?!s)|close|truncate)/;

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}

function thrown(error: unknown): void {
  if (error) throw error as Error;
}

/** Operations that in their most frequent form make a single call, whose answer is short, and this call. */
const ONLY_CALLS: Readonly<Record<string, NodeFsCall['op']>> = {
  access: 'access',
  chmod: 'chmod',
  close: 'close',
  lstat: 'lookLink',
  mkdir: 'mkdir',
  open: 'open',
  rename: 'mv',
  rmdir: 'rmdir',
  stat: 'look',
  symlink: 'symlink',
  unlink: 'unlink',
  utimes: 'utimes',
  write: 'writeAt',
  writeFile: 'write',
};

function onlyCall({ name }: Operation): NodeFsCall['op'] | undefined {
  return ONLY_CALLS[name.replace(/Sync$/, '')];
}

/** Operations that open a file, use it and close it, which takes node several steps. */
const SEVERAL_STEPS = new Set([
  'readFileSync',
  'writeFileSync',
  'appendFileSync',
  'readFile',
  'writeFile',
  'appendFile',
  'copyFile',
  'rm',
  'cp',
]);
