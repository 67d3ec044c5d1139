import { parse, type Assignment } from 'unbash';
import { assign } from '../assignments.ts';
import { evaluate } from '../arithmetic.ts';
import { functionText } from '../function-text.ts';
import { ShellError } from '../errors.ts';
import { declaration, singleQuoted, valueWord } from '../quoting.ts';
import type { Task } from '../task.ts';
import { Variable, type Attribute } from '../variables.ts';
import { flagsOf, UsageError, words, type Builtin } from './builtin.ts';
import { isName, parseReference } from '../reference.ts';
import type { Argument, Shell } from '../shell.ts';

type Kind = 'declare' | 'local' | 'export' | 'readonly';

const ATTRIBUTES: Readonly<Record<string, Attribute>> = {
  x: 'exported',
  r: 'readonly',
  i: 'integer',
  l: 'lower',
  u: 'upper',
  n: 'nameref',
};

export const declare: Builtin = (shell, args) => declares(shell, args, 'declare');
export const exportVariables: Builtin = (shell, args) => declares(shell, args, 'export');
export const readonlyVariables: Builtin = (shell, args) => declares(shell, args, 'readonly');

export const local: Builtin = (shell, args) => {
  if (!shell.frames.some(({ isFunction }) => isFunction))
    throw new ShellError('can only be used in a function');
  const frame = shell.frames.findLast(({ isFunction }) => isFunction);
  if (!frame || !args.includes('-')) return declares(shell, args, 'local');
  frame.options ??= new Map(shell.options);
  const rest = args.filter((arg) => arg !== '-');
  return rest.length > 0 ? declares(shell, rest, 'local') : 0;
};

interface DeclareOptions {
  readonly on: Set<Attribute>;
  readonly off: Set<Attribute>;
  isArray: boolean;
  isMap: boolean;
  isGlobal: boolean;
  prints: boolean;
  functions: boolean;
  names: boolean;
  removes: boolean;
  inherits: boolean;
}

function* declares(shell: Shell, args: readonly Argument[], kind: Kind): Task<number> {
  const flags: DeclareOptions = {
    on: new Set(),
    off: new Set(),
    isArray: false,
    isMap: false,
    isGlobal: false,
    prints: false,
    functions: false,
    names: false,
    removes: false,
    inherits: false,
  };
  if (kind === 'export') flags.on.add('exported');
  if (kind === 'readonly') flags.on.add('readonly');
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at];
    if (typeof arg !== 'string' || !/^[-+]./.test(arg)) break;
    if (arg === '--') {
      at++;
      break;
    }
    readFlags(flags, arg, kind);
  }
  if (flags.removes) {
    flags.on.delete('exported');
    flags.off.add('exported');
  }
  const rest = args.slice(at);
  if (flags.functions) return yield* aboutFunctions(shell, rest, flags, kind);
  if (rest.length === 0 || (flags.prints && kind !== 'export' && kind !== 'readonly'))
    return yield* list(shell, words(rest), flags, kind);
  let status = 0;
  for (const arg of rest) {
    try {
      yield* declareOne(shell, arg, flags, kind);
    } catch (error) {
      if (!(error instanceof ShellError) || error.fatal) throw error;
      const isAssignment =
        (kind === 'export' || kind === 'readonly') && error.message.endsWith(': readonly variable');
      yield* shell.complain(isAssignment ? error.message : `${kind}: ${error.message}`);
      status = 1;
    }
  }
  return status;
}

function readFlags(flags: DeclareOptions, arg: string, kind: Kind): void {
  const isOn = arg.startsWith('-');
  for (const letter of arg.slice(1)) {
    const attribute = ATTRIBUTES[letter];
    if (letter === 'n' && kind === 'export') flags.removes = true;
    else if (attribute) (isOn ? flags.on : flags.off).add(attribute);
    else if (letter === 'a') flags.isArray = true;
    else if (letter === 'A') flags.isMap = true;
    else if (letter === 'g') flags.isGlobal = true;
    else if (letter === 'p') flags.prints = true;
    else if (letter === 'f') flags.functions = true;
    else if (letter === 'F') flags.functions = flags.names = true;
    else if (letter === 'I') flags.inherits = true;
    else if (letter !== 't')
      throw new UsageError(
        `${arg.charAt(0)}${letter}: invalid option`,
        `${kind}: usage: ${kind} [-aAfFgiIlnrtux] [name[=value] ...]`,
      );
  }
}

