import type { MakeBuiltin } from './builtin.ts';
import { EventEmitter } from './internal/emitter.ts';
import { nodeError, refusals, unavailable } from './internal/errors.ts';

/** A module of which there is nothing but what `there` has. */
function refusing(module: string, names: readonly string[], why: string, there: object = {}): MakeBuiltin {
  return () => ({ ...refusals(module, names, why), ...there });
}

const sockets = 'a browser opens no sockets';
const engine = 'the browser does not let programs at its engine';

const debugging = ['open', 'Session', 'waitForDebugger'];
const undebugged = { close: () => undefined, url: () => undefined };

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

function notSea(): never {
  throw nodeError(
    'ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION',
    'Operation cannot be invoked when not in a single-executable application',
  );
}

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
  inspector: refusing('inspector', debugging, engine, { ...undebugged, console: globalThis.console }),
  'inspector/promises': refusing('inspector', debugging, engine, undebugged),
  repl: refusing('repl', ['start', 'REPLServer'], 'there is no interactive node', { builtinModules: [] }),
  trace_events: refusing('trace_events', ['createTracing'], engine, {
    getEnabledCategories: () => undefined,
  }),
  sea: () => ({ isSea: () => false, getAsset: notSea, getAssetAsBlob: notSea, getRawAsset: notSea }),
  wasi: ({ process }) => {
    process.emitWarning(
      'WASI is an experimental feature and might change at any time',
      'ExperimentalWarning',
    );
    return refusals('wasi', ['WASI'], 'use WebAssembly');
  },
};
