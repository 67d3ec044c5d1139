import { OPTION_LETTERS, type Shell } from './shell.ts';

/** Sets an option by its long name. False where there is none. */
export function setOption(shell: Shell, name: string, on: boolean): boolean {
  if (!shell.options.has(name)) return false;
  shell.options.set(name, on);
  if (name === 'nounset') shell.variables.unsetFails = on;
  if (name === 'allexport') shell.variables.exportsAll = on;
  return true;
}

export function setLetter(shell: Shell, letter: string, on: boolean): boolean {
  const name = Object.hasOwn(OPTION_LETTERS, letter) ? OPTION_LETTERS[letter] : undefined;
  return name !== undefined && setOption(shell, name, on);
}
