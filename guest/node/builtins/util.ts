import { isColoured } from '../process/color-depth.ts';
import { diff } from './assert/diff.ts';
import type { MakeBuiltin, NodeHost } from './builtin.ts';
import { isDeepStrictEqual } from './internal/equality.ts';
import { argTypeError, needObject } from './internal/errors.ts';
import { format, formatWithOptions, inspect } from './internal/inspect.ts';
import { getCallSites } from './util/call-sites.ts';
import { makeDebuglog } from './util/debuglog.ts';
import { makeDeprecate } from './util/deprecate.ts';
import { log } from './util/log.ts';
import { MIMEParams, MIMEType } from './util/mime.ts';
import { makeOldChecks } from './util/old-checks.ts';
import { parseArgs } from './util/parse-args.ts';
import { callbackify, promisify } from './util/promisify.ts';
import { parseEnv, stripVTControlCharacters, styleText } from './util/style.ts';
import { systemErrorMembers } from './util/system-errors.ts';
import { types } from './util/types.ts';

function inherits(constructor: unknown, parent: unknown): void {
  if (constructor === undefined || constructor === null) throw argTypeError('ctor', 'Function', constructor);
  if (parent === undefined || parent === null) throw argTypeError('superCtor', 'Function', parent);
  const above: object | null | undefined = Reflect.get(Object(parent), 'prototype');
  if (above === undefined) throw argTypeError('superCtor.prototype', 'Object', above);
  Object.defineProperty(constructor, 'super_', { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(Reflect.get(constructor, 'prototype'), above);
}

function aborted(signal: unknown, resource: unknown): Promise<void> {
  if (!(signal instanceof AbortSignal)) return Promise.reject(argTypeError('signal', 'AbortSignal', signal));
  try {
    needObject(resource, 'resource');
  } catch (error) {
    return Promise.reject(error);
  }
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Makes `util.getCallSite`, which warns once of its new name. */
function makeGetCallSite({ process }: NodeHost) {
  let warned = false;
  const getCallSite = (frames?: unknown) => {
    if (!warned)
      process.emitWarning(
        'The `util.getCallSite` API has been renamed to `util.getCallSites()`.',
        'ExperimentalWarning',
      );
    warned = true;
    return getCallSites(frames);
  };
  return getCallSite;
}

/** Returns the arguments of the process after those of node. */
function programArgs({ process: { argv, execArgv } }: NodeHost): string[] {
  const evaluated = execArgv.some((each) => /^(?:-e|--eval|-p|--print|-pe)(?:=|$)/.test(each));
  return argv.slice(evaluated ? 1 : 2);
}

export const makeUtil: MakeBuiltin = (host, load) => {
  const deprecate = makeDeprecate(host);
  // Loading this module makes the timers known to `promisify`.
  load('timers');
  const debuglog = makeDebuglog(host);
  const { _errnoException, _exceptionWithHostPort, ...systemErrors } = systemErrorMembers;
  return {
    _errnoException,
    _exceptionWithHostPort,
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
    getCallSite: makeGetCallSite(host),
    getCallSites,
    ...systemErrors,
    inherits,
    inspect,
    ...makeOldChecks(load, deprecate),
    isDeepStrictEqual,
    log,
    MIMEParams,
    MIMEType,
    parseArgs: (config: unknown) => parseArgs(config, () => programArgs(host)),
    parseEnv,
    promisify,
    setTraceSigInt: () => undefined,
    stripVTControlCharacters,
    styleText: (style: unknown, text: unknown, options: object = {}) =>
      styleText(style, text, options, (stream) =>
        isColoured(Object(stream ?? host.process.stdout), host.process.env),
      ),
    TextDecoder: globalThis.TextDecoder,
    TextEncoder: globalThis.TextEncoder,
    toUSVString: (text: unknown) => String(text).replace(/\p{Surrogate}/gu, '\ufffd'),
    transferableAbortController: () => new AbortController(),
    transferableAbortSignal: (signal: AbortSignal) => signal,
    types,
  };
};
