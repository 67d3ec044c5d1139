import { forEachChild, parse } from 'unbash';

// Both the shell and the page take the parser from this global (build/shell-parser.ts).
Reflect.set(globalThis, '__vtr_unbash', { forEachChild, parse });
