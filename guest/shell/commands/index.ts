import type { Program } from '../program.ts';
import { explaining } from './explaining.ts';
import { COMMANDS } from './registry.ts';

export { missingCommand } from './missing.ts';

export const commandNames: readonly string[] = [...COMMANDS.keys()].sort();

/** The programs of these names; `more` has those that are not in the registry, or replace one that is. */
export function programsOf(
  names: readonly string[],
  more: Readonly<Record<string, Program>> = {},
): Map<string, Program> {
  return new Map(
    names.flatMap((name) => {
      const command = COMMANDS.get(name);
      const program = Object.hasOwn(more, name) ? more[name] : command?.program;
      return program ? [[name, explaining(name, program, command)] as const] : [];
    }),
  );
}
