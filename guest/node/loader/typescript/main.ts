import { readTypes } from './read.ts';

// This part of node is fetched with the first TypeScript file. The code that runs this script takes the function from here.
Reflect.set(globalThis, '__vtr_part', readTypes);
