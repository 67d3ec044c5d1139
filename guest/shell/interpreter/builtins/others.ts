import { findCommand } from '../lookup.ts';
import { ShellError } from '../errors.ts';
import { singleQuoted } from '../quoting.ts';
import { flagsOf, UsageError, words, type Builtin } from './builtin.ts';
import { isName } from '../reference.ts';

export const alias: Builtin = function* (shell, args) {
  const all = words(args).filter((word) => word !== '-p' && word !== '--');
  const show = (name: string, text: string) => shell.print(`alias ${name}=${singleQuoted(text)}\n`);
  if (all.length === 0)
    for (const [name, text] of [...shell.aliases].sort(([a], [b]) => (a < b ? -1 : 1)))
      yield* show(name, text);
  let status = 0;
  for (const word of all) {
    const cut = word.indexOf('=');
    if (cut > 0) {
      shell.aliases.set(word.slice(0, cut), word.slice(cut + 1));
      continue;
    }
    const text = shell.aliases.get(word);
    if (text !== undefined) yield* show(word, text);
    else {
      yield* shell.complain(`alias: ${word}: not found`);
      status = 1;
    }
  }
  return status;
};

export const unalias: Builtin = (shell, args) => {
  const { on, rest } = flagsOf(words(args), 'a', 'unalias: usage: unalias [-a] name [name ...]');
  if (on.has('a')) shell.aliases.clear();
  for (const name of rest) if (!shell.aliases.delete(name)) throw new ShellError(`${name}: not found`);
  return 0;
};

export const hash: Builtin = function* (shell, args) {
  const { on, values, rest } = flagsOf(
    words(args),
    'dlp:rt',
    'hash: usage: hash [-lr] [-p pathname] [-dt] [name ...]',
  );
  if (on.has('r')) shell.hashed.clear();
  if (rest.length === 0 && !on.has('r')) {
    if (shell.hashed.size === 0) yield* shell.print('hash: hash table empty\n');
    else {
      const lines = [...shell.hashed.values()].map(
        ({ path, hits }) => `${String(hits).padStart(4)}\t${path}\n`,
      );
      yield* shell.print(`hits\tcommand\n${lines.join('')}`);
    }
    return 0;
  }
  for (const name of rest) {
    const path = values.get('p');
    if (path !== undefined) shell.hashed.set(name, { path, hits: 0 });
    else if (on.has('d')) {
      if (!shell.hashed.delete(name)) throw new ShellError(`${name}: not found`);
    } else if (on.has('t')) {
      const known = shell.hashed.get(name);
      if (!known) throw new ShellError(`${name}: not found`);
      yield* shell.print(rest.length > 1 ? `${name}\t${known.path}\n` : `${known.path}\n`);
    } else {
      const found = yield* findCommand(shell, name);
      if (found.kind === 'missing') throw new ShellError(`${name}: not found`);
    }
  }
  return 0;
};

export const getopts: Builtin = function* (shell, args) {
  const [spec, name, ...given] = words(args);
  if (spec === undefined || name === undefined)
    throw new UsageError('', 'getopts: usage: getopts optstring name [arg ...]');
  if (!isName(name)) throw new ShellError(`\`${name}': not a valid identifier`);
  const options = args.length > 2 ? given : shell.args;
  const { variables } = shell;
  const isSilent = spec.startsWith(':');
  let index = Number(variables.get('OPTIND') ?? 1) || 1;
  if (index !== shell.optionIndex) shell.optionAt = 0;
  const finish = (letter: string, value: string | undefined): number => {
    shell.optionIndex = index;
    variables.set('OPTIND', String(index));
    variables.set(name, letter);
    if (value === undefined) variables.unset('OPTARG');
    else variables.set('OPTARG', value);
    return 0;
  };
  const arg = options[index - 1];
  if (shell.optionAt === 0) {
    if (arg === undefined || !/^-./.test(arg) || arg === '--') {
      if (arg === '--') index++;
      finish('?', undefined);
      return 1;
    }
    shell.optionAt = 1;
  }
  const letter = arg?.charAt(shell.optionAt) ?? '';
  const found = letter === ':' ? -1 : spec.indexOf(letter, isSilent ? 1 : 0);
  shell.optionAt++;
  const isLast = shell.optionAt >= (arg?.length ?? 0);
  if (found < 0) {
    if (isLast) {
      index++;
      shell.optionAt = 0;
    }
    if (!isSilent && variables.get('OPTERR') !== '0')
      yield* shell.print(`${shell.name}: illegal option -- ${letter}\n`, 2);
    return finish('?', isSilent ? letter : undefined);
  }
  if (spec.charAt(found + 1) !== ':') {
    if (isLast) {
      index++;
      shell.optionAt = 0;
    }
    return finish(letter, undefined);
  }
  const value = isLast ? options[index] : arg?.slice(shell.optionAt);
  index += isLast ? 2 : 1;
  shell.optionAt = 0;
  if (value !== undefined) return finish(letter, value);
  index--;
  if (isSilent) return finish(':', letter);
  if (variables.get('OPTERR') !== '0')
    yield* shell.print(`${shell.name}: option requires an argument -- ${letter}\n`, 2);
  return finish('?', undefined);
};

