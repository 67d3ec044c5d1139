import { fileError, isFileError } from '../../files.ts';
import { ShellError } from '../errors.ts';
import type { Shell } from '../shell.ts';
import { wait, type Task } from '../task.ts';
import { flagsOf, words, type Builtin } from './builtin.ts';

export const cd: Builtin = function* (shell, args) {
  const { on, rest } = flagsOf(words(args), 'LPe@', 'cd: usage: cd [-L|[-P [-e]] [-@]] [dir]');
  if (rest.length > 1) throw new ShellError('too many arguments');
  let [target] = rest;
  let shows = false;
  if (target === undefined) {
    target = shell.variables.get('HOME');
    if (target === undefined) throw new ShellError('HOME not set');
  } else if (target === '-') {
    target = shell.variables.get('OLDPWD');
    if (target === undefined) throw new ShellError('OLDPWD not set');
    shows = true;
  }
  if (target === '') return 0;
  const found = yield* searched(shell, target);
  if (found !== undefined) {
    target = found;
    shows = true;
  }
  yield* enter(shell, target, on.has('P') || shell.on('physical'));
  if (shows) yield* shell.print(`${shell.cwd}\n`);
  return 0;
};

/** Looks for the target below the folders of CDPATH. */
function* searched(shell: Shell, target: string): Task<string | undefined> {
  const folders = shell.variables.get('CDPATH');
  if (!folders || /^(?:\/|\.\.?(?:\/|$))/.test(target)) return undefined;
  for (const folder of folders.split(':')) {
    const path = `${folder || '.'}/${target}`;
    if (yield* wait(shell.world.files.exists(shell.absolute(path)))) return folder === '' ? undefined : path;
  }
  return undefined;
}

function* enter(shell: Shell, target: string, physical: boolean): Task<void> {
  const { files } = shell.world;
  let path = files.resolvePath(shell.cwd, target);
  try {
    const stat = yield* wait(files.stat(path));
    if (!stat.isDirectory) throw new ShellError(`${target}: Not a directory`);
    if (physical) path = yield* wait(files.realpath(path));
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new ShellError(`${target}: ${fileError(error)}`);
  }
  const before = shell.variables.get('PWD') ?? shell.cwd;
  shell.cwd = path;
  shell.variables.set('OLDPWD', before);
  shell.variables.set('PWD', path);
}

export const pwd: Builtin = function* (shell, args) {
  const { on } = flagsOf(words(args), 'LP', 'pwd: usage: pwd [-LP]');
  const path = on.has('P') ? yield* wait(shell.world.files.realpath(shell.cwd)) : shell.cwd;
  yield* shell.print(`${path}\n`);
  return 0;
};

/** The index that `+2` or `-0` stands for in the list of folders. */
function placeIn(all: readonly string[], word: string): number {
  const count = Number(word.slice(1));
  const at = word.startsWith('+') ? count : all.length - 1 - count;
  if (at < 0 || at >= all.length) throw new ShellError(`${word}: directory stack index out of range`);
  return at;
}

function shown(shell: Shell, path: string, isLong: boolean): string {
  const home = shell.variables.get('HOME');
  if (isLong || !home || (path !== home && !path.startsWith(`${home}/`))) return path;
  return `~${path.slice(home.length)}`;
}

function* show(shell: Shell): Task<void> {
  yield* shell.print(`${[shell.cwd, ...shell.folders].map((path) => shown(shell, path, false)).join(' ')}\n`);
}

export const pushd: Builtin = function* (shell, args) {
  const all = words(args).filter((word) => word !== '-n' && word !== '--');
  const [target] = all;
  if (target === undefined) {
    const [first, ...rest] = shell.folders;
    if (first === undefined) throw new ShellError('no other directory');
    const from = shell.cwd;
    yield* enter(shell, first, false);
    shell.folders = [from, ...rest];
  } else if (/^[-+]\d+$/.test(target)) {
    const stack = [shell.cwd, ...shell.folders];
    const at = placeIn(stack, target);
    const turned = [...stack.slice(at), ...stack.slice(0, at)];
    yield* enter(shell, turned[0] ?? shell.cwd, false);
    shell.folders = turned.slice(1);
  } else {
    const from = shell.cwd;
    yield* enter(shell, target, false);
    shell.folders = [from, ...shell.folders];
  }
  yield* show(shell);
  return 0;
};

export const popd: Builtin = function* (shell, args) {
  const [word = '+0'] = words(args).filter((each) => each !== '-n' && each !== '--');
  if (shell.folders.length === 0) throw new ShellError('directory stack empty');
  const stack = [shell.cwd, ...shell.folders];
  const at = placeIn(stack, word);
  stack.splice(at, 1);
  if (at === 0) yield* enter(shell, stack[0] ?? '/', false);
  shell.folders = stack.slice(1);
  yield* show(shell);
  return 0;
};

export const dirs: Builtin = function* (shell, args) {
  const all = words(args);
  const flags = all.filter((word) => /^-[clpv]+$/.test(word)).join('');
  if (flags.includes('c')) {
    shell.folders = [];
    return 0;
  }
  const stack = [shell.cwd, ...shell.folders].map((path) => shown(shell, path, flags.includes('l')));
  const place = all.find((word) => /^[-+]\d+$/.test(word));
  if (place !== undefined) yield* shell.print(`${stack[placeIn(stack, place)] ?? ''}\n`);
  else if (flags.includes('v'))
    yield* shell.print(stack.map((path, at) => `${String(at).padStart(2)}  ${path}\n`).join(''));
  else yield* shell.print(`${stack.join(flags.includes('p') ? '\n' : ' ')}\n`);
  return 0;
};
