import type { Command } from '../../commands.ts';

/** Whether keys can be a command's: others would be taken away from writing, or from moving about the page. */
export function isUsable(keys: string): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  if (/^f\d{1,2}$/.test(key)) return true;
  return (
    parts.slice(0, -1).some((part) => part === 'mod' || part === 'ctrl' || part === 'alt') && key !== 'tab'
  );
}

/** The other command that has these keys now. */
export function ownerOf(
  keys: string,
  command: Command,
  commands: readonly Command[],
  keysOf: (command: Command) => string,
): Command | undefined {
  return keys === '' ? undefined : commands.find((each) => each !== command && keysOf(each) === keys);
}
