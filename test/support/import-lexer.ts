import { parse } from 'es-module-lexer/js';
import { lexImportsBy } from '../../guest/node/loader/cjs-code.ts';

// A test has the code of all parts of node at hand. In a workspace each part is a script that the app fetches.
lexImportsBy(() => parse);
