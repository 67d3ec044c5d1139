import { isColoured } from '../process/color-depth.ts';
import type { MakeBuiltin, NodeHost } from './builtin.ts';
import { isDeepStrictEqual } from './internal/equality.ts';
import { systemErrors } from './internal/errno.ts';
import {
  argTypeError,
  needFunction,
  needInteger,
  needObject,
  needString,
  nodeError,
  outOfRange,
} from './internal/errors.ts';
import { format, formatWithOptions, inspect } from './internal/inspect.ts';
import { diff } from './assert/diff.ts';
import { customPromisify, customPromisifyArgs } from './internal/symbols.ts';
import { MIMEParams, MIMEType } from './util/mime.ts';
import { parseArgs } from './util/parse-args.ts';
import { parseEnv, stripVTControlCharacters, styleText } from './util/style.ts';
import { isError, types } from './util/types.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

function promisify(original: unknown): unknown {
  needFunction(original, 'original');
  const custom: unknown = Reflect.get(original, customPromisify);
  if (custom) {
    needFunction(custom, 'util.promisify.custom');
    return Object.defineProperty(custom, customPromisify, { value: custom, configurable: true });
  }
  const names: unknown = Reflect.get(original, customPromisifyArgs);
  function fn(this: unknown, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      Reflect.apply(original as AnyFunction, this, [
        ...args,
        (error: unknown, ...values: unknown[]) => {
          if (error) reject(error as Error);
          else if (Array.isArray(names) && values.length > 1)
            resolve(Object.fromEntries(names.map((name, at) => [String(name), values[at]])));
          else resolve(values[0]);
        },
      ]);
    });
  }
  Object.setPrototypeOf(fn, Object.getPrototypeOf(original) as object);
  Object.defineProperty(fn, customPromisify, { value: fn, configurable: true });
  const properties = ownProperties(original);
  for (const each of Object.values(properties)) if ('value' in each) each.writable = true;
  return Object.defineProperties(fn, properties);
}
promisify.custom = customPromisify;

// A sloppy function's own `arguments` and `caller` cannot be defined anew.
function ownProperties(original: object): Record<string, PropertyDescriptor> {
  const {
    arguments: _arguments,
    caller: _caller,
    ...rest
  } = Object.getOwnPropertyDescriptors(original as Record<string, unknown>);
  return rest as Record<string, PropertyDescriptor>;
}

function callbackify(original: unknown): unknown {
  needFunction(original, 'original');
  const callbackified = function (this: unknown, ...args: unknown[]) {
    const callback = args.pop();
    needFunction(callback, 'last argument');
    const settle = (...values: unknown[]) =>
      process.nextTick(() => void Reflect.apply(callback, this, values));
    Promise.resolve(Reflect.apply(original, this, args)).then(
      (value) => settle(null, value),
      (reason: unknown) =>
        settle(
          reason ||
            nodeError('ERR_FALSY_VALUE_REJECTION', 'Promise was rejected with falsy value', Error, {
              reason,
            }),
        ),
    );
  };
  const properties = ownProperties(original);
  if (typeof properties.length?.value === 'number') properties.length.value += 1;
  if (typeof properties.name?.value === 'string') properties.name.value += 'Callbackified';
  return Object.defineProperties(callbackified, properties);
}

