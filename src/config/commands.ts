import { subagentsOf, type Agent } from '../agents/agents.ts';
import type { FileCommand } from './contents.ts';
import { modelOf } from './roster.ts';

/** The message that a typed `/name arguments` turns into. */
export interface ExpandedCommand {
  readonly text: string;
  readonly agent?: string;
  readonly model?: { readonly provider: string; readonly model: string };
}

/** Returns `undefined` if the text names no command. If two commands share a name, the later one counts. */
export function expandCommand(
  typed: string,
  commands: readonly FileCommand[],
  agents: readonly Agent[],
): ExpandedCommand | undefined {
  const [, name, rest = ''] = /^\/([^\s/]+)(?:\s+([^]*))?$/.exec(typed.trim()) ?? [];
  const command = commands.findLast((each) => each.name === name);
  if (!command) return undefined;
  const { agent, model, subtask } = command;
  const filled = withShell(withArguments(command.template, rest.trim()));
  const isSubagent = agent !== undefined && subagentsOf(agents).some((each) => each.name === agent);
  const isDelegated = subtask === true || (subtask !== false && isSubagent);
  return {
    text: isDelegated
      ? `Give this to ${agent ?? 'general'} with the task tool, then tell me the result:\n\n${filled}`
      : filled,
    ...(agent !== undefined && !isDelegated && { agent }),
    ...(model !== undefined && !isDelegated && { model: modelOf(model) }),
  };
}

/**
 * Fills in `$1`, `$2`, … and `$ARGUMENTS`; the highest number takes all remaining words. If the template has none of
 * them, the arguments follow the template.
 */
function withArguments(template: string, rest: string): string {
  const numbers = [...template.matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits));
  const highest = Math.max(0, ...numbers);
  if (highest === 0 && !template.includes('$ARGUMENTS'))
    return rest === '' ? template : `${template}\n\n${rest}`;
  const words = wordsOf(rest);
  return template.replace(/\$(?:(\d+)|ARGUMENTS)/g, (_, digits: string | undefined) => {
    if (digits === undefined) return rest;
    const number = Number(digits);
    return number === highest ? words.slice(number - 1).join(' ') : (words[number - 1] ?? '');
  });
}

/** Splits at spaces; quotes keep words together. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

/** A command from a file starts no program by itself: the agent runs the program and asks for permission. */
function withShell(text: string): string {
  return text.replace(/!`([^`]+)`/g, 'the output of `$1` (run it)');
}
