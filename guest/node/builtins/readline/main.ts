import { makeRepl } from '../repl.ts';
import { makeReadline, makeReadlinePromises } from '../readline.ts';

/** `readline` and `repl`: a part of node that is fetched with its first use. */
const readline = { makeReadline, makeReadlinePromises, makeRepl };

export type Readline = typeof readline;

// The code that runs this script takes it from there.
Reflect.set(globalThis, '__vtr_part', readline);
