import type { Program } from '../program.ts';
import type { Host, Implementation } from './command.ts';
import { cmp, diff } from './diff.ts';
import { gathering } from './gathering.ts';
import { ln } from './ln.ts';
import { ls } from './ls.ts';
import { PROGRAMS } from './programs.ts';
import { rm } from './rm.ts';
import { small } from './small.ts';

export { missingCommand } from './missing.ts';
export { PROGRAMS, streams } from './programs.ts';

const COMMANDS: Readonly<Record<string, Implementation>> = {
  ...small,
  cmp,
  diff,
  ln,
  ls,
  rm,
};

/** Other shells, which the interpreter runs itself. */
const SHELLS = ['bash', 'sh'];

export const commandNames: readonly string[] = [
  ...SHELLS,
  ...Object.keys(COMMANDS),
  ...Object.keys(PROGRAMS),
];

/** Those that take all of their input at once and answer all of their output. */
export function gatheringPrograms(host: Host): Record<string, Program> {
  return Object.fromEntries(
    Object.entries(COMMANDS).map(([name, implementation]) => [name, gathering(host, name, implementation)]),
  );
}