function* declareOne(shell: Shell, arg: Argument, flags: DeclareOptions, kind: Kind): Task<void> {
  const node = typeof arg === 'string' ? assignmentIn(arg) : arg;
  const text = typeof arg === 'string' ? arg : arg.text;
  const name = node?.name ?? parseReference(text)?.name;
  if (name === undefined || !isName(name)) throw new ShellError(`\`${text}': not a valid identifier`);
  const { variables } = shell;
  const isLocal =
    (kind === 'local' || (kind === 'declare' && !flags.isGlobal)) &&
    shell.frames.some(({ isFunction }) => isFunction);
  const isRef = flags.on.has('nameref');
  const resolved = isRef || isLocal || flags.off.has('nameref') ? name : variables.resolve(name).name;
  const outer = isLocal ? variables.own(resolved) : undefined;
  const variable = isLocal
    ? variables.declareLocal(resolved)
    : flags.isGlobal
      ? variables.declareGlobal(resolved)
      : (variables.own(resolved) ?? variables.declareGlobal(resolved));
  if (flags.inherits && outer && outer !== variable) copyInto(outer, variable);
  if (variable.attributes.has('readonly') && (node || flags.off.has('readonly')))
    throw new ShellError(`${resolved}: readonly variable`);
  for (const attribute of flags.off) variable.attributes.delete(attribute);
  if (flags.isMap) variables.makeArray(resolved, true);
  else if (
    flags.isArray ||
    (node?.index && !variable.map) ||
    (node?.value.type === 'ArrayValue' && !variable.map)
  ) {
    variables.makeArray(resolved, false);
  }
  if (flags.on.has('lower')) variable.attributes.delete('upper');
  if (flags.on.has('upper')) variable.attributes.delete('lower');
  for (const attribute of flags.on)
    if (attribute !== 'readonly' && attribute !== 'nameref') variable.attributes.add(attribute);
  if (node) {
    if (isRef) {
      if (node.value.type === 'Word') yield* assignPlain(shell, node, variable);
    } else if (typeof arg === 'string' && node.value.type === 'Word') {
      // The value was expanded together with the word.
      const value = arg.slice(arg.indexOf('=') + 1);
      const place = parseReference(arg.slice(0, arg.indexOf(node.append ? '+=' : '=')));
      variables.setReference({ name: resolved, subscript: place?.subscript }, value, node.append === true);
    } else yield* assign(shell, node);
  }
  if (isRef) variable.attributes.add('nameref');
  if (flags.on.has('readonly')) variable.attributes.add('readonly');
  variables.forgetExports();
}

function copyInto(from: Variable, to: Variable): void {
  to.value = from.value;
  to.list = from.list?.slice();
  to.map = from.map && new Map(from.map);
  for (const attribute of from.attributes) to.attributes.add(attribute);
}

function* assignPlain(shell: Shell, node: Assignment, variable: Variable): Task<void> {
  variable.attributes.delete('nameref');
  yield* assign(shell, node);
}

/**
 * Parses `name=value` in an expanded word. A plain value is left out, so that nothing in it is expanded
 * again; an array is parsed whole.
 */
function assignmentIn(text: string): Assignment | undefined {
  const [head] = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.exec(text) ?? [];
  if (head === undefined) return undefined;
  const value = text.slice(head.length);
  const isArray = value.startsWith('(') && value.endsWith(')');
  const command = parse(isArray ? text : `${head}x`).commands[0]?.command;
  const [node] = command?.type === 'Command' ? command.prefix : [];
  return node?.type === 'Assignment' ? node : undefined;
}

