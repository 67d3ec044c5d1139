import { decode } from '../../kit/io.ts';
import { fileError, isFileError } from '../../files.ts';
import { ShellError } from '../errors.ts';
import { findCommand, runResolved, type ResolvedCommand } from '../lookup.ts';
import { giveUpPlace } from '../in-place.ts';
import { contentOf } from '../redirect.ts';
import type { Shell } from '../shell.ts';
import { read } from '../source.ts';
import { wait, type Task } from '../task.ts';
import { flagsOf, number, UsageError, words, type Builtin } from './builtin.ts';
import { functionText } from '../function-text.ts';

const SPECIAL: ReadonlySet<string> = new Set(
  '. : break continue eval exec exit export readonly return set shift source times trap unset'.split(' '),
);

export const nothing: Builtin = () => 0;
export const fail: Builtin = () => 1;

function jump(kind: 'break' | 'continue'): Builtin {
  return function* (shell, args) {
    const [word = '1'] = words(args);
    if (shell.loops === 0) {
      yield* shell.complain(`${kind}: only meaningful in a \`for', \`while', or \`until' loop`);
      return 0;
    }
    const levels = number(word);
    if (levels < 1) throw new ShellError(`${word}: loop count out of range`);
    shell.flow = kind;
    shell.levels = Math.min(levels, shell.loops);
    return 0;
  };
}

export const breakLoop = jump('break');
export const continueLoop = jump('continue');

export const returnFrom: Builtin = (shell, args) => {
  if (shell.frames.length === 0)
    throw new ShellError("can only `return' from a function or sourced script", 2);
  const [word] = words(args);
  const status = word === undefined ? shell.status : number(word) & 255;
  shell.flow = 'return';
  shell.status = status;
  return status;
};

export const exit: Builtin = function* (shell, args) {
  const [word, ...more] = words(args);
  if (word !== undefined && !/^\s*[-+]?\d+\s*$/.test(word)) {
    yield* shell.complain(`exit: ${word}: numeric argument required`);
    return shell.exit(2);
  }
  if (more.length > 0) {
    const error = new ShellError('exit: too many arguments');
    yield* shell.complain(error.message);
    error.isTold = true;
    throw error;
  }
  return shell.exit(word === undefined ? shell.status : Number(word));
};

export const logout: Builtin = () => {
  throw new ShellError("not login shell: use `exit'");
};

export const evalText: Builtin = function* (shell, args) {
  const all = words(args);
  if (all[0] === '--') all.shift();
  const text = all.join(' ');
  if (text.trim() === '') return 0;
  return yield* runText(shell, text);
};

function* runText(shell: Shell, text: string): Task<number> {
  const { source, at } = shell;
  const script = read(text, source.name, shell.line);
  try {
    return yield* shell.interpreter.runScript(shell, script);
  } catch (error) {
    if (!(error instanceof ShellError) || error.fatal || error.status !== 2) throw error;
    yield* shell.complain(`eval: ${error.message}`);
    return 2;
  } finally {
    shell.source = source;
    shell.at = at;
  }
}

export const source: Builtin = function* (shell, args) {
  const all = words(args);
  if (all[0] === '--') all.shift();
  const [name, ...rest] = all;
  if (name === undefined)
    throw new UsageError('filename argument required', '.: usage: . filename [arguments]');
  const path = yield* sourcePath(shell, name);
  let text: string;
  try {
    text = decode(yield* contentOf(shell, path));
  } catch (error) {
    if (!isFileError(error)) throw error;
    const reason = /^EISDIR/.test(error.message) ? 'is a directory' : fileError(error);
    yield* shell.complain(
      /^EISDIR/.test(error.message) ? `source: ${name}: ${reason}` : `${name}: ${reason}`,
    );
    return 1;
  }
  const script = read(text, path);
  const { source: caller, at, args: outer, loops } = shell;
  shell.frames.push({
    name: 'source',
    source: script.source,
    callSource: caller,
    callAt: at,
    isFunction: false,
  });
  if (rest.length > 0) shell.args = rest;
  try {
    shell.status = 0;
    let status = yield* shell.interpreter.runScript(shell, script);
    if (shell.flow === 'return') {
      shell.flow = undefined;
      status = shell.status;
    }
    return status;
  } finally {
    shell.frames.pop();
    if (rest.length > 0) shell.args = outer;
    shell.source = caller;
    shell.at = at;
    shell.loops = loops;
  }
};

function* sourcePath(shell: Shell, name: string): Task<string> {
  if (name.includes('/')) return name;
  for (const folder of (shell.variables.get('PATH') ?? '').split(':')) {
    if (/^(?:\/usr(?:\/local)?)?\/s?bin$/.test(folder)) continue;
    const path = `${folder || '.'}/${name}`;
    if (yield* wait(shell.world.files.exists(shell.absolute(path)))) return path;
  }
  return name;
}

export const exec: Builtin = function* (shell, args) {
  const { values, on, rest } = flagsOf(
    words(args),
    'cla:',
    'exec: usage: exec [-cl] [-a name] [command [argument ...]] [redirection ...]',
  );
  const [name] = rest;
  if (name === undefined) return 0;
  if (on.has('c')) for (const each of shell.variables.exported().keys()) shell.variables.unsetOwn(each);
  const found = yield* findCommand(shell, name);
  if (found.kind === 'missing' || found.kind === 'refused') {
    const message = found.kind === 'missing' ? `${name}: not found` : found.message;
    yield* shell.complain(`exec: ${message}`);
    return shell.exit(found.kind === 'missing' ? 127 : found.status);
  }
  giveUpPlace(shell);
  const status = yield* runResolved(shell, found, values.get('a') ?? name, rest.slice(1));
  return shell.exit(status);
};

