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
    ...instructions.map(instructionText),
  ].join('\n\n');
}

/** Programs whose absence a small model would not expect. It is told which of them there are, and no others. */
const NOTABLE = ['node', 'npm', 'git', 'python3', 'tsc'];

/** The same for models that read little: without the list of all commands and the notes about the shell. */
export function shortSystemPrompt(
  agentPrompt: string,
  { root, commands, date }: Environment,
  instructions: readonly Instruction[] = [],
): string {
  const there = NOTABLE.filter((name) => commands.includes(name));
  return [
    agentPrompt,
    [
      `Files are in ${root}. The shell has the usual Unix commands`,
      ...(there.length > 0 ? [`, and ${there.join(', ')}`] : []),
      `. Today: ${date}`,
    ].join(''),
    ...instructions.map(instructionText),
  ].join('\n\n');
}

function instructionText({ from, text }: Instruction): string {
  return `Instructions from: ${from}\n${text}`;
}
