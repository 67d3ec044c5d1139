import { programs } from './part.ts';

// The code that runs this script takes the programs from the global.
Reflect.set(globalThis, '__vtr_part', programs);