export const command: Builtin = function* (shell, args) {
  let at = 0;
  let [describes, brief, usual] = [false, false, false];
  for (; at < args.length; at++) {
    const arg = args[at];
    if (typeof arg !== 'string' || !/^-[pvV]+$/.test(arg)) break;
    if (arg.includes('v')) describes = brief = true;
    if (arg.includes('V')) describes = true;
    if (arg.includes('p')) usual = true;
  }
  if (args[at] === '--') at++;
  const rest = args.slice(at);
  if (typeof rest[0] === 'string' && /^-./.test(rest[0]))
    throw new UsageError(
      `${rest[0].slice(0, 2)}: invalid option`,
      'command: usage: command [-pVv] command [arg ...]',
    );
  if (rest.length === 0) return 0;
  if (!describes)
    return yield* shell.interpreter.invoke(shell, rest, { withoutFunctions: true, usualPath: usual });
  let status = 1;
  for (const name of words(rest)) {
    const kinds = yield* describe(shell, name, false, false);
    const [first] = kinds;
    if (!first) {
      if (!brief) yield* shell.complain(`command: ${name}: not found`);
      continue;
    }
    status = 0;
    yield* shell.print(`${brief ? first.brief : first.long}\n`);
  }
  return status;
};

export const builtin: Builtin = function* (shell, args) {
  const [name, ...rest] = args;
  if (name === undefined) return 0;
  const found = shell.interpreter.builtins.get(String(name));
  if (!found) throw new ShellError(`${String(name)}: not a shell builtin`);
  const result = found(shell, rest);
  return typeof result === 'number' ? result : yield* result;
};

interface Kind {
  readonly word: string;
  readonly brief: string;
  readonly long: string;
  readonly path?: string;
}

export const KEYWORDS: ReadonlySet<string> = new Set(
  'if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc'.split(
    ' ',
  ),
);

/** Lists everything that a name refers to, in the order of the lookup. */
function* describe(shell: Shell, name: string, all: boolean, noFunctions: boolean): Task<Kind[]> {
  const kinds: Kind[] = [];
  const alias = shell.aliases.get(name);
  if (alias !== undefined && shell.shopt.get('expand_aliases'))
    kinds.push({
      word: 'alias',
      brief: `alias ${name}='${alias}'`,
      long: `${name} is aliased to \`${alias}'`,
    });
  if (KEYWORDS.has(name)) kinds.push({ word: 'keyword', brief: name, long: `${name} is a shell keyword` });
  const known = noFunctions ? undefined : shell.functions.get(name);
  if (known)
    kinds.push({
      word: 'function',
      brief: name,
      long: `${name} is a function\n${functionText(name, known).trimEnd()}`,
    });
  if (shell.interpreter.builtins.has(name))
    kinds.push({
      word: 'builtin',
      brief: name,
      long: `${name} is a ${SPECIAL.has(name) && shell.on('posix') ? 'special ' : ''}shell builtin`,
    });
  if (kinds.length > 0 && !all) return kinds;
  const isHashed = shell.hashed.has(name);
  const found = yield* findCommand(shell, name);
  if (!isHashed) shell.hashed.delete(name);
  const path = pathOf(found);
  if (path !== undefined)
    kinds.push({
      word: 'file',
      brief: path,
      long: isHashed ? `${name} is hashed (${path})` : `${name} is ${path}`,
      path,
    });
  return kinds;
}

function pathOf(found: ResolvedCommand): string | undefined {
  return found.kind === 'program' || found.kind === 'shell' || found.kind === 'file' ? found.path : undefined;
}

export const type: Builtin = function* (shell, args) {
  const { on, rest } = flagsOf(words(args), 'afptP', 'type: usage: type [-afptP] name [name ...]');
  let status = 0;
  for (const name of rest) {
    let kinds = yield* describe(shell, name, on.has('a') || on.has('P'), on.has('f'));
    if (on.has('P')) kinds = kinds.filter(({ path }) => path !== undefined);
    if (!on.has('a')) kinds = kinds.slice(0, 1);
    if (kinds.length === 0) {
      status = 1;
      if (!on.has('t') && !on.has('p') && !on.has('P')) yield* shell.complain(`type: ${name}: not found`);
    }
    for (const kind of kinds) {
      if (on.has('t')) yield* shell.print(`${kind.word}\n`);
      else if (on.has('p') || on.has('P')) {
        if (kind.path !== undefined) yield* shell.print(`${kind.path}\n`);
      } else yield* shell.print(`${kind.long}\n`);
    }
  }
  return status;
};

export const shift: Builtin = (shell, args) => {
  const [word = '1'] = words(args);
  if (!/^\s*[-+]?\d+\s*$/.test(word)) throw new ShellError(`${word}: numeric argument required`);
  const count = Number(word);
  if (count < 0) throw new ShellError(`${count}: shift count out of range`);
  if (count > shell.args.length) return 1;
  shell.args = shell.args.slice(count);
  return 0;
};

export const caller: Builtin = function* (shell, args) {
  const [word] = words(args);
  const level = word === undefined ? 0 : number(word);
  const lines = shell.variables.values('BASH_LINENO');
  const names = shell.variables.values('FUNCNAME');
  const sources = shell.variables.values('BASH_SOURCE');
  const line = lines[level];
  if (line === undefined) return 1;
  if (word !== undefined && names[level + 1] === undefined) return 1;
  const file = sources[level + 1] ?? 'NULL';
  yield* shell.print(
    word === undefined ? `${line} ${file}\n` : `${line} ${names[level + 1] ?? 'main'} ${file}\n`,
  );
  return 0;
};
