import { initSync, parse } from 'cjs-module-lexer';

/** Finds the names that CommonJS code exports. This part of node is fetched when an ES module first imports a script. */
function makeLexer() {
  initSync();
  return parse;
}

export type MakeLexer = typeof makeLexer;

// The code that runs this script takes it from there.
Reflect.set(globalThis, '__vtr_part', makeLexer);
