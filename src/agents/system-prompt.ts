import type { Instruction } from './setup.ts';

/** What an agent is told of the place it works in. */
export interface Environment {
  readonly root: string;
  /** `Embedded · bash`. */
  readonly title: string;
  /** Names that can be run in the shell. */
  readonly commands: readonly string[];
  /** Sentences: what differs from an ordinary Linux shell. */
  readonly notes: readonly string[];
  /** `2026-11-21`. A day and not a time, so that a provider can keep the prompt in its cache. */
  readonly date: string;
}

/** `told`: the agent's own prompt. `instructions`: what files of the workspace and of the person say, each with its name. */
export function systemPrompt(
  told: string,
  { root, title, commands, notes, date }: Environment,
  instructions: readonly Instruction[] = [],
): string {
  return [
    told,
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
