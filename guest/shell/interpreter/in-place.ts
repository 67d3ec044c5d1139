import type { AndOr, Command, CompoundList, PipelineNode, Statement } from 'unbash';
import type { Shell } from './shell.ts';

/**
 * bash does not fork for the last simple command of `bash -c`, of `( )` and of a background job: the program takes the
 * place of the shell, and with it the signals. It forks where the command ends a list in braces or an `if`.
 */

/** The simple command with which a list ends; undefined where it ends with something else. */
export function lastCommand(statements: readonly Statement[]): Command | undefined {
  const last = statements.at(-1);
  return last && !last.background ? lastOf(last.command) : undefined;
}

/** Notes what a shell was forked for. */
export function forkedFor(child: Shell, node: PipelineNode | AndOr | CompoundList): void {
  const inner = node.type === 'Redirected' ? node.command : node;
  if (inner.type === 'Subshell') {
    child.subshell = inner;
    child.last = lastCommand(inner.body.commands);
  } else if (inner.type === 'Command') child.last = inner;
}

function lastOf(node: Statement['command']): Command | undefined {
  if (node.type === 'Command') return node;
  const last = node.type === 'AndOr' ? node.commands.at(-1) : undefined;
  return last && lastOf(last);
}

/** Whether the shell may become the program that it is about to run: with a trap, it has something to do afterwards. */
export function becomesProgram({ isLast, traps }: Shell): boolean {
  return isLast && [...traps.values()].every((text) => text === '');
}

/** Call it for `exec`: what the process handled itself goes to the program from now on. */
export function giveUpPlace({ traps, process }: Shell): void {
  for (const [name, text] of [...traps]) if (text !== '' || name === 'EXIT') traps.delete(name);
  process.isInPlace = true;
}
