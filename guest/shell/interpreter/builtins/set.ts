import { ShellError } from '../errors.ts';
import { functionText } from '../function-text.ts';
import { setLetter, setOption } from '../options.ts';
import { flagsOf, UsageError, words, type Builtin } from './builtin.ts';
import { plainly } from './declare.ts';

const SET_USAGE = 'set: usage: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]';

export const set: Builtin = function* (shell, args) {
  const all = words(args);
  if (all.length === 0) {
    let text = '';
    for (const name of shell.variables.names()) {
      const variable = shell.variables.own(name);
      if (variable?.isSet && !variable.compute) text += `${plainly(name, variable)}\n`;
    }
    if (!shell.on('posix'))
      for (const [name, known] of [...shell.functions].sort(([a], [b]) => (a < b ? -1 : 1)))
        text += functionText(name, known);
    yield* shell.print(text);
    return 0;
  }
  let at = 0;
  for (; at < all.length; at++) {
    const arg = all[at] ?? '';
    if (arg === '--') {
      shell.args = all.slice(at + 1);
      return 0;
    }
    if (arg === '-') {
      setLetter(shell, 'x', false);
      setLetter(shell, 'v', false);
      if (at + 1 < all.length) shell.args = all.slice(at + 1);
      return 0;
    }
    if (!/^[-+]./.test(arg)) break;
    const isOn = arg.startsWith('-');
    for (const letter of arg.slice(1)) {
      if (letter !== 'o') {
        if (!setLetter(shell, letter, isOn))
          throw new UsageError(`${arg.charAt(0)}${letter}: invalid option`, SET_USAGE);
        continue;
      }
      const name = all[at + 1];
      if (name === undefined) {
        yield* shell.print(optionList(shell.options, isOn ? 'table' : 'set'));
        continue;
      }
      at++;
      if (!setOption(shell, name, isOn)) throw new ShellError(`${name}: invalid option name`, 2);
    }
  }
  if (at < all.length) shell.args = all.slice(at);
  return 0;
};

function optionList(options: ReadonlyMap<string, boolean>, form: 'table' | 'set' | 'shopt'): string {
  return [...options]
    .map(([name, isOn]) => {
      if (form === 'table') return `${name.padEnd(15)}\t${isOn ? 'on' : 'off'}\n`;
      return form === 'set' ? `set ${isOn ? '-' : '+'}o ${name}\n` : `shopt ${isOn ? '-s' : '-u'} ${name}\n`;
    })
    .join('');
}

export const shopt: Builtin = function* (shell, args) {
  const { on, rest } = flagsOf(words(args), 'opqsu', 'shopt: usage: shopt [-pqsu] [-o] [optname ...]');
  const options = on.has('o') ? shell.options : shell.shopt;
  if (rest.length === 0) {
    const wanted = new Map(
      [...options].filter(([, isOn]) => (on.has('s') ? isOn : on.has('u') ? !isOn : true)),
    );
    if (!on.has('q'))
      yield* shell.print(
        on.has('p') ? optionList(wanted, on.has('o') ? 'set' : 'shopt') : optionList(wanted, 'table'),
      );
    return 0;
  }
  let status = 0;
  for (const name of rest) {
    if (!options.has(name)) {
      yield* shell.complain(`shopt: ${name}: invalid shell option name`);
      status = 1;
    } else if (on.has('s') || on.has('u')) {
      if (on.has('o')) setOption(shell, name, on.has('s'));
      else options.set(name, on.has('s'));
    } else {
      if (!options.get(name)) status = 1;
      const one = new Map([[name, options.get(name) === true]]);
      if (!on.has('q'))
        yield* shell.print(optionList(one, on.has('p') ? (on.has('o') ? 'set' : 'shopt') : 'table'));
    }
  }
  return status;
};
