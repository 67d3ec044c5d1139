import type { NodeHost } from './builtin.ts';
import { argTypeError, needFunction, nodeError } from './internal/errors.ts';

type Plain = (...args: unknown[]) => unknown;

/** Functions of the platform throw in node's words, and abort with its reasons. Called once, in a process of its own. */
export function adaptWords({ fail }: Pick<NodeHost, 'fail'>): void {
  reword('structuredClone', (error) =>
    error instanceof DOMException
      ? new DOMException(error.message.replace(/^Failed to execute .*?: /, ''), error.name)
      : error,
  );
  reword('atob', (error, [text]) => {
    if (!(error instanceof DOMException)) return error;
    const isForeign = /[^A-Za-z0-9+/=\s]/.test(String(text));
    const message = isForeign ? 'Invalid character' : 'The string to be decoded is not correctly encoded.';
    return new DOMException(message, error.name);
  });
  reword('btoa', (error) =>
    error instanceof DOMException ? new DOMException('Invalid character', error.name) : error,
  );
  adaptMicrotasks(fail);
  adaptTextDecoder();
  adaptAborting();
  adaptEvents();
}

/** What is given that is no event or listener. */
function adaptEvents(): void {
  const { dispatchEvent, addEventListener } = EventTarget.prototype;
  replace(EventTarget.prototype, 'dispatchEvent', function (this: unknown, ...args) {
    if (!(args[0] instanceof Event)) throw argTypeError('event', 'Event', args[0]);
    return Reflect.apply(dispatchEvent, this, args as [Event]);
  });
  replace(EventTarget.prototype, 'addEventListener', function (this: unknown, ...args) {
    const [, listener] = args;
    if (
      args.length > 1 &&
      listener !== null &&
      listener !== undefined &&
      !['function', 'object'].includes(typeof listener)
    )
      throw argTypeError('listener', 'EventListener', listener);
    Reflect.apply(addEventListener, this, args as [string, null]);
  });
}

/** The global function of this name, whose errors become what `told` makes of them. */
function reword(name: string, told: (error: unknown, args: readonly unknown[]) => unknown): void {
  const original: Plain = Reflect.get(globalThis, name);
  replace(globalThis, name, (...args) => {
    try {
      return Reflect.apply(original, undefined, args);
    } catch (error) {
      throw told(error, args);
    }
  });
}

/** In the place of a member of this name and as it was defined. */
function replace(holder: object, name: string, value: Plain): void {
  const { length } = Reflect.get(holder, name) as Plain;
  Object.defineProperties(value, {
    name: { value: name, configurable: true },
    length: { value: length, configurable: true },
  });
  Object.defineProperty(holder, name, { value });
}

function adaptMicrotasks(fail: NodeHost['fail']): void {
  const original = globalThis.queueMicrotask;
  replace(globalThis, 'queueMicrotask', (callback) => {
    needFunction(callback, 'callback');
    original(() => {
      try {
        callback();
      } catch (error) {
        fail(error);
      }
    });
  });
}

function adaptTextDecoder(): void {
  const Platform = globalThis.TextDecoder;
  const Adapted = new Proxy(Platform, {
    construct(target, args: unknown[], made) {
      try {
        return Reflect.construct(target, args, made) as object;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw nodeError(
          'ERR_ENCODING_NOT_SUPPORTED',
          `The "${String(args[0])}" encoding is not supported`,
          RangeError,
        );
      }
    },
  });
  const { decode } = Platform.prototype;
  replace(Platform.prototype, 'decode', function (this: unknown, ...args) {
    try {
      return Reflect.apply(decode, this, args as []);
    } catch (error) {
      if (!(error instanceof TypeError) || !(this instanceof Platform) || !this.fatal) throw error;
      const message = `The encoded data was not valid for encoding ${this.encoding}`;
      throw nodeError('ERR_ENCODING_INVALID_ENCODED_DATA', message, TypeError);
    }
  });
  Object.defineProperty(Platform.prototype, 'constructor', { value: Adapted });
  Object.defineProperty(globalThis, 'TextDecoder', { value: Adapted });
}

function adaptAborting(): void {
  const aborted = () => new DOMException('This operation was aborted', 'AbortError');
  const { abort } = AbortController.prototype;
  replace(AbortController.prototype, 'abort', function (this: unknown, reason = aborted()) {
    Reflect.apply(abort, this, [reason]);
  });
  const { abort: abortedSignal } = AbortSignal;
  replace(AbortSignal, 'abort', (reason = aborted()) => Reflect.apply(abortedSignal, AbortSignal, [reason]));
  // As node's: what waits for it alone does not keep the process.
  replace(AbortSignal, 'timeout', (delay) => {
    const controller = new AbortController();
    const late = () =>
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    setTimeout(late, Number(delay)).unref();
    return controller.signal;
  });
}
