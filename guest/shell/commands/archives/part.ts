import type { Program } from '../../program.ts';
import { gunzip, gzip, zcat } from './gzip.ts';
import { tar } from './tar.ts';
import { unzip, zip } from './zip.ts';

/** The programs of this part of the shell, by the name that the registry loads each by. */
export const programs = { gunzip, gzip, tar, unzip, zcat, zip } satisfies Readonly<Record<string, Program>>;
