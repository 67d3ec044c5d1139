import type { Program } from '../../program.ts';
import { sed } from './sed.ts';

/** The programs of this part of the shell, by the name that the registry loads each by. */
export const programs = { sed } satisfies Readonly<Record<string, Program>>;
