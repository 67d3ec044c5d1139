import { messageOf } from '../../base/message-of.ts';
import type * as Unbash from 'unbash';
import { ROOT } from '../../base/places.ts';
import { dangersIn, dangersInText } from '../dangerous.ts';
import type { Danger } from '../types.ts';
import { arityOf, isNeverGeneralised } from './arity.ts';
import { checkBuiltin } from './builtins.ts';
import { escapesOf } from './escapes.ts';
import { checkForJsh, checkJshBuiltin } from './jsh.ts';
import { checkInterpreter, dependsOn } from './interpreters.ts';
import { Opaque, type ShellCommand, type ShellRedirect, type ShellWord } from './opaque.ts';
import { canonicalOf, commandsOf } from './syntax.ts';
import { isWrapper, unwrap, type WrappedCommand } from './wrappers.ts';

export interface CommandPattern {
  /** The text that the rules are matched against: the command with its redirections, plain words unquoted. */
  readonly text: string;
  /** The pattern that a lasting answer saves; absent if it would allow more than was shown. */
  readonly always?: string;
  /** Whether the command changes nothing and stays in its place, so that only a rule about it asks. */
  readonly harmless?: true;
}

/** A word that may name a file: one the command reads, or an argument. */
export interface FileWord {
  readonly text: string;
  /** Whether it contains `*`, `?` or `[`. */
  readonly glob: boolean;
  /** Whether git has it in its objects, so that it need not be among the files of the workspace. */
  readonly stored?: true;
}

export type Analysis = {
  /** The dangers from the fixed list in the script. */
  readonly dangers: readonly Danger[];
} & (
  | {
      readonly patterns: readonly CommandPattern[];
      readonly files: readonly FileWord[];
      /** The same for scripts that do the same and differ only in spelling. */
      readonly canonical: string;
    }
  /** The script can only be asked for as a whole, for this reason. */
  | { readonly raw: string }
);

const MAX_BYTES = 16 * 1024;
const MAX_DEPTH = 8;

/**
 * Finds every command that a script would run: in pipes, lists, substitutions, and inside wrappers such as `timeout`
 * or `sh -c`. Only syntax that the shell which runs it is known to read in the same way yields patterns; for the
 * rest, the result says why not. `workdir` is the absolute path where it would run, `shell` what would run it. Never
 * rejects.
 */
export async function analyse(
  script: string,
  workdir = ROOT,
  shell: 'bash' | 'jsh' = 'bash',
): Promise<Analysis> {
  try {
    if (new TextEncoder().encode(script).length > MAX_BYTES) throw new Opaque('it is longer than 16 kB');
    const unbash = await import('unbash');
    // A shell inside a jsh script is a jsh too.
    const read = (source: string, isWhole = false) => {
      if (shell === 'jsh') checkForJsh(source);
      return readScript(unbash, source, isWhole);
    };
    const commands = flatten(read, read(script, true), 0, shell);
    if (shell === 'jsh') for (const { words } of commands) checkJshBuiltin(words[0]?.value ?? '');
    if (commands.some(leavesRoot) && commands.some(({ words }) => /^[^/~]+\//.test(words[0]?.value ?? '')))
      throw new Opaque('a command by its path, after changing the directory');
    if (shell === 'jsh' && commands.some(({ assignments }) => assignments.length > 0))
      throw new Opaque('an assignment, which jsh may read differently');
    const patterns = new Map<string, CommandPattern>();
    for (const pattern of commands.flatMap((command) => patternsOf(command, workdir)))
      patterns.set(pattern.text, pattern);
    if (patterns.size === 0) return { raw: 'no command was found in it', dangers: [] };
    const dangers = dangersIn(commands, script, workdir);
    const canonical = canonicalOf(unbash, script);
    return { patterns: [...patterns.values()], files: commands.flatMap(filesOf), canonical, dangers };
  } catch (error) {
    const raw = messageOf(error);
    return { raw, dangers: dangersInText(script, raw) };
  }
}

// Characters that some parsers take for a blank, a line end or nothing at all, and others for part of a word.
const AMBIGUOUS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f\u2060\u3000\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

// Found by comparing parsers: `#` after a brace or a glob is a comment only for some, a word that ends in an escaped
// blank includes what follows, and a line that continues inside a word may not.
const READ_DIFFERENTLY = /[!})\]?*+@]#|\\[ \t](?![\w./-])|(?<![ \t])\\\n/;

