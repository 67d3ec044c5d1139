import type { Instruction } from './setup.ts';

/** Facts about the workspace for the system prompt. */
export interface Environment {
  readonly root: string;
  /** `Embedded · bash`. */
  readonly title: string;
  /** The names that can be run in the shell. */
  readonly commands: readonly string[];
  /** Sentences on what differs from an ordinary Linux shell. */
  readonly notes: readonly string[];
  /** `2026-11-21`. It has no time of day, so that a provider can keep the prompt in its cache. */
  readonly date: string;
}

/** `instructions` are the instruction files of the workspace and the person, each with its name. */
export function systemPrompt(
  agentPrompt: string,
  { root, title, commands, notes, date }: Environment,
  instructions: readonly Instruction[] = [],
): string {
  return [
    agentPrompt,
    [
      '<environment>',
      `Workspace: ${title}`,
      `Root of the files, where each call starts and relative paths begin: ${root}`,
      `Commands of the shell: ${commands.length > 0 ? commands.join(' ') : 'none'}`,
      ...notes.map((note) => `- ${note}`),
      `Today: ${date}`,
      '</environment>',
    ].join('\n'),
    ...instructions.map(({ from, text }) => `Instructions from: ${from}\n${text}`),
  ].join('\n\n');
}