export const umask: Builtin = function* (shell, args) {
  const { on, rest } = flagsOf(words(args), 'pS', 'umask: usage: umask [-p] [-S] [mode]');
  const [mask] = rest;
  if (mask === undefined) {
    const octal = shell.umask.toString(8).padStart(4, '0');
    const symbolic = ['u', 'g', 'o'].map((who, at) => {
      const bits = ~(shell.umask >> (6 - at * 3)) & 7;
      return `${who}=${bits & 4 ? 'r' : ''}${bits & 2 ? 'w' : ''}${bits & 1 ? 'x' : ''}`;
    });
    const shown = on.has('S') ? symbolic.join(',') : octal;
    yield* shell.print(`${on.has('p') ? `umask ${on.has('S') ? '-S ' : ''}` : ''}${shown}\n`);
    return 0;
  }
  if (/^[0-7]+$/.test(mask)) {
    shell.umask = Number.parseInt(mask, 8) & 0o777;
    return 0;
  }
  if (/^\d+$/.test(mask)) throw new ShellError(`${mask}: octal number out of range`);
  let allowed = ~shell.umask & 0o777;
  for (const clause of mask.split(',')) {
    const [, who, sign, letters] = /^([ugoa]*)([-+=])([rwx]*)$/.exec(clause) ?? [];
    if (who === undefined || letters === undefined)
      throw new ShellError(`\`${mask}': invalid symbolic mode operator`);
    const bits = [...letters].reduce((sum, letter) => sum | ({ r: 4, w: 2, x: 1 }[letter] ?? 0), 0);
    for (const each of who === '' || who.includes('a') ? 'ugo' : who) {
      const shift = { u: 6, g: 3, o: 0 }[each] ?? 0;
      if (sign === '=') allowed &= ~(7 << shift);
      allowed = sign === '-' ? allowed & ~(bits << shift) : allowed | (bits << shift);
    }
  }
  shell.umask = ~allowed & 0o777;
  return 0;
};

const ULIMITS: readonly (readonly [string, string, string])[] = [
  ['c', 'core file size              (blocks, -c)', '0'],
  ['d', 'data seg size               (kbytes, -d)', 'unlimited'],
  ['f', 'file size                   (blocks, -f)', 'unlimited'],
  ['n', 'open files                          (-n)', '1024'],
  ['s', 'stack size                  (kbytes, -s)', '8192'],
  ['t', 'cpu time                   (seconds, -t)', 'unlimited'],
  ['u', 'max user processes                  (-u)', '64'],
  ['v', 'virtual memory              (kbytes, -v)', 'unlimited'],
];

export const ulimit: Builtin = function* (shell, args) {
  const all = words(args);
  const letters =
    all
      .filter((word) => word.startsWith('-'))
      .join('')
      .replace(/[-HS]/g, '') || 'f';
  const [limit] = all.filter((word) => !word.startsWith('-'));
  if (limit !== undefined) {
    if (limit === 'unlimited' || /^\d+$/.test(limit) || limit === 'hard' || limit === 'soft') return 0;
    throw new ShellError(`${limit}: invalid number`);
  }
  if (letters.includes('a'))
    yield* shell.print(ULIMITS.map(([, name, value]) => `${name} ${value}\n`).join(''));
  else yield* shell.print(`${ULIMITS.find(([letter]) => letter === letters.at(-1))?.[2] ?? 'unlimited'}\n`);
  return 0;
};

export const times: Builtin = function* (shell) {
  const seconds = (performance.now() - shell.started) / 1000;
  const text = `${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(3)}s 0m0.000s\n`;
  yield* shell.print(text + '0m0.000s 0m0.000s\n');
  return 0;
};

export const enable: Builtin = function* (shell, args) {
  if (words(args).some((word) => !word.startsWith('-') && !shell.interpreter.builtins.has(word)))
    throw new ShellError(
      `${words(args).find((word) => !shell.interpreter.builtins.has(word)) ?? ''}: not a shell builtin`,
    );
  if (args.length === 0 || words(args)[0] === '-a')
    yield* shell.print(
      [...shell.interpreter.builtins.keys()]
        .sort()
        .map((name) => `enable ${name}\n`)
        .join(''),
    );
  return 0;
};

/** Prints the lines typed so far; there are none in a script. */
export const history: Builtin = function* (shell, args) {
  const { on, rest } = flagsOf(words(args), 'c', 'history: usage: history [-c] [n]');
  if (on.has('c')) {
    shell.history.length = 0;
    return 0;
  }
  const [word] = rest;
  if (word !== undefined && !/^\d+$/.test(word)) throw new ShellError(`${word}: numeric argument required`);
  const first = word === undefined ? 0 : Math.max(0, shell.history.length - Number(word));
  const shown = shell.history
    .slice(first)
    .map((line, index) => `${String(first + index + 1).padStart(5)}  ${line}\n`);
  yield* shell.print(shown.join(''));
  return 0;
};
