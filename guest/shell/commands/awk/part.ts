import type { Program } from '../../program.ts';
import { awk } from './awk.ts';

/** The programs of this part of the shell, by the name that the registry loads each by. */
export const programs = { awk } satisfies Readonly<Record<string, Program>>;
