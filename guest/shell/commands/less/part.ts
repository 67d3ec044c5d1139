import type { Program } from '../../program.ts';
import { less } from './less.ts';

/** The programs of this part of the shell, by the name that the registry loads each by. */
export const programs = { less } satisfies Readonly<Record<string, Program>>;
