import { absentModules } from './absent.ts';
import { makeAssert } from './assert.ts';
import type { MakeBuiltin } from './builtin.ts';
import { makeAsyncHooks } from './async_hooks.ts';
import { makeBuffer } from './buffer.ts';
import { makeConstants } from './constants.ts';
import { makeDiagnosticsChannel } from './diagnostics_channel.ts';
import { makeDns, makeDnsPromises } from './dns.ts';
import { makeEvents } from './events.ts';
import { makeOs } from './os.ts';
import { makePath } from './path.ts';
import { makePunycode } from './punycode.ts';
import { makeQuerystring } from './querystring.ts';
import { makeStream, makeStreamConsumers, makeStreamPromises, makeStreamWeb } from './stream.ts';
import { makeStringDecoder } from './string_decoder.ts';
import { makeTest } from './test.ts';
import { makeReporters } from './test/reporters.ts';
import { makeTimersPromises } from './timers.ts';
import { underscored } from './underscored.ts';
import { makeTty } from './tty.ts';
import { makeUrl } from './url.ts';
import { makeUtil } from './util.ts';
import { makeV8 } from './v8.ts';

/** The makers of all builtins, keyed by name without `node:`. */
export const builtins: Readonly<Record<string, MakeBuiltin>> = {
  ...absentModules,
  ...underscored,
  assert: makeAssert,
  'assert/strict': (_host, load) => load('assert').strict,
  async_hooks: makeAsyncHooks,
  buffer: makeBuffer,
  constants: makeConstants,
  crypto: (host, load) => host.part('crypto').makeCrypto(host, load),
  diagnostics_channel: makeDiagnosticsChannel,
  dns: makeDns,
  'dns/promises': makeDnsPromises,
  events: makeEvents,
  http: (host, load) => host.part('http').makeHttp(host, load),
  https: (host, load) => host.part('http').makeHttps(host, load),
  net: (host, load) => host.part('http').makeNet(host, load),
  os: makeOs,
  path: makePath,
  'path/posix': (_host, load) => load('path').posix,
  'path/win32': (_host, load) => load('path').win32,
  perf_hooks: (host, load) => host.part('perf').makePerfHooks(host, load),
  punycode: makePunycode,
  querystring: makeQuerystring,
  readline: (host, load) => host.part('readline').makeReadline(host, load),
  'readline/promises': (host, load) => host.part('readline').makeReadlinePromises(host, load),
  stream: makeStream,
  'stream/consumers': makeStreamConsumers,
  'stream/promises': makeStreamPromises,
  'stream/web': makeStreamWeb,
  string_decoder: makeStringDecoder,
  test: makeTest,
  'test/reporters': makeReporters,
  sys: ({ process }, load) => {
    process.emitWarning('sys is deprecated. Use util instead.', 'DeprecationWarning', 'DEP0025');
    return load('util');
  },
  'timers/promises': makeTimersPromises,
  tls: (host, load) => host.part('http').makeTls(host, load),
  tty: makeTty,
  url: makeUrl,
  util: makeUtil,
  'util/types': (_host, load) => load('util').types,
  v8: makeV8,
  wasi: (host, load) => host.part('wasi')(host, load),
  zlib: (host, load) => host.part('zlib').makeZlib(host, load),
};
