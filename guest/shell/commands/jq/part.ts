import type { Program } from '../../program.ts';
import { jq } from './jq.ts';

/** The programs of this part of the shell, by the name that the registry loads each by. */
export const programs = { jq } satisfies Readonly<Record<string, Program>>;