function readScript(unbash: typeof Unbash, source: string, isWhole: boolean): readonly ShellCommand[] {
  if (AMBIGUOUS.test(source)) throw new Opaque('it contains unusual blanks or control characters');
  if (READ_DIFFERENTLY.test(source)) throw new Opaque('it contains syntax that shells read differently');
  return commandsOf(unbash, source, isWhole);
}

/** The commands and the commands inside them. */
function flatten(
  read: (source: string) => readonly ShellCommand[],
  commands: readonly ShellCommand[],
  depth: number,
  shell: 'bash' | 'jsh',
): ShellCommand[] {
  if (depth > MAX_DEPTH) throw new Opaque('commands inside commands, too deep');
  return commands.flatMap((command) => {
    const [name, ...args] = command.words;
    if (!name) return [command];
    if (!name.value) throw new Opaque('a command whose name is computed');
    const system = systemName(name.value);
    // Another spelling of a command that rules know by its name.
    if (system) {
      const words = [{ text: system, value: system }, ...args];
      return [command, ...flatten(read, [{ ...command, assignments: [], words }], depth + 1, shell)];
    }
    checkBuiltin(name.value, args, shell);
    checkInterpreter(name.value, args);
    const inner = unwrap(name.value, args).flatMap((wrapped) =>
      ('script' in wrapped ? read(wrapped.script) : [innerCommand(wrapped)]).map((each) =>
        insideOf(command, each),
      ),
    );
    return [command, ...flatten(read, inner, depth + 1, shell)];
  });
}

/** A command in the arguments of another one, whose input it reads unless it has its own. */
function insideOf(outer: ShellCommand, inner: ShellCommand): ShellCommand {
  const { fedBy = outer.fedBy, loops } = inner;
  const all = new Map([...(outer.loops ?? []), ...(loops ?? [])]);
  return { ...inner, within: outer, loops: all, ...(fedBy && { fedBy }) };
}

/** The name of a command that is called by its path in a system folder; undefined for a path in the workspace. */
function systemName(path: string): string | undefined {
  if (!path.includes('/') || (path.startsWith(`${ROOT}/`) && !path.includes('..'))) return undefined;
  const isSystem = /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(path);
  return isSystem ? path.slice(path.lastIndexOf('/') + 1) || undefined : undefined;
}

/** Whether the command changes to a directory where `./name` may be a system command. */
function leavesRoot({ words: [name, ...args] }: ShellCommand): boolean {
  if (name?.value !== 'cd' && name?.value !== 'pushd') return false;
  const target = args.find(({ value }) => !value?.startsWith('-') || value === '-')?.value;
  if (target === undefined || target === null) return true;
  return (
    /^[-~]|(?:^|\/)\.\.(?:\/|$)/.test(target) ||
    (target.startsWith('/') && !`${target}/`.startsWith(`${ROOT}/`))
  );
}

function innerCommand({ words, filled }: WrappedCommand): ShellCommand {
  const [name] = words;
  const command = { assignments: [], words, redirects: [] };
  if (!filled) return command;
  const { placeholder, isPath } = filled;
  const isFilled = (word: ShellWord) => placeholder !== undefined && word.text.includes(placeholder);
  const known = words.slice(0, arityOf(words.map((word) => word.value ?? '')));
  if (known.length < arityOf(words.map((word) => word.value ?? '')) || known.some(isFilled)) {
    throw new Opaque('a command whose kind depends on its input');
  }
  if (
    name?.value &&
    isWrapper(name.value) &&
    (unwrap(name.value, words.slice(1)).length === 0 || words.some(isFilled))
  ) {
    throw new Opaque('a command whose inner command depends on its input');
  }
  if (name?.value && dependsOn(isFilled, name.value, words.slice(1)))
    throw new Opaque('a program that depends on its input');
  return isPath ? command : { ...command, input: { placeholder } };
}

