import { makeWasi } from './wasi.ts';

export type MakeWasi = typeof makeWasi;

/** `node:wasi`: a part of node that is fetched with its first use. Taken from here by whoever runs this script. */
Reflect.set(globalThis, '__vtr_part', makeWasi);
