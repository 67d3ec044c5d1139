import type { Program } from '../program.ts';
import type { Host, Implementation } from '../kit/command.ts';
import { cmp, diff } from './diff/diff.ts';
import { gathering } from '../kit/buffered.ts';
import { ln } from './files/ln.ts';
import { ls } from './files/ls.ts';
import { PROGRAMS } from './programs.ts';
import { rm } from './files/rm.ts';
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

/** The other shells, which the interpreter runs itself. */
const SHELLS = ['bash', 'sh'];

export const commandNames: readonly string[] = [
  ...SHELLS,
  ...Object.keys(COMMANDS),
  ...Object.keys(PROGRAMS),
];

/** Programs that read their whole input at once and return their whole output. */
export function gatheringPrograms(host: Host): Record<string, Program> {
  return Object.fromEntries(
    Object.entries(COMMANDS).map(([name, implementation]) => [name, gathering(host, name, implementation)]),
  );
}
