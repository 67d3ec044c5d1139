import type { Command } from 'just-bash/browser';
import { command, type Host, type Implementation } from './command.ts';
import { cmp, diff } from './diff.ts';
import { gunzip, gzip, zcat } from './gzip.ts';
import { ln } from './ln.ts';
import { ls } from './ls.ts';
import { PROGRAMS } from './programs.ts';
import { rg } from './rg.ts';
import { rm } from './rm.ts';
import { small } from './small.ts';
import { tar } from './tar.ts';

export { missingCommand } from './missing.ts';
export { PROGRAMS, streams } from './programs.ts';

const COMMANDS: Readonly<Record<string, Implementation>> = {
  ...small,
  cmp,
  diff,
  gunzip,
  gzip,
  ln,
  ls,
  rg,
  rm,
  tar,
  zcat,
};

/** Commands that just-bash names and this shell does not run. */
export const ABSENT_HERE: ReadonlySet<string> = new Set(['html-to-markdown']);

export const commandNames: readonly string[] = [...Object.keys(COMMANDS), ...Object.keys(PROGRAMS)];

/** Those that take all of their input at once and answer all of their output. */
export function commandsOf(host: Host): Command[] {
  return Object.entries(COMMANDS).map(([name, implementation]) => command(host, name, implementation));
}
