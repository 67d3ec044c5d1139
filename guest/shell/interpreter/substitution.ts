import type { ParsedScript } from 'unbash';
import { decode, readAll } from '../kit/io.ts';
import { OpenFile } from './descriptors.ts';
import { ShellError } from './errors.ts';
import { expandText } from './expand.ts';
import { Gathered, nothing, Pipe } from './pipe.ts';
import { openFile } from './redirect.ts';
import type { Shell } from './shell.ts';
import { lineOf } from './source.ts';
import { wait, type Task } from './task.ts';
import { compile } from './words.ts';
import { runToEnd } from './to-end.ts';

/**
 * Runs a script and returns its output without the line breaks at the end. `origin` is the text of the script
 * where that is not part of the shell's own source.
 */
export function* substitute(shell: Shell, script: ParsedScript, origin: string | undefined): Task<string> {
  const bytes = (yield* contentOfFile(shell, script)) ?? (yield* outputOf(shell, script, origin));
  let text = decode(bytes);
  if (text.includes('\0')) text = text.replaceAll('\0', '');
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 10) end--;
  return text.slice(0, end);
}

function* outputOf(shell: Shell, script: ParsedScript, origin: string | undefined): Task<Uint8Array> {
  const gathered = new Gathered();
  let ended = (): void => {};
  const allWritten = new Promise<void>((resolve) => (ended = resolve));
  let isClosed = false;
  const file = new OpenFile({ sink: gathered }, () => {
    isClosed = true;
    ended();
  });
  yield* shell.forkRoom();
  const child = forked(shell, script, origin, new Map([[1, file]]));
  // In bash, set -e does not apply inside command substitutions by default.
  if (!shell.shopt.get('inherit_errexit') && !shell.on('posix')) child.options.set('errexit', false);
  child.unchecked = 0;
  const status = child.process.run(runToEnd(child, child.interpreter.runList(child, script.commands)));
  shell.status = shell.substitution = yield* wait(status);
  shell.process.check();
  // Background jobs of the substitution may still write.
  if (!isClosed) yield* wait(allWritten);
  return gathered.bytes();
}

function forked(
  shell: Shell,
  script: ParsedScript,
  origin: string | undefined,
  streams: ReadonlyMap<number, OpenFile>,
): Shell {
  const child = shell.fork(streams);
  const text = script.source ?? origin;
  if (text !== undefined)
    child.source = { text, name: shell.source.name, firstLine: lineOf(shell.source, shell.at) };
  return child;
}

/** Reads the file for `$(< file)`, which runs no command. */
function* contentOfFile(shell: Shell, script: ParsedScript): Task<Uint8Array | undefined> {
  const [statement, ...others] = script.commands;
  const command = statement?.command;
  if (!command || others.length > 0 || command.type !== 'Command' || command.name || statement.background)
    return undefined;
  const [redirect, ...more] = command.redirects;
  if (
    more.length > 0 ||
    redirect?.type !== 'Redirect' ||
    redirect.operator !== '<' ||
    redirect.descriptor ||
    !redirect.target
  )
    return undefined;
  if (command.prefix.some((part) => part.type === 'Assignment')) return undefined;
  const name = yield* expandText(shell, compile(redirect.target));
  try {
    const file = yield* openFile(shell, '<', name);
    const bytes = yield* wait(readAll(file.source ?? nothing));
    shell.status = shell.substitution = 0;
    return bytes;
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    yield* shell.complain(error.message);
    shell.status = shell.substitution = 1;
    return new Uint8Array();
  }
}

const FIRST_FD = 63;

/**
 * Starts a script beside the command, and returns the path of the descriptor at the other end of its output
 * or input.
 */
export function processSubstitution(
  shell: Shell,
  script: ParsedScript,
  operator: '<' | '>',
  origin: string | undefined,
): string {
  const pipe = new Pipe();
  const reader = new OpenFile({ source: pipe.source }, () => pipe.source.close());
  const writer = new OpenFile({ sink: pipe.sink }, () => pipe.end());
  const [ours, theirs] = operator === '<' ? [reader, writer] : [writer, reader];
  const streams = new Map<number, OpenFile>([[operator === '<' ? 1 : 0, theirs]]);
  const child = forked(shell, script, origin, streams);
  if (operator === '<' && !child.fds.get(0)) child.fds.set(0, new OpenFile({ source: nothing }));
  let fd = FIRST_FD;
  while (shell.fds.get(fd)) fd--;
  shell.fds.set(fd, ours);
  shell.substituted.push(fd);
  const status = child.process.run(runToEnd(child, child.interpreter.runList(child, script.commands)));
  shell.lastJob = child.process.pid;
  // A script can wait for it with `wait $!`.
  shell.background.set(
    child.process.pid,
    Promise.resolve(status).catch(() => 1),
  );
  return `/dev/fd/${fd}`;
}
