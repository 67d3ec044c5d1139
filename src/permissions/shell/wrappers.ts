import { Opaque, type ShellWord } from './opaque.ts';
import { isSteering } from './sensitive.ts';

/** A command in the arguments of another. */
export interface WrappedCommand {
  readonly words: readonly ShellWord[];
  /** Whether its words are changed or extended at run time, as by `xargs` and the `{}` of `find`. */
  readonly filled?: { readonly placeholder: string | undefined; readonly isPath: boolean };
}

/** The contents of a wrapper: a command, or a script in one of its arguments. */
export type Wrapped = WrappedCommand | { readonly script: string };

type Unwrap = (args: readonly ShellWord[]) => readonly Wrapped[];

const WRAPPERS: ReadonlyMap<string, Unwrap> = new Map<string, Unwrap>([
  ['command', (args) => (/^-[vV]$/.test(args[0]?.value ?? '') ? [] : afterOptions(args, options('p')))],
  ['builtin', (args) => afterOptions(args, options(''))],
  ['nohup', (args) => afterOptions(args, options(''))],
  ['time', (args) => afterOptions(args, options('p'))],
  ['setsid', (args) => afterOptions(args, options('cfw'))],
  ['stdbuf', (args) => afterOptions(args, options('', 'ioe'))],
  ['nice', (args) => afterOptions(args, options('', 'n'))],
  [
    'timeout',
    (args) => afterOptions(args, options('', 'ks', ['foreground', 'preserve-status', 'verbose']), 1),
  ],
  ['sudo', (args) => afterOptions(args, options('EHknS', 'ug'))],
  ['doas', (args) => afterOptions(args, options('n', 'u'))],
  ['env', unwrapEnv],
  ['eval', unwrapEval],
  ['trap', unwrapTrap],
  ['xargs', unwrapXargs],
  ['find', unwrapFind],
  ['sh', unwrapShell],
  ['bash', unwrapShell],
  ['dash', unwrapShell],
  ['zsh', unwrapShell],
  ['ksh', unwrapShell],
  ['jsh', unwrapShell],
]);

/**
 * Returns the commands inside a command; none if it is not a wrapper. Throws {@link Opaque} if that cannot be
 * determined.
 */
export function unwrap(name: string, args: readonly ShellWord[]): readonly Wrapped[] {
  return WRAPPERS.get(name)?.(args) ?? [];
}

/** Whether the name runs other commands, so that all of its arguments must be known. */
export function isWrapper(name: string): boolean {
  return WRAPPERS.has(name);
}

interface Options {
  /** Letters without a value, and letters with one. */
  readonly flags: string;
  readonly valued: string;
  readonly long: readonly string[];
}

function options(flags: string, valued = '', long: readonly string[] = []): Options {
  return { flags, valued, long };
}

/** Returns what follows the options and `skip` more words. */
function afterOptions(args: readonly ShellWord[], known: Options, skip = 0): readonly Wrapped[] {
  const words = args.slice(optionsEnd(args, known) + skip);
  return words.length === 0 ? [] : [{ words }];
}

function optionsEnd(args: readonly ShellWord[], { flags, valued, long }: Options): number {
  let at = 0;
  for (; at < args.length; at++) {
    const value = literal(args[at]);
    if (value === '--') return at + 1;
    if (!value.startsWith('-') || value === '-') return at;
    if (value.startsWith('--')) {
      if (!long.includes(value.slice(2))) throw new Opaque(`the option ${value}`);
      continue;
    }
    const letters = value.slice(1);
    const stop = [...letters].findIndex((letter) => !flags.includes(letter));
    if (stop < 0) continue;
    if (!valued.includes(letters.charAt(stop))) throw new Opaque(`the option ${value}`);
    if (stop === letters.length - 1) literal(args[++at]);
  }
  return at;
}

function unwrapEnv(args: readonly ShellWord[]): readonly Wrapped[] {
  let at = optionsEnd(args, options('i0', 'u', ['ignore-environment']));
  for (; at < args.length; at++) {
    const variable = /^(\w+)=/.exec(literal(args[at]))?.[1];
    if (variable === undefined) break;
    if (isSteering(variable)) throw new Opaque(`env of ${variable}`);
  }
  const words = args.slice(at);
  return words.length === 0 ? [] : [{ words }];
}

