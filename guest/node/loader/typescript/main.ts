import { readTypes } from './read.ts';

/** TypeScript: a part of node that is fetched with the first file of it. Taken from here by whoever runs this script. */
Reflect.set(globalThis, '__vtr_part', readTypes);
