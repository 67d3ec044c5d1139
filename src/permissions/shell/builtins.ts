import { Opaque, type ShellWord } from './opaque.ts';
import { isSteering } from './sensitive.ts';
import { checkArithmetic } from './checks.ts';

/** Builtins that run something not written in the script, or change the meaning of later text, each with its reason. */
const REFUSED: ReadonlyMap<string, string> = new Map(
  (
    [
      ['. source', 'runs the commands of a file, which are not written here'],
      ['fc', 'runs earlier commands, which are not written here'],
      ['alias unalias enable hash', 'changes what the names of later commands run'],
      ['shopt', 'changes how later words are read'],
      ['exec', 'replaces the shell or its streams'],
      ['complete compgen compopt bind', 'may run commands of its own'],
    ] as const
  ).flatMap(([names, reason]) => names.split(' ').map((name) => [name, reason] as const)),
);

/** Builtins that the analysis follows in bash; jsh may read their text differently. */
const FOLLOWED_IN_BASH = new Set(['eval', 'trap', 'let', 'coproc', 'select']);

/** Programs that run some of their arguments, each by rules of its own. */
const RUN_OTHERS = new Set(
  'at batch busybox chroot ed emacs entr ex expect flock gdb lldb ltrace nsenter parallel runuser script ssh strace screen su tmux toybox unshare vi view vim nvim watch'.split(
    ' ',
  ),
);

/**
 * Commands whose arguments name variables. A subscript in such a name is arithmetic, and arithmetic can run commands.
 */
const ASSIGN = new Set(
  'export declare typeset local readonly read readarray mapfile getopts unset printf test [ wait'.split(' '),
);

const DECLARE = new Set('export declare typeset local readonly'.split(' '));

const COMPARE = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** Throws {@link Opaque} if a builtin may do more than its words say. */
export function checkBuiltin(name: string, args: readonly ShellWord[], shell: 'bash' | 'jsh'): void {
  const reason = REFUSED.get(name);
  if (reason !== undefined) throw new Opaque(`${name} ${reason}`);
  if (shell === 'jsh' && FOLLOWED_IN_BASH.has(name))
    throw new Opaque(`${name}, which jsh may read differently`);
  if (name === 'let') return checkLet(args);
  if (RUN_OTHERS.has(name)) throw new Opaque(`${name} runs other commands`);
  if (!ASSIGN.has(name)) return;
  // In the workspace's own bash, numbers are plain and nothing in a subscript runs.
  if (name === 'test' || name === '[') return shell === 'jsh' ? checkTest(args) : undefined;
  if (name === 'printf') return checkPrintf(args);
  for (const { value, assigns } of args) {
    // The shell parses it again as a list and runs the commands in it.
    if (DECLARE.has(name) && /^\w+(?:\[[^\]]*\])?\+?=\(/.test(value ?? ''))
      throw new Opaque(`${name} of a list in quotes`);
    if (assigns !== undefined && DECLARE.has(name)) {
      if (isSteering(assigns)) throw new Opaque(`${name} of ${assigns}`);
      continue;
    }
    if (value === null) throw new Opaque(`${name} with a computed argument`);
    const refused = DECLARE.has(name) ? /^[-+][a-zA-Z]*[nfF]/ : /^[-+][a-zA-Z]*[aAinCp]/;
    if (refused.test(value) && name !== 'read') throw new Opaque(`${name} ${value}`);
    checkVariable(name, value);
  }
}

/** Checks `let`, where each word is an expression of its own. */
function checkLet(args: readonly ShellWord[]): void {
  for (const { value } of args) {
    if (value === null) throw new Opaque('let with a computed expression');
    checkArithmetic(value);
  }
}

function checkTest(args: readonly ShellWord[]): void {
  args.forEach(({ value }, index) => {
    if (value === '-v' || value === '-R') throw new Opaque(`a test with ${value}`);
    if (value === null || !COMPARE.test(value)) return;
    for (const side of [args[index - 1], args[index + 1]]) {
      if (side && !/^-?\d+$/.test(side.value ?? '')) throw new Opaque('a numeric test on more than numbers');
    }
  });
}

function checkPrintf(args: readonly ShellWord[]): void {
  const [first, second] = args;
  if (!first || first.value === null) return;
  if (!first.value.startsWith('-v')) return;
  const variable = first.value === '-v' ? second?.value : first.value.slice(2);
  if (variable === null || variable === undefined) throw new Opaque('printf -v with a computed name');
  checkVariable('printf -v', variable);
}

function checkVariable(name: string, value: string): void {
  const variable = /^\w+/.exec(value)?.[0] ?? '';
  if (isSteering(variable)) throw new Opaque(`${name} of ${variable}`);
  if (/^\w+\[/.test(value)) throw new Opaque(`${name} of a subscript`);
}
