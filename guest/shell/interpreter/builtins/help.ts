import { isMagic, matches } from '../patterns.ts';
import type { Shell } from '../shell.ts';
import type { Task } from '../task.ts';
import { words, type Builtin } from './builtin.ts';
import { tellUse, USED } from './uses.ts';

export const help: Builtin = function* (shell, args) {
  const wanted = words(args).filter((word) => !/^-[dms]$/.test(word));
  if (wanted.length === 0) return yield* allHelp(shell);
  let status = 0;
  for (const word of wanted) {
    const fits = (name: string) => (isMagic(word) ? matches(name, word) : name === word);
    const names = Object.keys(USED).filter(fits);
    for (const name of names) yield* tellUse(shell, name);
    if (names.length > 0) continue;
    yield* shell.complain(
      `help: no help topics match \`${word}'.  Try \`help help' or \`man -k ${word}' or \`info ${word}'.`,
    );
    if (shell.world.programs.has(word)) yield* shell.print(`${word} is a program. Run ${word} --help.\n`, 2);
    status = 1;
  }
  return status;
};

/** A program prints the list of all commands, because only it knows them. */
function* allHelp(shell: Shell): Task<number> {
  yield* shell.print('GNU bash as far as the embedded workspace has it.\n\nBuiltins of the shell:\n\n');
  const names = [...shell.interpreter.builtins.keys()].sort();
  if (!shell.world.programs.has('help')) {
    yield* shell.print(`  ${names.join(' ')}\n`);
    return 0;
  }
  return yield* shell.interpreter.invoke(shell, ['/usr/bin/help', ...names], { withoutFunctions: true });
}
