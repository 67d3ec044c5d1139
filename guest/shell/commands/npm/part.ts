import type { Program } from '../../program.ts';
import { pnpm, pnpx, yarn } from '../package-managers/managers.ts';
import { npm, npx } from './npm.ts';

/** The programs of this part of the shell, by the name that the registry loads each by. */
export const programs = { npm, npx, pnpm, pnpx, yarn } satisfies Readonly<Record<string, Program>>;
