import type { Program } from '../../program.ts';
import { patch } from '../patch/patch.ts';
import { cmp } from './cmp.ts';
import { diff } from './diff.ts';

/** The programs of this part of the shell, by the name that the registry loads each by. */
export const programs = { cmp, diff, patch } satisfies Readonly<Record<string, Program>>;
