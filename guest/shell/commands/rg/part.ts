import type { Program } from '../../program.ts';
import { rg } from './rg.ts';

/** The programs of this part of the shell, by the name that the registry loads each by. */
export const programs = { rg } satisfies Readonly<Record<string, Program>>;
