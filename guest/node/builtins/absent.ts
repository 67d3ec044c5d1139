import type { MakeBuiltin } from './builtin.ts';
import { EventEmitter } from './internal/emitter.ts';
import type { unsupported } from '../unsupported.ts';
import { nodeError, refusals } from './internal/errors.ts';

/** Makes a module whose functions refuse to work, except for the members in `there`. */
function refusing(module: keyof typeof unsupported, there: object = {}): MakeBuiltin {
  return () => ({ ...refusals(module), ...there });
}

const undebugged = { close: () => undefined, url: () => undefined };

const makeCluster: MakeBuiltin = () =>
  Object.assign(
    new EventEmitter(),
    {
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
    },
    refusals('cluster'),
  );

function notSea(): never {
  throw nodeError(
    'ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION',
    'Operation cannot be invoked when not in a single-executable application',
  );
}

export const absentModules: Readonly<Record<string, MakeBuiltin>> = {
  cluster: makeCluster,
  dgram: refusing('dgram'),
  domain: refusing('domain', { active: null }),
  http2: refusing('http2', { constants: {} }),
  inspector: refusing('inspector', { ...undebugged, console: globalThis.console }),
  'inspector/promises': refusing('inspector', undebugged),
  trace_events: refusing('trace_events', { getEnabledCategories: () => undefined }),
  sea: () => ({ isSea: () => false, getAsset: notSea, getAssetAsBlob: notSea, getRawAsset: notSea }),
};