function unwrapXargs(args: readonly ShellWord[]): readonly Wrapped[] {
  const end = optionsEnd(args, options('0rtx', 'nPLIdsE', ['null', 'no-run-if-empty', 'verbose']));
  const taken = args.slice(0, end).map(literal);
  const at = taken.findIndex((value) => /^-[0rtx]*I/.test(value));
  const attached = taken[at]?.replace(/^-[0rtx]*I/, '');
  const placeholder = at < 0 ? undefined : attached || taken[at + 1];
  const words = args.slice(end);
  return words.length === 0 ? [] : [{ words, filled: { placeholder, isPath: false } }];
}

function unwrapFind(args: readonly ShellWord[]): readonly Wrapped[] {
  const found: Wrapped[] = [];
  for (let at = 0; at < args.length; at++) {
    const { value } = args[at] ?? { value: null };
    if (value === null || !/^-(?:exec|ok)(?:dir)?$/.test(value)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex((word, index) => {
      return word.value === ';' || (word.value === '+' && rest[index - 1]?.value === '{}');
    });
    if (end < 0) throw new Opaque(`${value} without an end`);
    found.push({ words: rest.slice(0, end), filled: { placeholder: '{}', isPath: true } });
    at += end + 1;
  }
  // A computed argument could be another `-exec`, or end one.
  if (args.some((word) => word.value === null && !isPathGlob(word))) {
    throw new Opaque('find with computed arguments');
  }
  return found;
}

/** The words, joined, are a script of the same shell. */
function unwrapEval(args: readonly ShellWord[]): readonly Wrapped[] {
  const words = args[0]?.value === '--' ? args.slice(1) : args;
  if (words[0]?.value?.startsWith('-')) throw new Opaque('eval with an option');
  if (words.length === 0) return [];
  return [{ script: words.map((word) => scriptText('eval', word)).join(' ') }];
}

const SIGNALS =
  /^(?:\d+|(?:SIG)?(?:EXIT|ERR|DEBUG|RETURN|HUP|INT|QUIT|ABRT|KILL|USR1|USR2|PIPE|ALRM|TERM|CHLD|CONT|STOP|TSTP|TTIN|TTOU|WINCH))$/i;

/** The script that `trap` stores is one of the same shell. */
function unwrapTrap(args: readonly ShellWord[]): readonly Wrapped[] {
  const words = args.map((word) => scriptText('trap', word));
  if (words[0] === '--') words.shift();
  const [first, ...signals] = words;
  if (first === undefined || (/^-[lp]$/.test(first) && signals.every((word) => SIGNALS.test(word))))
    return [];
  if (!signals.every((word) => SIGNALS.test(word))) throw new Opaque('trap with an unusual signal');
  // A reset or an ignored signal; naming only a signal resets it too.
  if (first === '-' || first === '' || (signals.length === 0 && SIGNALS.test(first))) return [];
  if (first.startsWith('-') || signals.length === 0) throw new Opaque('an unusual trap');
  return [{ script: first }];
}

/**
 * The text of a word that the shell parses again as a script. A leading `~` would become a path first, which may have
 * any name.
 */
function scriptText(name: string, word: ShellWord): string {
  if (word.value === null || word.assigns !== undefined)
    throw new Opaque(`${name} of a script that is known only at run time`);
  if (/~/.test(word.text)) throw new Opaque(`${name} of a path that begins with ~`);
  return word.value;
}

function unwrapShell(args: readonly ShellWord[]): readonly Wrapped[] {
  const first = literal(args[0] ?? { text: '', value: '' });
  if (first === '') throw new Opaque('a shell that reads its commands from its input');
  if (!/^[-+]/.test(first)) return [];
  if (!/^-[eux]*c$/.test(first)) throw new Opaque(`a shell with the option ${first}`);
  if (!args[1]) throw new Opaque('a shell without a script');
  return [{ script: literal(args[1]) }];
}

function isPathGlob(word: ShellWord): boolean {
  return /^[\w./][\w./*?-]*$/.test(word.text);
}

function literal(word: ShellWord | undefined): string {
  if (word && word.value !== null) return word.value;
  throw new Opaque('a command inside a command with computed words');
}
