import { fileNames } from '../names.ts';
import { quotePattern } from '../patterns.ts';
import type { Shell } from '../shell.ts';
import { wait, type Task } from '../task.ts';
import { flagsOf, words, type Builtin } from './builtin.ts';
import { KEYWORDS } from './control.ts';

const USAGE = 'compgen: usage: compgen [-abcdefgjksuv] [-o option] [-A action] [-W wordlist] [word]';

const ACTIONS: Readonly<Record<string, string>> = {
  a: 'alias',
  b: 'builtin',
  c: 'command',
  d: 'directory',
  e: 'export',
  f: 'file',
  k: 'keyword',
  v: 'variable',
};

/** Prints the names of a kind that start with a word. */
export const compgen: Builtin = function* (shell, args) {
  const { on, values, rest } = flagsOf(words(args), 'abcdefgjksuvo:A:W:P:S:X:F:C:G:', USAGE);
  const [start = ''] = rest;
  const found: string[] = [];
  for (const letter of on) {
    const action = letter === 'A' ? values.get('A') : ACTIONS[letter];
    if (action !== undefined) found.push(...(yield* namesOf(shell, action, start)));
  }
  const list = values.get('W');
  if (list !== undefined) found.push(...list.split(/[ \t\n]+/).filter((word) => word !== ''));
  const fitting = found.filter((name) => name.startsWith(start));
  const [before = '', after = ''] = [values.get('P'), values.get('S')];
  yield* shell.print(fitting.map((name) => `${before}${name}${after}\n`).join(''));
  return fitting.length > 0 ? 0 : 1;
};

function* namesOf(shell: Shell, action: string, start: string): Task<string[]> {
  switch (action) {
    case 'alias':
      return [...shell.aliases.keys()].sort();
    case 'builtin':
      return [...shell.interpreter.builtins.keys()].sort();
    case 'keyword':
      return [...KEYWORDS];
    case 'function':
      return [...shell.functions.keys()].sort();
    case 'export':
      return [...shell.variables.exported().keys()].sort();
    case 'variable':
      return shell.variables.names().sort();
    case 'command':
      return [
        ...new Set([
          ...[
            ...shell.aliases.keys(),
            ...KEYWORDS,
            ...shell.functions.keys(),
            ...shell.interpreter.builtins.keys(),
          ],
          ...shell.world.programs.keys(),
        ]),
      ];
    case 'file':
    case 'directory': {
      const names = yield* fileNames(shell, `${quotePattern(start)}*`);
      if (action === 'file') return names;
      const folders: string[] = [];
      for (const name of names) {
        const stat = yield* wait(shell.world.files.stat(shell.absolute(name)).catch(() => undefined));
        if (stat?.isDirectory) folders.push(name);
      }
      return folders;
    }
    default:
      return [];
  }
}

/** Start-up scripts call it to configure completion, which this shell does not have. */
export const complete: Builtin = () => 0;
