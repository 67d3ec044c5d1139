import type { Program } from '../../program.ts';
import { npm, npx } from './npm.ts';

/** The programs of this part of the shell, by the name that the registry loads each by. */
export const programs = { npm, npx } satisfies Readonly<Record<string, Program>>;
