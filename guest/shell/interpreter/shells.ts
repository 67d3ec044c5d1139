import { decode, readAll } from '../kit/io.ts';
import { fileError, isFileError } from '../files.ts';
import type { Descriptors } from './descriptors.ts';
import { setLetter, setOption } from './options.ts';
import { nothing } from './pipe.ts';
import { lastCommand } from './in-place.ts';
import { Process, takeFor } from './process.ts';
import { contentOf } from './redirect.ts';
import { Shell, type Interpreter } from './shell.ts';
import { read, type Script } from './source.ts';
import { provideSpecials } from './specials.ts';
import { wait, type Task } from './task.ts';
import type { World } from './world.ts';
import { runToEnd } from './to-end.ts';

/** Makes a shell that inherits nothing but the environment. */
export function freshShell(
  world: World,
  parent: Process | undefined,
  from: {
    readonly env: ReadonlyMap<string, string>;
    readonly cwd: string;
    readonly fds: Descriptors;
    readonly name: string;
    readonly args: readonly string[];
    readonly isInteractive?: boolean;
    readonly interpreter: Interpreter;
  },
): Shell {
  const process = new Process(world, parent);
  const shell = new Shell(world, process, {
    variables: provideSpecials(from.env, from.cwd, parent?.pid ?? 1),
    fds: from.fds,
    name: from.name,
    args: [...from.args],
    cwd: from.cwd,
    source: { text: '', firstLine: 1 },
    isInteractive: from.isInteractive ?? false,
    interpreter: from.interpreter,
  });
  for (const [key, text] of from.env) importFunction(shell, key, text);
  return shell;
}

/** Defines a function that another shell has exported. */
function importFunction(shell: Shell, key: string, text: string): void {
  const [, name] = /^BASH_FUNC_([\w.-]+)%%$/.exec(key) ?? [];
  if (name === undefined || !text.startsWith('() ')) return;
  const { source, tree } = read(`${name} ${text}`);
  const node = tree.commands[0]?.command;
  // Only a function definition is accepted, so other code in the variable never runs.
  if (node?.type !== 'Function' || tree.commands.length !== 1 || tree.errors?.length) return;
  shell.functions.set(name, { body: node.body, source, node });
  shell.exportedFunctions.add(name);
}

/** Runs a script in a shell of its own, and passes it the signals of a process that was forked for it. */
export function* runBelow(shell: Shell, child: Shell, script: Script): Task<number> {
  const { process } = shell;
  process.take = takeFor(child.process);
  try {
    const status = yield* wait(
      child.process.run(runToEnd(child, child.interpreter.runScript(child, script))),
    );
    process.standInEnded(child.process.endedBy);
    return status;
  } finally {
    process.take = undefined;
  }
}

/** Makes the shell for running a script as a command. */
export function scriptShell(shell: Shell, name: string, args: readonly string[]): Shell {
  const child = freshShell(shell.world, shell.process, {
    env: shell.environment(),
    cwd: shell.cwd,
    fds: shell.fds.copy(),
    name,
    args,
    interpreter: shell.interpreter,
  });
  for (const [signal, text] of shell.traps) if (text === '') child.traps.set(signal, '');
  child.umask = shell.umask;
  child.process.command = ['bash', name, ...args].join(' ');
  return child;
}

const IGNORED = new Set(['--norc', '--noprofile', '--posix', '--login', '--restricted', '--noediting']);

/** `bash` and `sh`. */
export function* bashCommand(shell: Shell, name: string, args: readonly string[]): Task<number> {
  const rest = [...args];
  const settings: [letterOrName: string, on: boolean, kind: 'letter' | 'option' | 'shopt'][] = [];
  let [takesCommand, takesInput, interactive] = [false, false, false];
  for (let arg = rest[0]; arg !== undefined && /^[-+]./.test(arg); arg = rest[0]) {
    rest.shift();
    if (arg === '--version') {
      yield* shell.print('GNU bash, version 5.2.15(1)-release, as far as the embedded workspace has it\n');
      return 0;
    }
    if (arg === '--help') {
      yield* shell.print(
        `Usage:\t${name} [option] ...\n\t${name} [option] script-file ...\n\t${name} -c command [name [args]]\n`,
      );
      return 0;
    }
    if (arg === '--') break;
    if (IGNORED.has(arg)) continue;
    if (arg === '--verbose') {
      settings.push(['verbose', true, 'option']);
      continue;
    }
    if (arg.startsWith('--')) {
      yield* shell.print(`${name}: ${arg}: invalid option\n`, 2);
      return 2;
    }
    const on = arg.startsWith('-');
    for (const letter of arg.slice(1)) {
      if (letter === 'c') takesCommand = true;
      else if (letter === 's') takesInput = true;
      else if (letter === 'i') interactive = true;
      else if (letter === 'o' || letter === 'O')
        settings.push([rest.shift() ?? '', on, letter === 'o' ? 'option' : 'shopt']);
      else if ('lrD'.includes(letter)) continue;
      else settings.push([letter, on, 'letter']);
    }
  }
  let text: string;
  let scriptName = name;
  let sourceName: string | undefined;
  if (takesCommand) {
    const [script, zero = name, ...others] = rest;
    if (script === undefined) {
      yield* shell.print(`${name}: -c: option requires an argument\n`, 2);
      return 2;
    }
    text = script;
    scriptName = zero;
    rest.splice(0, rest.length, ...others);
  } else if (takesInput || rest.length === 0) {
    const source = shell.fds.get(0)?.source ?? nothing;
    source.again?.();
    text = decode(yield* wait(readAll(source)));
  } else {
    const file = rest.shift() ?? '';
    scriptName = sourceName = file;
    try {
      text = decode(yield* contentOf(shell, file));
    } catch (error) {
      if (!isFileError(error)) throw error;
      yield* shell.print(`${name}: ${file}: ${fileError(error)}\n`, 2);
      return /^EISDIR/.test(error.message) ? 126 : 127;
    }
  }
  const child = scriptShell(shell, scriptName, rest);
  if (interactive) child.shopt.set('expand_aliases', true);
  for (const [what, on, kind] of settings) {
    if (kind === 'shopt') child.shopt.set(what, on);
    else if (!(kind === 'letter' ? setLetter(child, what, on) : setOption(child, what, on))) {
      child.fds.closeAll();
      child.process.end();
      yield* shell.print(`${name}: ${kind === 'letter' ? `-${what}` : what}: invalid option\n`, 2);
      return 2;
    }
  }
  const script = read(text, sourceName);
  if (takesCommand) child.last = lastCommand(script.tree.commands);
  return yield* runBelow(shell, child, script);
}
