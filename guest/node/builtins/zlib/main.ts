import { makeZlib } from '../zlib.ts';

/** `zlib`: a part of node that is fetched with its first use. */
const zlib = { makeZlib };

export type Zlib = typeof zlib;

// The code that runs this script takes it from there.
Reflect.set(globalThis, '__vtr_part', zlib);
