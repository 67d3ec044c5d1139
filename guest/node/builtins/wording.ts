import type { NodeHost } from './builtin.ts';
import { argTypeError, missingArgs, needFunction, nodeError } from './internal/errors.ts';
import { KEEPS, keep } from './async/context.ts';
import { adaptEventTargets } from './event-targets.ts';
import { bytesIn } from './internal/bytes.ts';
import { adaptSearchParams } from './search-params.ts';
import { types } from './util/types.ts';
import { replace, type Plain } from './web-words.ts';
import { ownTimers } from '../loop/own-timers.ts';

/** Makes the platform's functions throw in node's words, and abort with its reasons. Call it only once. */
export function adaptWords({ fail }: Pick<NodeHost, 'fail'>): void {
  adaptCloning();
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
  adaptEventTargets();
  adaptSearchParams();
  adaptDomException();
  adaptStreamFormats();
  adaptLocks();
  const { revokeObjectURL } = URL;
  replace(URL, 'revokeObjectURL', (...args) => {
    if (args.length === 0) throw missingArgs('url');
    revokeObjectURL.call(URL, String(args[0]));
  });
}

function adaptCloning(): void {
  const original = globalThis.structuredClone;
  const isIterable = (value: unknown) =>
    typeof value === 'object' && value !== null && typeof Reflect.get(value, Symbol.iterator) === 'function';
  const wrong = (what: string) =>
    nodeError('ERR_INVALID_ARG_TYPE', `Failed to execute 'structuredClone': ${what}`, TypeError);
  replace(globalThis, 'structuredClone', (...args) => {
    const [value, options] = args;
    // This text is node's.
    if (args.length === 0) throw missingArgs('The value argument must be specified');
    if (options !== undefined && options !== null) {
      if (typeof options !== 'object') throw wrong('Options cannot be converted to a dictionary');
      const transfer: unknown = Reflect.get(options, 'transfer');
      if (transfer !== undefined && !isIterable(transfer))
        throw wrong('transfer in Options can not be converted to sequence.');
    }
    const clone = original(value, (options ?? undefined) as StructuredSerializeOptions);
    if (value instanceof DOMException)
      Object.defineProperty(clone, 'stack', { value: value.stack, configurable: true, writable: true });
    return clone;
  });
  reword('structuredClone', (error) =>
    error instanceof DOMException
      ? new DOMException(error.message.replace(/^Failed to execute .*?: /, ''), error.name)
      : error,
  );
}

/** Wraps a global function so that it throws what `told` makes of its errors. */
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

/** The same for a class: its constructor throws what `told` makes of the error and the arguments. */
function constructing(name: string, told: (error: unknown, args: readonly unknown[]) => unknown): void {
  const Platform = Reflect.get(globalThis, name) as abstract new (...args: unknown[]) => object;
  const Adapted = new Proxy(Platform, {
    construct(target, args: unknown[], made) {
      try {
        return Reflect.construct(target, args, made);
      } catch (error) {
        throw told(error, args);
      }
    },
  });
  Object.defineProperty(Platform.prototype, 'constructor', { value: Adapted });
  Object.defineProperty(globalThis, name, { value: Adapted });
}

function undecodable(error: unknown, [label, options]: readonly unknown[]): unknown {
  if (error instanceof RangeError)
    return nodeError(
      'ERR_ENCODING_NOT_SUPPORTED',
      `The "${String(label)}" encoding is not supported`,
      RangeError,
    );
  return error instanceof TypeError && options !== undefined && typeof options !== 'object'
    ? argTypeError('options', 'Object', options)
    : error;
}

function adaptStreamFormats(): void {
  for (const name of ['CompressionStream', 'DecompressionStream'])
    constructing(name, (error, [format]) =>
      error instanceof TypeError
        ? nodeError(
            'ERR_INVALID_ARG_VALUE',
            `Failed to construct '${name}': 1st argument value '${String(format)}' is not a valid enum value of type CompressionFormat.`,
            TypeError,
          )
        : error,
    );
  constructing('TextDecoderStream', undecodable);
}

