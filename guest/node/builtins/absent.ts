import type { MakeBuiltin } from './builtin.ts';
import { EventEmitter } from './internal/emitter.ts';
import { unavailable } from './internal/errors.ts';

/** A module that can be loaded, as programs do at their start, and says what it lacks where it is used. */
function refusing(module: string, names: readonly string[], why: string, there: object = {}): MakeBuiltin {
  return () => ({
    ...Object.fromEntries(
      names.map((name) => [
        name,
        function () {
          throw unavailable(`${module}.${name}`, why);
        },
      ]),
    ),
    ...there,
  });
}

const sockets = 'a browser opens no sockets';
const engine = 'the browser does not let programs at its engine';

const makeCluster: MakeBuiltin = () =>
  Object.assign(new EventEmitter(), {
    isMaster: true,
    isPrimary: true,
    isWorker: false,
    workers: {},
    settings: {},
    SCHED_NONE: 1,
    SCHED_RR: 2,
    schedulingPolicy: 2,
    setupPrimary: () => undefined,
    setupMaster: () => undefined,
    disconnect: (done?: () => void) => done?.(),
    fork: () => {
      throw unavailable('cluster.fork', 'a port has one process; use child_process.fork');
    },
  });

export const absentModules: Readonly<Record<string, MakeBuiltin>> = {
  cluster: makeCluster,
  dgram: refusing('dgram', ['createSocket', 'Socket'], sockets),
  domain: refusing(
    'domain',
    ['create', 'createDomain', 'Domain'],
    'errors are handled where they are thrown',
    {
      active: null,
    },
  ),
  http2: refusing(
    'http2',
    ['connect', 'createServer', 'createSecureServer', 'getDefaultSettings', 'performServerHandshake'],
    'use node:http',
    { constants: {} },
  ),
  inspector: refusing('inspector', ['open', 'Session', 'waitForDebugger'], engine, {
    close: () => undefined,
    url: () => undefined,
    console: globalThis.console,
  }),
  'inspector/promises': refusing('inspector', ['open', 'Session', 'waitForDebugger'], engine, {
    close: () => undefined,
    url: () => undefined,
  }),
  repl: refusing('repl', ['start', 'REPLServer'], 'there is no interactive node', { builtinModules: [] }),
  trace_events: refusing('trace_events', ['createTracing'], engine, {
    getEnabledCategories: () => undefined,
  }),
  wasi: refusing('wasi', ['WASI'], 'use WebAssembly'),
};
