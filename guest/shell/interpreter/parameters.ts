import { decode, encode } from '../kit/io.ts';
import { evaluate } from './arithmetic.ts';
import { PatternText, type Builder } from './builders.ts';
import { ShellError } from './errors.ts';
import { add, addPieces, expandPattern, expandText, joinerOf } from './expand.ts';
import { matches, patternSource, regexOf } from './patterns.ts';
import { attributeLetters, declaration, quoteWord, valueWord } from './quoting.ts';
import { OPTION_LETTERS, type Shell } from './shell.ts';
import type { Task } from './task.ts';
import { piecesOfBody, type Operation, type Parameter } from './words.ts';
import { isName, parseReference } from './reference.ts';

/** A single value, no value, or all values of `$@`, `$*` or a whole array. */
type Value = string | undefined | { readonly all: readonly string[]; readonly isStar: boolean };

export function* addParameter(
  shell: Shell,
  builder: Builder,
  parameter: Parameter,
  quoted: boolean,
): Task<void> {
  if (!parameter.operation && !parameter.prefix && !parameter.index) {
    const value = simple(shell, parameter.name);
    if (typeof value === 'string') return add(builder, value, quoted);
    if (value === undefined) {
      if (shell.on('nounset')) throw unbound(shell, parameter.name);
      return;
    }
    return addAll(shell, builder, value, quoted);
  }
  yield* addOperated(shell, builder, parameter, quoted);
}

function addAll(
  shell: Shell,
  builder: Builder,
  { all, isStar }: { readonly all: readonly string[]; readonly isStar: boolean },
  quoted: boolean,
): void {
  if (isStar && quoted) {
    builder.quoted(all.join(joinerOf(shell)));
    return;
  }
  all.forEach((value, index) => {
    if (index > 0) builder.separate(isStar, quoted);
    if (quoted) builder.quoted(value);
    else builder.expanded(value);
  });
}

function unbound(shell: Shell, name: string): ShellError {
  return new ShellError(`${name}: unbound variable`, fatalStatus(shell), true);
}

/** A fatal error ends `bash -c` with another status than a script. */
function fatalStatus(shell: Shell): number {
  return shell.source.name === undefined && shell.subshells === 0 && !shell.on('errexit') ? 127 : 1;
}

function simple(shell: Shell, name: string): Value {
  switch (name) {
    case '@':
    case '*':
      return { all: shell.args, isStar: name === '*' };
    case '#':
      return String(shell.args.length);
    case '?':
      return String(shell.status);
    case '$':
      return String(shell.pid);
    case '!':
      return shell.lastJob === 0 ? '' : String(shell.lastJob);
    case '-':
      return optionFlags(shell);
    case '_':
      return shell.lastArg;
    case '0':
      return shell.name;
  }
  const code = name.charCodeAt(0);
  if (code >= 49 && code <= 57) return shell.args[Number(name) - 1];
  return shell.variables.get(name);
}

function optionFlags(shell: Shell): string {
  let flags = '';
  for (const [letter, name] of Object.entries(OPTION_LETTERS)) if (shell.on(name)) flags += letter;
  return `${flags}${shell.isInteractive ? 'i' : shell.source.name === undefined ? 'c' : ''}`;
}

function* valueOf(shell: Shell, parameter: Parameter): Task<Value> {
  const { name, index } = parameter;
  if (!index) return simple(shell, name);
  if (index.text === '@' || index.text === '*') {
    return { all: shell.variables.values(name), isStar: index.text === '*' };
  }
  const subscript = yield* expandText(shell, index.word);
  try {
    return shell.variables.element(name, subscript);
  } catch (error) {
    if (!(error instanceof ShellError) || !error.message.endsWith('bad array subscript')) throw error;
    yield* shell.complain(`${name}: bad array subscript`);
    return undefined;
  }
}

