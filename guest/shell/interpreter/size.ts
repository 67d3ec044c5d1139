import type { Shell } from './shell.ts';

/**
 * Keeps the size of the terminal in COLUMNS and LINES, as bash does under `checkwinsize`: at its start where a person types,
 * and after each command that is no builtin. They are not exported, because programs ask the terminal, and what a program
 * writes to a pipe or a file has nothing to do with its width.
 */
export function noteSize({ world: { terminal }, shopt, variables }: Shell): void {
  if (!terminal || shopt.get('checkwinsize') !== true) return;
  for (const [name, size] of [
    ['COLUMNS', terminal.columns],
    ['LINES', terminal.rows],
  ] as const) {
    const known = variables.own(name);
    if (known?.value !== String(size) && !known?.attributes.has('readonly'))
      variables.set(name, String(size));
  }
}
