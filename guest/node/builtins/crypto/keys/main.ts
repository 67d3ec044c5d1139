import { makeKeys } from './keys.ts';

// A part of `node:crypto` that is fetched with its first use. The code that runs this script takes it from there.
Reflect.set(globalThis, '__vtr_part', makeKeys);