function* addOperated(shell: Shell, builder: Builder, parameter: Parameter, quoted: boolean): Task<void> {
  const { name, prefix, operation } = parameter;
  if (prefix === '#') {
    add(builder, String(yield* lengthOf(shell, parameter)), quoted);
    return;
  }
  if (prefix === '!') {
    if (operation?.type === 'Names') {
      const all = shell.variables
        .names()
        .filter((each) => each.startsWith(name) && shell.variables.own(each)?.isSet);
      return addAll(shell, builder, { all, isStar: operation.operator === '*' }, quoted);
    }
    if (parameter.index && /^[@*]$/.test(parameter.index.text)) {
      const all = shell.variables.entries(name).map(([key]) => key);
      return addAll(shell, builder, { all, isStar: parameter.index.text === '*' }, quoted);
    }
    const own = shell.variables.own(name);
    if (own?.attributes.has('nameref') && !parameter.index) return add(builder, own.value ?? '', quoted);
    return yield* addOperated(shell, builder, yield* indirect(shell, parameter), quoted);
  }
  const value = yield* valueOf(shell, parameter);
  if (!operation) {
    if (value === undefined && shell.on('nounset'))
      throw unbound(shell, parameter.text.replace(/^\$\{|\}$/g, ''));
    if (value !== undefined) addValue(shell, builder, value, quoted);
    return;
  }
  if (operation.type === 'Default')
    return yield* addDefault(shell, builder, parameter, operation, value, quoted);
  if (value === undefined && shell.on('nounset')) throw unbound(shell, name);
  const changed = yield* change(shell, parameter, operation, value);
  if (changed !== undefined) addValue(shell, builder, changed, quoted);
}

function addValue(shell: Shell, builder: Builder, value: Exclude<Value, undefined>, quoted: boolean): void {
  if (typeof value === 'string') add(builder, value, quoted);
  else addAll(shell, builder, value, quoted);
}

