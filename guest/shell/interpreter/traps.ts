import { ShellExit } from './errors.ts';
import type { Shell } from './shell.ts';
import { signalNumber } from './signals.ts';
import { read } from './source.ts';
import type { Task } from './task.ts';

/** Runs the text of a trap and restores `$?` afterwards. */
export function* runTrap(shell: Shell, name: string): Task<void> {
  const text = shell.traps.get(name);
  if (!text) return;
  const { status, source, at, pipeStatus, holdsCommand } = shell;
  const script = read(text, source.name, shell.line);
  shell.source = script.source;
  shell.holdsCommand = true;
  try {
    yield* tellText(shell, text);
    yield* shell.interpreter.runList(shell, script.tree.commands);
  } finally {
    shell.holdsCommand = holdsCommand;
    shell.source = source;
    shell.at = at;
    shell.pipeStatus = pipeStatus;
  }
  if (shell.flow !== 'return') shell.status = status;
}

function* tellText(shell: Shell, text: string): Task<void> {
  if (shell.on('verbose')) yield* shell.print(text.endsWith('\n') ? text : `${text}\n`, 2);
}

/** Runs the traps of pending signals. */
export function* runPending(shell: Shell): Task<void> {
  while (shell.process.pending.length > 0) {
    const name = shell.process.pending.shift() ?? '';
    yield* runTrap(shell, name);
  }
}

/** Call it after a command has failed outside of a condition. */
export function* runErrTrap(shell: Shell): Task<void> {
  if (shell.inTrap || !shell.traps.has('ERR')) return;
  shell.inTrap = true;
  try {
    yield* runTrap(shell, 'ERR');
  } finally {
    shell.inTrap = false;
  }
}

/** Runs the EXIT trap, the last thing a shell does. Answers the exit status. */
export function* runExitTrap(shell: Shell, status: number): Task<number> {
  const text = shell.traps.get('EXIT');
  if (text === undefined) return status;
  shell.traps.delete('EXIT');
  if (text === '') return status;
  shell.status = status;
  shell.flow = undefined;
  shell.holdsCommand = true;
  const script = read(text, shell.source.name, shell.line);
  shell.source = script.source;
  const unchecked = shell.unchecked;
  shell.unchecked = 0;
  try {
    yield* tellText(shell, text);
    yield* shell.interpreter.runList(shell, script.tree.commands);
  } catch (error) {
    if (error instanceof ShellExit) return error.status;
    throw error;
  } finally {
    shell.unchecked = unchecked;
  }
  return status;
}

export function statusOfSignal(name: string): number {
  return 128 + signalNumber(name);
}
