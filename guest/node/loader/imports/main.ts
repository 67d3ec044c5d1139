import { parse } from 'es-module-lexer/js';

/** Finds where code has `import()`. This part of node is fetched when a script that may have one first runs. */
export type LexImports = typeof parse;

// The code that runs this script takes it from there.
Reflect.set(globalThis, '__vtr_part', parse);
