import type { Assignment, Command } from 'unbash';
import { BrokenPipe } from '../program.ts';
import { assign } from './assignments.ts';
import { UsageError } from './builtins/builtin.ts';
import { builtins, declaring } from './builtins/index.ts';
import { asksForHelp, tellUse } from './builtins/uses.ts';
import { ShellError } from './errors.ts';
import { addFields, expandText } from './expand.ts';
import { becomesProgram } from './in-place.ts';
import { findCommand, runResolved } from './lookup.ts';
import { noteSize } from './size.ts';
import { read, SyntaxFault } from './source.ts';
import { Interrupted, Killed, wait, type Task } from './task.ts';
import { runTrap } from './traps.ts';
import { compile } from './words.ts';
import { closeSubstituted, redirect, restore, type Saved } from './redirect.ts';
import type { Argument, LookupOptions, Shell, ShellFunction } from './shell.ts';
import { trace, traceAssignment } from './trace.ts';

/** A simple command: its words, assignments and redirections. */
export function* runSimple(shell: Shell, node: Command): Task<number> {
  shell.begin(node);
  const mark = shell.substituted.length;
  const { name } = node;
  if (name && shell.aliases.size > 0 && shell.shopt.get('expand_aliases')) {
    const aliased = aliasedSource(shell, node, name.text);
    if (aliased !== undefined) return yield* runAliased(shell, name.text, aliased);
  }
  if (shell.traps.has('DEBUG')) yield* runDebugTrap(shell, node);
  shell.substitution = undefined;
  const words: Argument[] = [];
  const texts: string[] = [];
  if (name) {
    const form = compile(name);
    if (form.plain !== undefined) texts.push(form.plain);
    else yield* addFields(shell, form, texts);
    words.push(...texts);
    texts.length = 0;
    for (const argument of node.args) {
      if (argument.type === 'Assignment') {
        const isDeclared =
          declaring.has(String(words[0])) || words[0] === 'command' || words[0] === 'builtin';
        if (isDeclared) words.push(argument);
        else words.push(yield* assignmentText(shell, argument));
      } else {
        const argumentForm = compile(argument);
        if (argumentForm.plain !== undefined) words.push(argumentForm.plain);
        else yield* addFields(shell, argumentForm, texts);
      }
      if (texts.length > 0) {
        words.push(...texts);
        texts.length = 0;
      }
    }
  }
  const assignments =
    node.prefix.length > 0 ? node.prefix.filter((part) => part.type === 'Assignment') : NO_ASSIGNMENTS;
  if (shell.on('xtrace') && words.length > 0) yield* trace(shell, assignments, words);
  shell.isLast = node === shell.last;
  const { redirects } = node;
  const status =
    redirects.length === 0
      ? yield* runPlain(shell, words, assignments)
      : yield* runRedirected(shell, node, words, assignments);
  shell.status = status;
  const last = words.at(-1);
  if (typeof last === 'string') shell.lastArg = last;
  if (shell.substituted.length > mark) closeSubstituted(shell, mark);
  if (shell.process.isKilled) shell.process.check();
  return status;
}

const NO_ASSIGNMENTS: readonly Assignment[] = [];

/** The text of an assignment that is an argument of a command that declares nothing, such as `alias`. */
function* assignmentText(shell: Shell, { name, append, index, text, value }: Assignment): Task<string> {
  if (value.type !== 'Word' || index) return text;
  return `${name}${append ? '+' : ''}=${yield* expandText(shell, compile(value, 'assignment'))}`;
}

function* runRedirected(
  shell: Shell,
  node: Command,
  words: readonly Argument[],
  assignments: readonly Assignment[],
): Task<number> {
  const saved: Saved[] = [];
  let stays = false;
  try {
    const refused = yield* redirect(shell, node.redirects, saved);
    if (refused !== undefined) return refused;
    // `exec` without a command changes the shell's own streams.
    stays = words[0] === 'exec' && words.length === 1;
    return yield* runPlain(shell, words, assignments);
  } finally {
    if (stays) for (const [, file] of saved) file?.release();
    else restore(shell, saved);
  }
}

function* runPlain(
  shell: Shell,
  words: readonly Argument[],
  assignments: readonly Assignment[],
): Task<number> {
  if (words.length === 0) {
    for (const assignment of assignments) {
      yield* assign(shell, assignment);
      if (shell.on('xtrace')) yield* traceAssignment(shell, assignment);
    }
    return shell.substitution ?? 0;
  }
  if (assignments.length === 0) return yield* invoke(shell, words);
  // The assignments apply to this command alone.
  shell.variables.push();
  try {
    for (const assignment of assignments) {
      shell.variables.declareLocal(assignment.name).attributes.add('exported');
      yield* assign(shell, assignment);
    }
    shell.variables.forgetExports();
    return yield* invoke(shell, words);
  } finally {
    shell.variables.pop();
    shell.variables.forgetExports();
  }
}

