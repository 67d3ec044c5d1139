import type { Command } from 'just-bash/browser';
import { command, type Host, type Implementation } from './command.ts';

export { missingCommand } from './missing.ts';

const COMMANDS: Readonly<Record<string, Implementation>> = {};

/** Commands that just-bash names and this shell does not run. */
export const ABSENT_HERE: ReadonlySet<string> = new Set(['html-to-markdown']);

export const commandNames: readonly string[] = Object.keys(COMMANDS);

export function commandsOf(host: Host): Command[] {
  return Object.entries(COMMANDS).map(([name, implementation]) => command(host, name, implementation));
}
