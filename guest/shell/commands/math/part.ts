import type { Program } from '../../program.ts';
import { bc } from './bc.ts';
import { expr, factor, numfmt } from './small.ts';

/** The programs of this part of the shell, by the name that the registry loads each by. */
export const programs = { bc, expr, factor, numfmt } satisfies Readonly<Record<string, Program>>;
