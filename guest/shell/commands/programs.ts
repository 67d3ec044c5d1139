import type { Program } from '../program.ts';
import { awk } from './awk/awk.ts';
import { node } from './node.ts';
import { npm, npx } from './npm/npm.ts';
import { sed } from './sed/sed.ts';

/** Programs that take their input as it comes and pass their output on as they make it. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  awk,
  gawk: awk,
  node,
  npm,
  npx,
  sed,
};

/** Those that end only when nobody reads on. */
export const ENDLESS: ReadonlySet<string> = new Set(['yes']);
