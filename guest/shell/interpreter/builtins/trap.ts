import { singleQuoted } from '../quoting.ts';
import { signalName, signalNames, signalNumber } from '../signals.ts';
import { UsageError, words, type Builtin } from './builtin.ts';

const TRAPPED = new Set(['EXIT', 'ERR', 'DEBUG', 'RETURN']);

function trapName(word: string): string | undefined {
  if (TRAPPED.has(word.toUpperCase())) return word.toUpperCase();
  return signalName(word);
}

export const trap: Builtin = function* (shell, args) {
  const all = words(args);
  if (all[0] === '-l') {
    yield* shell.print(signalTable());
    return 0;
  }
  const prints = all[0] === '-p';
  if (prints) all.shift();
  if (all[0] === '--') all.shift();
  if (prints || all.length === 0) {
    const traps = new Map(shell.inherited ?? shell.traps);
    const names = all.map(trapName);
    for (const [name, text] of [...traps].sort(([a], [b]) => order(a) - order(b))) {
      if (names.length > 0 && !names.includes(name)) continue;
      const long = TRAPPED.has(name) ? name : `SIG${name}`;
      yield* shell.print(`trap -- ${singleQuoted(text)} ${long}\n`);
    }
    return 0;
  }
  if (/^-[^-]/.test(all[0] ?? ''))
    throw new UsageError(
      `${all[0]?.slice(0, 2) ?? ''}: invalid option`,
      'trap: usage: trap [-lp] [[arg] signal_spec ...]',
    );
  shell.inherited = undefined;
  const [text = ''] = all;
  const resets =
    text === '-' ||
    (all.length === 1 && trapName(text) !== undefined) ||
    (/^\d+$/.test(text) && trapName(text) !== undefined);
  const names = resets && text !== '-' ? all : all.slice(1);
  if (names.length === 0) throw new UsageError('', 'trap: usage: trap [-lp] [[arg] signal_spec ...]');
  let status = 0;
  for (const word of names) {
    const name = trapName(word);
    if (name === undefined) {
      yield* shell.complain(`trap: ${word}: invalid signal specification`);
      status = 1;
    } else if (resets) shell.traps.delete(name);
    else shell.traps.set(name, text);
  }
  return status;
};

function order(name: string): number {
  const special = ['EXIT', 'DEBUG', 'ERR', 'RETURN'].indexOf(name);
  return special === 0 ? 0 : special > 0 ? 100 + special : signalNumber(name);
}

export function signalTable(): string {
  return signalNames
    .map(
      (name, index) =>
        `${String(signalNumber(name)).padStart(2)}) SIG${name}${index % 5 === 4 ? '\n' : '\t'}`,
    )
    .join('')
    .replace(/\t?$/, '\n');
}