function inherits(constructor: unknown, parent: unknown): void {
  if (constructor === undefined || constructor === null) throw argTypeError('ctor', 'Function', constructor);
  if (parent === undefined || parent === null) throw argTypeError('superCtor', 'Function', parent);
  const above: unknown = Reflect.get(Object(parent) as object, 'prototype');
  if (above === undefined) throw argTypeError('superCtor.prototype', 'Object', above);
  Object.defineProperty(constructor, 'super_', { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(Reflect.get(constructor, 'prototype') as object, above as object);
}

function makeDeprecate(host: NodeHost) {
  const told = new Set<string>();
  return function deprecate(original: AnyFunction, message: string, code?: string): AnyFunction {
    if (code !== undefined) needString(code, 'code');
    if (host.process.noDeprecation) return original;
    let warned = false;
    function deprecated(this: unknown, ...args: unknown[]): unknown {
      if (!warned) {
        warned = true;
        if (code === undefined || !told.has(code)) {
          if (code !== undefined) told.add(code);
          if (code === undefined) host.process.emitWarning(message, 'DeprecationWarning');
          else host.process.emitWarning(message, 'DeprecationWarning', code);
        }
      }
      if (new.target) return Reflect.construct(original, args, new.target) as unknown;
      return Reflect.apply(original, this, args);
    }
    Object.setPrototypeOf(deprecated, original);
    if (original.prototype) deprecated.prototype = original.prototype as object;
    Object.defineProperty(deprecated, 'length', { ...Object.getOwnPropertyDescriptor(original, 'length') });
    return deprecated;
  };
}

function makeDebuglog({ process }: NodeHost) {
  const wanted = (set: string) =>
    (process.env.NODE_DEBUG ?? '')
      .split(',')
      .filter(Boolean)
      .some((each) =>
        new RegExp(`^${each.replace(/[|\\{}()[\]^$+?.]/g, '\\$&').replaceAll('*', '.*')}$`, 'i').test(set),
      );
  return function debuglog(set: string, ready?: (log: AnyFunction) => void) {
    const name = set.toUpperCase();
    const enabled = wanted(name);
    const log = Object.defineProperty(
      (...args: unknown[]) => {
        ready?.(log);
        if (enabled) process.stderr.write(`${name} ${process.pid}: ${format(...args)}\n`);
      },
      'enabled',
      { get: () => enabled, configurable: true, enumerable: true },
    ) as AnyFunction;
    return log;
  };
}

function errorNumber(value: unknown): number {
  needInteger(value, 'err');
  if (value >= 0 || value < -(2 ** 31)) throw outOfRange('err', 'a negative integer', value);
  return value;
}

function aborted(signal: unknown, resource: unknown): Promise<void> {
  if (!(signal instanceof AbortSignal)) return Promise.reject(argTypeError('signal', 'AbortSignal', signal));
  try {
    needObject(resource, 'resource');
  } catch (error) {
    return Promise.reject(error as Error);
  }
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

interface CallSite {
  functionName: string;
  scriptId: string;
  scriptName: string;
  lineNumber: number;
  columnNumber: number;
  column: number;
}

function getCallSites(frames: unknown = 8): CallSite[] {
  const count = typeof frames === 'number' ? frames : 8;
  const own = /blob:|node:internal/;
  const lines =
    new Error().stack?.split('\n').filter((line) => /^\s*at /.test(line) && !own.test(line)) ?? [];
  return lines.slice(0, count).map((line) => {
    const [, name = '', script = '', row = '0', column = '0'] =
      /^\s*at (?:(?:async )?(.*?) \()?(.*?):(\d+):(\d+)\)?$/.exec(line) ?? [];
    return {
      functionName: name.replace(/^(?:new )?(?:.*\.)?<anonymous>$/, ''),
      scriptId: '0',
      scriptName: script,
      lineNumber: Number(row),
      columnNumber: Number(column),
      column: Number(column),
    };
  });
}

/** `errno` is negative, as on errors. */
function systemErrorOf(errno: number): { readonly code: string; readonly message: string } {
  const unknown = `Unknown system error ${errno}`;
  return systemErrors.find((each) => -each.number === errno) ?? { code: unknown, message: unknown };
}

function systemException(errno: number, syscall: string, about?: string): Error {
  const { code } = systemErrorOf(errno);
  return Object.assign(new Error(`${syscall} ${code}${about ? ` ${about}` : ''}`), { errno, code, syscall });
}

export const makeUtil: MakeBuiltin = (host, load) => {
  const deprecate = makeDeprecate(host);
  // Loading this module makes the timers known to `promisify`.
  load('timers');
  const debuglog = makeDebuglog(host);
  let toldOfCallSite = false;
  const old = (name: string, is: (value: never) => boolean) => [name, is] as const;
  return {
    _errnoException: (errno: number, syscall: string, about?: string) =>
      systemException(errno, syscall, about),
    _exceptionWithHostPort: (errno: number, syscall: string, address: string, port: number) =>
      Object.assign(systemException(errno, syscall, port ? `${address}:${port}` : address), {
        address,
        ...(port && { port }),
      }),
    _extend: (target: object, source: unknown) =>
      source !== null && typeof source === 'object' ? Object.assign(target, source) : target,
    aborted,
    callbackify,
    debug: debuglog,
    debuglog,
    deprecate,
    diff,
    format,
    formatWithOptions,
    getCallSite: (frames?: unknown) => {
      if (!toldOfCallSite)
        host.process.emitWarning(
          'The `util.getCallSite` API has been renamed to `util.getCallSites()`.',
          'ExperimentalWarning',
        );
      toldOfCallSite = true;
      return getCallSites(frames);
    },
    getCallSites,
    getSystemErrorMap: () =>
      new Map(systemErrors.map(({ code, number, message }) => [-number, [code, message]])),
    getSystemErrorName: (errno: unknown) => systemErrorOf(errorNumber(errno)).code,
    getSystemErrorMessage: (errno: unknown) => systemErrorOf(errorNumber(errno)).message,
    inherits,
    inspect,
    ...Object.fromEntries([
      old(
        'isArray',
        deprecate(
          Array.isArray,
          'The `util.isArray` API is deprecated. Please use `Array.isArray()` instead.',
          'DEP0044',
        ) as typeof Array.isArray,
      ),
      old('isBoolean', (value) => typeof value === 'boolean'),
      old('isBuffer', (value) => load('buffer').Buffer.isBuffer(value)),
      old('isDate', types.isDate),
      old('isError', isError),
      old('isFunction', (value) => typeof value === 'function'),
      old('isNull', (value) => value === null),
      old('isNullOrUndefined', (value) => value === null || value === undefined),
      old('isNumber', (value) => typeof value === 'number'),
      old('isObject', (value) => value !== null && typeof value === 'object'),
      old(
        'isPrimitive',
        (value) => value === null || (typeof value !== 'object' && typeof value !== 'function'),
      ),
      old('isRegExp', types.isRegExp),
      old('isString', (value) => typeof value === 'string'),
      old('isSymbol', (value) => typeof value === 'symbol'),
      old('isUndefined', (value) => value === undefined),
    ]),
    isDeepStrictEqual,
    log: (...args: unknown[]) => {
      const now = new Date();
      const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map((each) =>
        String(each).padStart(2, '0'),
      );
      const month = now.toLocaleString('en', { month: 'short' });
      console.log('%s - %s', `${now.getDate()} ${month} ${time.join(':')}`, format(...args));
    },
    MIMEParams,
    MIMEType,
    parseArgs: (config: unknown) =>
      parseArgs(config, () => {
        const { argv, execArgv } = host.process;
        const evaluated = execArgv.some((each) => /^(?:-e|--eval|-p|--print|-pe)(?:=|$)/.test(each));
        return argv.slice(evaluated ? 1 : 2);
      }),
    parseEnv,
    promisify,
    setTraceSigInt: () => undefined,
    stripVTControlCharacters,
    styleText: (style: unknown, text: unknown, options: object = {}) =>
      styleText(style, text, options, (stream) =>
        isColoured(Object(stream ?? host.process.stdout) as object, host.process.env),
      ),
    TextDecoder: globalThis.TextDecoder,
    TextEncoder: globalThis.TextEncoder,
    toUSVString: (text: unknown) => String(text).replace(/\p{Surrogate}/gu, '\ufffd'),
    transferableAbortController: () => new AbortController(),
    transferableAbortSignal: (signal: AbortSignal) => signal,
    types,
  };
};
