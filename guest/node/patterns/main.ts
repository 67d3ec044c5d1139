import picomatch from 'picomatch';

export type Picomatch = typeof picomatch;

// Patterns of file names are a part of node that is fetched at first use. The code that runs this script
// takes its exports from the global.
Reflect.set(globalThis, '__vtr_part', picomatch);
