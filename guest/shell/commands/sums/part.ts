import type { Program } from '../../program.ts';
import * as sums from '../files/sums.ts';

/** The programs of this part of the shell, by the name that the registry loads each by. */
export const programs = { ...sums } satisfies Readonly<Record<string, Program>>;
