import type { Program } from '../program.ts';
import { decode } from '../kit/io.ts';
import { isFileError } from '../files.ts';
import { bashCommand, runBelow, scriptShell } from './shells.ts';
import { setLetter } from './options.ts';
import { runProgram } from './programs.ts';
import type { Shell } from './shell.ts';
import { read } from './source.ts';
import { wait, type Task } from './task.ts';
import { USUAL_PATH } from './specials.ts';

/** The result of looking up a command name. */
export type ResolvedCommand =
  | { readonly kind: 'program'; readonly path: string; readonly program: Program }
  | { readonly kind: 'shell'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly message: string; readonly status: number };

const OWN = new Set(['/usr/bin', '/bin']);
const SHELLS = new Set(['bash', 'sh', 'dash', 'rbash']);

export function* findCommand(shell: Shell, name: string, usualPath = false): Task<ResolvedCommand> {
  if (name === '') return { kind: 'missing' };
  if (name.includes('/')) return yield* atPath(shell, name);
  const searched = usualPath ? USUAL_PATH : shell.variables.get('PATH');
  if (searched === undefined) return { kind: 'missing' };
  const known = usualPath ? undefined : shell.hashed.get(name);
  if (known) {
    const own = ownProgram(shell, known.path);
    if (own) {
      known.hits++;
      return own;
    }
  }
  for (const folder of searched.split(':')) {
    const path = `${folder === '' ? '.' : folder}/${name}`;
    if (OWN.has(folder)) {
      const own = ownProgram(shell, path);
      if (!own) continue;
      if (!usualPath) shell.hashed.set(name, { path, hits: 1 });
      return own;
    }
    // These folders are empty here, and asking for files in them costs a message.
    if (USUAL_FOLDERS.has(folder)) continue;
    const found = yield* atPath(shell, path, true);
    if (found.kind !== 'missing' && found.kind !== 'refused') return found;
  }
  return { kind: 'missing' };
}

const USUAL_FOLDERS = new Set(USUAL_PATH.split(':'));

function ownProgram(shell: Shell, path: string): ResolvedCommand | undefined {
  const [, folder = '', name = ''] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
  if (!OWN.has(folder)) return undefined;
  if (SHELLS.has(name)) return { kind: 'shell', path };
  const program = shell.world.programs.get(name);
  return program && { kind: 'program', path, program };
}

function* atPath(shell: Shell, name: string, isSearch = false): Task<ResolvedCommand> {
  const path = shell.absolute(name);
  const own = ownProgram(shell, path);
  if (own) return own;
  try {
    yield* shell.world.flush();
    const stat = yield* wait(shell.world.files.stat(path));
    if (stat.isDirectory) return { kind: 'refused', message: `${name}: Is a directory`, status: 126 };
    if ((stat.mode & 0o111) === 0)
      return { kind: 'refused', message: `${name}: Permission denied`, status: 126 };
    return { kind: 'file', path: name };
  } catch (error) {
    if (!isFileError(error)) throw error;
    if (isSearch) return { kind: 'missing' };
    const message = /^ENOTDIR/.test(error.message) ? 'Not a directory' : 'No such file or directory';
    return {
      kind: 'refused',
      message: `${name}: ${message}`,
      status: /^ENOTDIR/.test(error.message) ? 126 : 127,
    };
  }
}

export function* runResolved(
  shell: Shell,
  found: ResolvedCommand,
  name: string,
  args: readonly string[],
): Task<number> {
  switch (found.kind) {
    case 'program':
      return yield* runProgram(shell, found.program, name, args);
    case 'shell':
      return yield* bashCommand(shell, name, args);
    case 'file':
      return yield* runFile(shell, found.path, args);
    case 'refused':
      yield* shell.complain(found.message);
      return found.status;
    case 'missing': {
      yield* shell.complain(`${name}: command not found`);
      const instead = shell.world.missing(name);
      if (instead && shell.fds.get(2)) yield* shell.print(instead, 2);
      return 127;
    }
  }
}

/** Runs an executable file as a script of the program that its first line names. */
function* runFile(shell: Shell, name: string, args: readonly string[]): Task<number> {
  const bytes = yield* wait(shell.world.files.readFileBuffer(shell.absolute(name)));
  if (bytes.subarray(0, 128).includes(0)) {
    yield* shell.complain(`${name}: cannot execute binary file: Exec format error`);
    return 126;
  }
  const text = decode(bytes);
  const [, line] = /^#!\s*([^\n]*)/.exec(text) ?? [];
  const [interpreter = '/bin/sh', ...options] = line?.trim().split(/\s+/) ?? [];
  const direct = interpreter.slice(interpreter.lastIndexOf('/') + 1);
  const words = direct === 'env' ? options.filter((word) => word !== '-S') : [direct, ...options];
  const base = words[0] ?? 'sh';
  if (line === undefined || SHELLS.has(base)) {
    const child = scriptShell(shell, name, args);
    const letters = words
      .slice(1)
      .filter((word) => /^-[a-zA-Z]+$/.test(word))
      .join('')
      .replaceAll('-', '');
    for (const letter of letters) setLetter(child, letter, true);
    return yield* runBelow(shell, child, read(text, name));
  }
  const program = shell.world.programs.get(base);
  if (program)
    return yield* runProgram(shell, program, base, [...words.slice(1), shell.absolute(name), ...args]);
  yield* shell.complain(`${name}: ${interpreter}: bad interpreter: No such file or directory`);
  const instead = shell.world.missing(base);
  if (instead) yield* shell.print(instead, 2);
  return 127;
}