/** Runs words as a command: looks up the first one and expands nothing. */
export function* invoke(shell: Shell, words: readonly Argument[], lookup: LookupOptions = {}): Task<number> {
  const name = String(words[0]);
  if (!lookup.withoutFunctions && shell.functions.size > 0) {
    const known = shell.functions.get(name);
    if (known) return yield* callFunction(shell, name, known, words.slice(1).map(textOf));
  }
  const builtin = builtins.get(name);
  if (builtin) {
    try {
      if (asksForHelp(name, words[1])) return yield* tellUse(shell, name);
      const result = builtin(shell, words.slice(1));
      return typeof result === 'number' ? result : yield* result;
    } catch (error) {
      return yield* builtinFailed(shell, name, error);
    }
  }
  const found = yield* findCommand(shell, name, lookup.usualPath);
  if (becomesProgram(shell)) shell.process.isInPlace = true;
  const status = yield* runResolved(shell, found, name, words.slice(1).map(textOf));
  noteSize(shell);
  return status;
}

function textOf(word: Argument): string {
  return typeof word === 'string' ? word : word.text;
}

function* builtinFailed(shell: Shell, name: string, error: unknown): Task<number> {
  if (error instanceof BrokenPipe) {
    if (shell.traps.get('PIPE') !== '') throw new Killed('PIPE');
    yield* shell.complain(`${name}: write error: Broken pipe`);
    return 1;
  }
  if (error instanceof Interrupted) return 128;
  // An error that has been printed came from a command that the builtin ran.
  if (!(error instanceof ShellError) || error.fatal || error.isTold || error instanceof SyntaxFault)
    throw error;
  const { message } = error;
  if (message !== '')
    yield* shell.complain(message.startsWith(`${name}: `) ? message : `${name}: ${message}`);
  if (error instanceof UsageError) yield* shell.print(`${error.usage}\n`, 2);
  return error.status;
}

/** A script that recurses without end stops at this depth, before it takes all memory. */
const MOST_NESTED = 10_000;

/** Nested functions get a fresh stack after this many levels, because JavaScript's own would overflow. */
const STACK_DEPTH = 32;

function* onFreshStack(shell: Shell, body: Task<number>): Task<number> {
  return yield* wait(Promise.resolve().then(() => shell.process.run(body)));
}

function* callFunction(shell: Shell, name: string, known: ShellFunction, args: string[]): Task<number> {
  const { args: outerArgs, source, at, loops } = shell;
  const most = Number(shell.variables.get('FUNCNEST') ?? 0) || MOST_NESTED;
  if (shell.frames.length >= most)
    throw new ShellError(`${name}: maximum function nesting level exceeded (${most})`, 1, true);
  shell.frames.push({ name, source: known.source, callSource: source, callAt: at, isFunction: true });
  shell.variables.push();
  shell.args = args;
  shell.source = known.source;
  shell.loops = 0;
  const hidden: [string, string][] = [];
  for (const trap of ['DEBUG', 'RETURN', 'ERR']) {
    const text = shell.traps.get(trap);
    if (text === undefined || shell.on(trap === 'ERR' ? 'errtrace' : 'functrace')) continue;
    hidden.push([trap, text]);
    shell.traps.delete(trap);
  }
  try {
    let status =
      shell.frames.length % STACK_DEPTH === 0
        ? yield* onFreshStack(shell, shell.interpreter.run(shell, known.body))
        : yield* shell.interpreter.run(shell, known.body);
    if (shell.flow === 'return') {
      shell.flow = undefined;
      status = shell.status;
    }
    if (shell.traps.has('RETURN')) {
      shell.status = status;
      yield* runTrap(shell, 'RETURN');
    }
    return status;
  } finally {
    for (const [trap, text] of hidden) if (!shell.traps.has(trap)) shell.traps.set(trap, text);
    const { options = [] } = shell.frames.pop() ?? {};
    for (const [option, isOn] of options) shell.options.set(option, isOn);
    shell.variables.pop();
    shell.args = outerArgs;
    shell.source = source;
    shell.at = at;
    shell.loops = loops;
  }
}

function* runDebugTrap(shell: Shell, node: Command): Task<void> {
  if (shell.inTrap) return;
  shell.inTrap = true;
  try {
    yield* runTrap(shell, 'DEBUG');
  } finally {
    shell.inTrap = false;
    shell.at = node.pos;
  }
}

/** The text of a command after alias expansion; undefined where its name is not an alias. */
function aliasedSource(shell: Shell, node: Command, name: string): string | undefined {
  const alias = shell.aliases.get(name);
  const word = node.name;
  if (alias === undefined || !word || word.text !== word.value || shell.expandingAliases.has(name))
    return undefined;
  const { text } = shell.source;
  if (text.slice(word.pos, word.end) !== word.text) return undefined;
  let whole = text.slice(node.pos, word.pos) + alias;
  let at = word.end;
  let last = alias;
  // After an alias that ends in a blank, the next word is checked for aliases too.
  for (const next of node.args) {
    if (!/[ \t]$/.test(last)) break;
    last = (next.text === text.slice(next.pos, next.end) && shell.aliases.get(next.text)) || '';
    if (last === '') break;
    whole += text.slice(at, next.pos) + last;
    at = next.end;
  }
  return whole + text.slice(at, node.end);
}

function* runAliased(shell: Shell, name: string, text: string): Task<number> {
  const { source, at } = shell;
  const script = read(text, source.name, shell.line);
  shell.source = script.source;
  shell.expandingAliases.add(name);
  try {
    return yield* shell.interpreter.runList(shell, script.tree.commands);
  } finally {
    shell.expandingAliases.delete(name);
    shell.source = source;
    shell.at = at;
  }
}