function* list(shell: Shell, names: readonly string[], flags: DeclareOptions, kind: Kind): Task<number> {
  const { variables } = shell;
  if (names.length > 0) {
    let status = 0;
    for (const name of names) {
      const variable = variables.own(name);
      if (variable) yield* shell.print(`${shownAs(shell, name, variable)}\n`);
      else {
        yield* shell.complain(`${kind}: ${name}: not found`);
        status = 1;
      }
    }
    return status;
  }
  let text = '';
  const all = kind === 'local' ? variables.localNames().sort() : variables.names();
  for (const name of all) {
    const variable = variables.own(name);
    if (!variable || (variable.compute && !flags.prints)) continue;
    if ([...flags.on].some((attribute) => !variable.attributes.has(attribute))) continue;
    if ((flags.isArray && !variable.list) || (flags.isMap && !variable.map)) continue;
    const plain =
      kind === 'local' ||
      (kind === 'declare' && !flags.prints && flags.on.size === 0 && !flags.isArray && !flags.isMap);
    if (plain && !variable.isSet) continue;
    text += plain ? `${plainly(name, variable)}\n` : `${shownAs(shell, name, variable)}\n`;
  }
  yield* shell.print(text);
  return 0;
}

function shownAs(shell: Shell, name: string, variable: Variable): string {
  if (!variable.compute) return declaration(name, variable);
  const value = variable.compute(shell.variables);
  const shown = new Variable(typeof value === 'string' ? value : undefined);
  if (typeof value !== 'string') shown.list = value;
  return declaration(name, shown);
}

/** Writes a variable the way `set` lists it. */
export function plainly(name: string, variable: Variable): string {
  if (variable.map || variable.list) return declaration(name, variable).replace(/^declare -\w+ /, '');
  const value = variable.value ?? '';
  if (/^[\w@%+=:,./-]*$/.test(value)) return `${name}=${value}`;
  const quoted = valueWord(value);
  return `${name}=${quoted.startsWith('$') ? quoted : singleQuoted(value)}`;
}

function* aboutFunctions(
  shell: Shell,
  args: readonly Argument[],
  flags: DeclareOptions,
  kind: Kind,
): Task<number> {
  const wanted = words(args);
  if (kind === 'export') {
    for (const name of wanted) {
      if (!shell.functions.has(name)) throw new ShellError(`${name}: not a function`);
      if (flags.removes) shell.exportedFunctions.delete(name);
      else shell.exportedFunctions.add(name);
    }
    return 0;
  }
  let status = 0;
  for (const name of wanted.length > 0 ? wanted : [...shell.functions.keys()].sort()) {
    const known = shell.functions.get(name);
    if (!known) status = 1;
    else if (flags.names) yield* shell.print(wanted.length > 0 ? `${name}\n` : `declare -f ${name}\n`);
    else yield* shell.print(functionText(name, known));
  }
  return status;
}

export const unset: Builtin = (shell, args) => {
  const { on, rest } = flagsOf(words(args), 'fvn', 'unset: usage: unset [-f] [-v] [-n] [name ...]');
  for (const word of rest) {
    if (on.has('f')) {
      shell.functions.delete(word);
      continue;
    }
    const place = parseReference(word);
    if (!place) {
      if (on.has('v')) throw new ShellError(`\`${word}': not a valid identifier`);
      shell.functions.delete(word);
      continue;
    }
    if (on.has('n')) shell.variables.unsetOwn(place.name);
    else if (place.subscript === '@' || place.subscript === '*') shell.variables.unset(place.name);
    else if (shell.variables.own(place.name)) shell.variables.unset(place.name, place.subscript);
    else if (!on.has('v')) shell.functions.delete(word);
  }
  return 0;
};

export const letNumbers: Builtin = (shell, args) => {
  if (args.length === 0) throw new ShellError('expression expected');
  let last: number | bigint = 0;
  for (const text of words(args)) last = evaluate(shell.variables, text);
  return last ? 0 : 1;
};
