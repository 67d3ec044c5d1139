import { makePerfHooks } from '../perf_hooks.ts';

/** `perf_hooks`: a part of node that is fetched with its first use, also as the global `performance`. */
const perf = { makePerfHooks };

export type Perf = typeof perf;

// The code that runs this script takes it from there.
Reflect.set(globalThis, '__vtr_part', perf);