/** Makes DOMException accept options with a `cause`. */
function adaptDomException(): void {
  const Platform = globalThis.DOMException;
  const Adapted = new Proxy(Platform, {
    construct(target, [message, about, ...rest]: unknown[], made) {
      const isOptions = typeof about === 'object' && about !== null;
      const name: unknown = isOptions ? Reflect.get(about, 'name') : about;
      const error: object = Reflect.construct(target, [message, name, ...rest], made);
      // The browser sets no stack for subclasses.
      if (Reflect.get(error, 'stack') === undefined) Error.captureStackTrace(error, Adapted);
      if (isOptions && 'cause' in about)
        Object.defineProperty(error, 'cause', { value: about.cause, configurable: true, writable: true });
      return error;
    },
  });
  Object.defineProperty(Platform.prototype, 'constructor', { value: Adapted });
  Object.defineProperty(globalThis, 'DOMException', { value: Adapted });
}

function adaptMicrotasks(fail: NodeHost['fail']): void {
  const original = globalThis.queueMicrotask;
  replace(globalThis, 'queueMicrotask', (callback) => {
    needFunction(callback, 'callback');
    const kept = keep(callback);
    original(() => {
      try {
        kept();
      } catch (error) {
        fail(error);
      }
    });
  });
  // The mark keeps it from being wrapped again, because it carries the frame itself.
  Object.defineProperty(globalThis.queueMicrotask, KEEPS, { value: true });
}

function adaptTextDecoder(): void {
  const Platform = globalThis.TextDecoder;
  const { decode } = Platform.prototype;
  replace(Platform.prototype, 'decode', function (this: unknown, ...args) {
    try {
      return Reflect.apply(decode, this, args as []);
    } catch (error) {
      const [input] = args;
      if (input !== undefined && bytesIn(input) === undefined && !types.isAnyArrayBuffer(input))
        throw nodeError(
          'ERR_INVALID_ARG_TYPE',
          'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.',
          TypeError,
        );
      if (!(error instanceof TypeError) || !(this instanceof Platform) || !this.fatal) throw error;
      const message = `The encoded data was not valid for encoding ${this.encoding}`;
      throw nodeError('ERR_ENCODING_INVALID_ENCODED_DATA', message, TypeError);
    }
  });
  constructing('TextDecoder', undecodable);
}

const lockable = [
  ['ReadableStream', ['getReader', 'tee', 'values']],
  ['WritableStream', ['getWriter']],
] as const;

function adaptLocks(): void {
  for (const [kind, names] of lockable) {
    const { prototype } = Reflect.get(globalThis, kind) as { prototype: ReadableStream | WritableStream };
    for (const name of names) {
      const original: unknown = Reflect.get(prototype, name);
      if (typeof original !== 'function') continue;
      replace(prototype, name, function (...args) {
        if (
          Object.prototype.isPrototypeOf.call(prototype, this as object) &&
          (this as typeof prototype).locked
        )
          throw nodeError('ERR_INVALID_STATE', `Invalid state: ${kind} is locked`, TypeError);
        return Reflect.apply(original, this, args);
      });
    }
  }
  if ('values' in ReadableStream.prototype)
    Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
      value: Reflect.get(ReadableStream.prototype, 'values'),
    });
}

function adaptAborting(): void {
  const aborted = () => new DOMException('This operation was aborted', 'AbortError');
  const { abort } = AbortController.prototype;
  replace(AbortController.prototype, 'abort', function (this: unknown, reason = aborted()) {
    Reflect.apply(abort, this, [reason]);
  });
  const { abort: abortedSignal } = AbortSignal;
  replace(AbortSignal, 'abort', (reason = aborted()) => Reflect.apply(abortedSignal, AbortSignal, [reason]));
  // As in node, the timer does not keep the process alive.
  replace(AbortSignal, 'timeout', (delay) => {
    const controller = new AbortController();
    const late = () =>
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    ownTimers().setTimeout(late, Number(delay)).unref();
    return controller.signal;
  });
}