function patternsOf(command: ShellCommand, workdir: string): CommandPattern[] {
  const { assignments, words } = command;
  const redirects = command.redirects.filter(opensFile);
  const tail = redirects.map((redirect) => ` ${redirect.text}`).join('');
  const patterns: CommandPattern[] = [];
  if (words.length > 0) {
    const text = words.map(plain).join(' ');
    const always = prefixOf(words);
    if (tail === '' && assignments.length === 0 && staysInside(words, workdir))
      patterns.push({ text, harmless: true });
    else patterns.push({ text: text + tail, ...(always !== undefined && { always }) });
    // With variables of its own, it is a different command for a saved allow, but the same one for a deny.
    const before = assignments.map((assignment) => `${assignment.text} `).join('');
    if (before) patterns.push(exactPattern(before + text + tail));
    patterns.push(...escapesOf(command).map(exactPattern));
  } else patterns.push(...assignments.map(({ text }) => exactPattern(text)));
  // Redirections are separate patterns, so that allowing `echo *` does not allow writing any file with it.
  return [...patterns, ...redirects.map(({ text }) => exactPattern(text))];
}

/** Whether the command is a `cd` to a folder of the workspace that is written in full. */
function staysInside([name, target, ...more]: readonly ShellWord[], workdir: string): boolean {
  const path = target?.value ?? '';
  if (name?.value !== 'cd' || more.length > 0 || !isInside(workdir)) return false;
  // It is not known where an earlier `cd` has led, so going up may leave the workspace.
  if (path === '' || /^[-~+]/.test(path) || path.split('/').includes('..')) return false;
  return !path.startsWith('/') || isInside(path);
}

function isInside(path: string): boolean {
  return `${path}/`.startsWith(`${ROOT}/`);
}

function opensFile({ writes, target }: ShellRedirect): boolean {
  if (/^\/+dev\/+(?:tcp|udp)\//.test(target?.value ?? '')) throw new Opaque('a connection to the network');
  return writes && target?.value !== '/dev/null';
}

/** The first words, which say what kind of command it is, followed by any arguments. */
function prefixOf(words: readonly ShellWord[]): string | undefined {
  const values = words.map((word) => word.value ?? '');
  const known = words.slice(0, arityOf(values));
  if (known.some((word) => word.value === null)) throw new Opaque('a command whose kind is computed');
  const isPlain = known.every(
    (word, index) => isPlainWord(word.value ?? '') && !(index > 0 && word.value?.startsWith('-')),
  );
  if (isPlain && !isNeverGeneralised(values)) return `${known.map((word) => word.value).join(' ')} *`;
  return exactPattern(words.map(plain).join(' ')).always;
}

/** A pattern that a lasting answer saves verbatim, unless it contains characters that act as wildcards. */
function exactPattern(text: string): CommandPattern {
  return /[*?]/.test(text) ? { text } : { text, always: text };
}

/** Removes quotes that make no difference: for a rule, `"rm"` and `r\m` are `rm`. */
function plain(word: ShellWord): string {
  return word.value !== null && isPlainWord(word.value) ? word.value : word.text;
}

function isPlainWord(value: string): boolean {
  return /^[\w@%+=:,./^~-]+$/.test(value) || value === '[' || value === ']';
}

/**
 * The paths that a git command names in its objects: `HEAD:a`, `:0:a`, and what follows `--`. `-C` is another folder in which
 * they may be.
 */
function storedOf(words: readonly ShellWord[]): FileWord[] {
  if (words[0]?.value !== 'git') return [];
  const values = words.slice(1).map(({ value }) => value ?? '');
  const folders = values
    .flatMap((value, at) => (value === '-C' ? (values[at + 1] ?? '') : []))
    .filter(Boolean);
  const dashes = values.indexOf('--');
  const paths = values.flatMap((value, at) => {
    const path = /^[^\s:]*:(?:[0-3]:)?(?:\([^)]*\))?[/!^]?(\S.*)$/s.exec(value)?.[1];
    if (path !== undefined) return path;
    return dashes >= 0 && at > dashes ? value : [];
  });
  return paths
    .filter((path) => path !== '')
    .flatMap((path) => [path, ...folders.map((folder) => `${folder}/${path}`)])
    .map((text) => ({ text, glob: false, stored: true }));
}

function filesOf({ words, redirects }: ShellCommand): FileWord[] {
  const targets = redirects.flatMap(({ target }) => target ?? []);
  return [...storedOf(words), ...plainFilesOf([...words.slice(1), ...targets])];
}

function plainFilesOf(words: readonly ShellWord[]): FileWord[] {
  return words.flatMap((word): FileWord[] => {
    if (word.value !== null) return [{ text: word.value, glob: false }];
    return /^[^"'`$\\{}]*[*?[][^"'`$\\{}]*$/.test(word.text) ? [{ text: word.text, glob: true }] : [];
  });
}
