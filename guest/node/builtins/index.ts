import type { MakeBuiltin } from './builtin.ts';

/** By name, without `node:`. */
export const builtins: Readonly<Record<string, MakeBuiltin>> = {};