/** Resolves `${!name}` to the parameter that it names. */
function* indirect(shell: Shell, parameter: Parameter): Task<Parameter> {
  const target = yield* valueOf(shell, parameter);
  const text = typeof target === 'object' ? target.all.join(' ') : target;
  if (text === undefined || text === '')
    throw new ShellError(`${parameter.name}: invalid indirect expansion`, 1, true);
  if (/^(?:\d+|[@*#?$!-])$/.test(text))
    return { ...parameter, name: text, prefix: undefined, index: undefined };
  const place = parseReference(text);
  if (!place) throw new ShellError(`${text}: invalid variable name`, 1, true);
  const index =
    place.subscript === undefined
      ? undefined
      : { text: place.subscript, word: { pieces: piecesOfBody(place.subscript), plain: undefined } };
  return { ...parameter, name: place.name, prefix: undefined, index };
}

function* lengthOf(shell: Shell, parameter: Parameter): Task<number> {
  const value = yield* valueOf(shell, parameter);
  if (typeof value === 'object') return value.all.length;
  if (value === undefined && shell.on('nounset')) throw unbound(shell, parameter.name);
  return countsBytes(shell) ? encode(value ?? '').length : lengthInCharacters(value ?? '');
}

/** Whether the locale counts bytes as characters. */
function countsBytes({ variables }: Shell): boolean {
  const name = variables.get('LC_ALL') || variables.get('LC_CTYPE') || variables.get('LANG');
  return name === 'C' || name === 'POSIX';
}

function lengthInCharacters(text: string): number {
  return /^[\x00-\x7f]*$/.test(text) ? text.length : [...text].length;
}

function* addDefault(
  shell: Shell,
  builder: Builder,
  parameter: Parameter,
  operation: Operation,
  value: Value,
  quoted: boolean,
): Task<void> {
  const { operator } = operation;
  const isList = typeof value === 'object';
  const isMissing = isList
    ? value.all.length === 0 || (operator.startsWith(':') && value.all.join('') === '')
    : value === undefined || (operator.startsWith(':') && value === '');
  switch (operator.replace(':', '')) {
    case '+':
      if (isMissing) return;
      break;
    case '-':
      if (!isMissing) return value === undefined ? undefined : addValue(shell, builder, value, quoted);
      break;
    case '=': {
      if (!isMissing) return value === undefined ? undefined : addValue(shell, builder, value, quoted);
      const text = yield* expandText(shell, operation.operand);
      if (!isName(parameter.name))
        throw new ShellError(`$${parameter.name}: cannot assign in this way`, 1, true);
      if (parameter.index)
        shell.variables.setElement(parameter.name, yield* expandText(shell, parameter.index.word), text);
      else shell.variables.set(parameter.name, text);
      add(builder, text, quoted);
      return;
    }
    default: {
      if (!isMissing) return value === undefined ? undefined : addValue(shell, builder, value, quoted);
      const text = yield* expandText(shell, operation.operand);
      const usual = operator.startsWith(':') ? 'parameter null or not set' : 'parameter not set';
      throw new ShellError(`${parameter.name}: ${text || usual}`, fatalStatus(shell), true);
    }
  }
  if (quoted) {
    yield* addPieces(shell, builder, operation.operand.pieces);
    return;
  }
  // Unquoted text of the operand is split into words like any expansion.
  const pieces = operation.operand.pieces;
  for (const piece of pieces) {
    if (piece.kind === 'text' && !piece.quoted) builder.expanded(piece.text);
    else yield* addPieces(shell, builder, [piece]);
  }
}

function* change(shell: Shell, parameter: Parameter, operation: Operation, value: Value): Task<Value> {
  switch (operation.type) {
    case 'Slice':
      return yield* slice(shell, parameter, operation, value);
    case 'Remove': {
      const pattern = yield* expandPattern(shell, operation.operand);
      return each(value, (text) => removed(text, pattern, operation.operator));
    }
    case 'Replace': {
      const pattern = yield* expandPattern(shell, operation.operand);
      const replacement = yield* replacementOf(shell, operation);
      return each(value, (text) => replaced(shell, text, pattern, replacement, operation.operator));
    }
    case 'CaseModification': {
      const pattern = yield* expandPattern(shell, operation.operand);
      return each(value, (text) => inCase(text, pattern, operation.operator));
    }
    case 'Transform':
      return transformed(shell, parameter, yield* expandText(shell, operation.operand), value);
    default:
      throw new ShellError(`${parameter.text}: bad substitution`, 1, true);
  }
}

function each(value: Value, apply: (text: string) => string): Value {
  if (typeof value === 'object') return { all: value.all.map(apply), isStar: value.isStar };
  return apply(value ?? '');
}

function* slice(shell: Shell, parameter: Parameter, operation: Operation, value: Value): Task<Value> {
  const number = function* (form: Operation['operand']): Task<number> {
    return Number(evaluate(shell.variables, form.plain ?? (yield* expandText(shell, form))));
  };
  const offset = yield* number(operation.operand);
  const length = operation.second && (yield* number(operation.second));
  if (typeof value === 'object') {
    const isArgs = parameter.name === '@' || parameter.name === '*';
    if (length !== undefined && length < 0) throw new ShellError(`${length}: substring expression < 0`);
    if (isArgs) {
      const all = [shell.name, ...value.all];
      const start = offset < 0 ? all.length + offset : offset;
      if (start < 0) return { all: [], isStar: value.isStar };
      // The list includes $0, which counts only for an offset of 0.
      return {
        all: all.slice(start, length === undefined ? undefined : start + length),
        isStar: value.isStar,
      };
    }
    const entries = shell.variables.entries(parameter.name);
    const last = Number(entries.at(-1)?.[0] ?? -1);
    const isMap = shell.variables.find(parameter.name)?.map !== undefined;
    const start = offset < 0 ? (isMap ? entries.length : last + 1) + offset : offset;
    const from =
      start < 0
        ? []
        : isMap
          ? entries.slice(Math.max(0, start - 1))
          : entries.filter(([key]) => Number(key) >= start);
    return { all: from.slice(0, length).map(([, each]) => each), isStar: value.isStar };
  }
  const { size, part } = countsBytes(shell) ? inBytes(value ?? '') : inCharacters(value ?? '');
  const start = offset < 0 ? size + offset : offset;
  if (start < 0 || start > size) return '';
  if (length === undefined) return part(start, size);
  const end = length < 0 ? size + length : start + length;
  if (end < start) throw new ShellError(`${operation.second?.plain ?? length}: substring expression < 0`);
  return part(start, end);
}

interface Sliceable {
  readonly size: number;
  readonly part: (start: number, end: number) => string;
}

function inBytes(text: string): Sliceable {
  const bytes = encode(text);
  return { size: bytes.length, part: (start, end) => decode(bytes.subarray(start, end)) };
}

function inCharacters(text: string): Sliceable {
  const chars = [...text];
  return { size: chars.length, part: (start, end) => chars.slice(start, end).join('') };
}

function removed(text: string, pattern: string, operator: string): string {
  const isLong = operator.length === 2;
  if (!/[\\*?[(]/.test(pattern)) {
    if (operator.startsWith('#')) return text.startsWith(pattern) ? text.slice(pattern.length) : text;
    return text.endsWith(pattern) ? text.slice(0, text.length - pattern.length) : text;
  }
  if (operator.startsWith('#')) {
    const found = regexOf(`^(?:${patternSource(pattern, { lazy: !isLong })})`).exec(text);
    return found ? text.slice(found[0].length) : text;
  }
  const found = regexOf(`^([^]*${isLong ? '?' : ''})(?:${patternSource(pattern)})$`).exec(text);
  return found ? (found[1] ?? '') : text;
}

/** In a replacement, `&` stands for the match unless it is quoted. */
function* replacementOf(shell: Shell, operation: Operation): Task<(matched: string) => string> {
  const second = operation.second;
  if (!second) return () => '';
  if (second.plain !== undefined && !/[&\\]/.test(second.plain)) {
    const { plain } = second;
    return () => plain;
  }
  const builder = new PatternText((quoted) => quoted.replace(/[\\&]/g, '\\$&'));
  yield* addPieces(shell, builder, second.pieces);
  const parts = builder.text.split(/(?<!\\)((?:\\\\)*)&/);
  const text = (part: string) => part.replace(/\\([\\&])/g, '$1');
  const texts = parts.map(text);
  return (matched) => {
    let result = texts[0] ?? '';
    for (let at = 1; at < texts.length; at += 2)
      result += (texts[at] ?? '') + matched + (texts[at + 1] ?? '');
    return result;
  };
}

function replaced(
  shell: Shell,
  text: string,
  pattern: string,
  replacement: (matched: string) => string,
  operator: string,
): string {
  if (pattern === '') {
    if (operator === '/#') return replacement('') + text;
    return operator === '/%' ? text + replacement('') : text;
  }
  const ignoreCase = shell.shopt.get('nocasematch') === true;
  const source = patternSource(pattern);
  if (operator === '/#') return text.replace(regexOf(`^(?:${source})`, ignoreCase), replacement);
  if (operator === '/%') {
    const found = regexOf(`^([^]*?)(${source})$`, ignoreCase).exec(text);
    return found ? (found[1] ?? '') + replacement(found[2] ?? '') : text;
  }
  const regex = regexOf(source, ignoreCase);
  if (operator === '/') return text.replace(regex, replacement);
  return text.replace(new RegExp(regex.source, `${regex.flags}g`), (matched) =>
    matched === '' ? '' : replacement(matched),
  );
}

function inCase(text: string, pattern: string, operator: string): string {
  const fits = (char: string) => pattern === '' || matches(char, pattern);
  const turn = (char: string) => {
    if (!fits(char)) return char;
    if (operator.startsWith('^')) return upper(char);
    if (operator.startsWith(',')) return char.toLowerCase();
    return upper(char) === char ? char.toLowerCase() : upper(char);
  };
  const chars = [...text];
  if (operator.length === 2) return chars.map(turn).join('');
  return chars.length === 0 ? '' : turn(chars[0] ?? '') + chars.slice(1).join('');
}

/** Keeps one character one character: `ß` has no capital in bash. */
function upper(char: string): string {
  const turned = char.toUpperCase();
  return [...turned].length === 1 ? turned : char;
}

function transformed(shell: Shell, parameter: Parameter, letter: string, value: Value): Value {
  const variable = shell.variables.find(parameter.name);
  switch (letter) {
    case 'Q':
      return value === undefined ? undefined : each(value, (text) => quoteWord(text, true));
    case 'U':
      return each(value, (text) => inCase(text, '', '^^'));
    case 'u':
      return each(value, (text) => inCase(text, '', '^'));
    case 'L':
      return each(value, (text) => text.toLowerCase());
    case 'E':
      return each(value, unescapeAnsi);
    case 'P':
      return each(value, (text) => text);
    case 'a':
      return variable ? attributeLetters(variable) : undefined;
    case 'A':
      return variable ? declaration(parameter.name, variable, true) : undefined;
    case 'K':
    case 'k': {
      const pairs = shell.variables.entries(parameter.name);
      if (typeof value !== 'object') return value === undefined ? undefined : quoteWord(value, true);
      if (letter === 'k') return { all: pairs.flat(), isStar: value.isStar };
      return {
        all: [pairs.map(([key, each]) => `${quoteKey(key)} ${valueWord(each)}`).join(' ')],
        isStar: value.isStar,
      };
    }
    default:
      throw new ShellError(`${parameter.text}: bad substitution`, 1, true);
  }
}

function quoteKey(key: string): string {
  return /^[\w.-]+$/.test(key) ? key : quoteWord(key, true);
}

/** Replaces the escapes of `$'...'`. */
export function unescapeAnsi(text: string): string {
  return text.replace(
    /\\(?:([abeEfnrtv\\'"?])|([0-7]{1,3})|x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|c([^]))/g,
    (all, letter?: string, octal?: string, hex?: string, small?: string, long?: string, control?: string) => {
      if (letter !== undefined) return ESCAPES[letter] ?? letter;
      if (octal !== undefined) return byteText(Number.parseInt(octal, 8) & 255);
      if (hex !== undefined) return byteText(Number.parseInt(hex, 16));
      const code = small ?? long;
      if (code !== undefined) return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, 16)));
      return control === undefined ? all : String.fromCharCode(control.toUpperCase().charCodeAt(0) & 31);
    },
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function byteText(byte: number): string {
  return String.fromCharCode(byte < 128 ? byte : 0xdc00 + byte);
}
