import type { TestExpression } from 'unbash';
import { isFileError } from '../files.ts';
import { evaluate } from './arithmetic.ts';
import { streamNumber } from './descriptors.ts';
import { ShellError } from './errors.ts';
import { expandPattern, expandRegex, expandText } from './expand.ts';
import { matches, patternSource } from './patterns.ts';
import type { Shell } from './shell.ts';
import { wait, type Task } from './task.ts';
import { compile } from './words.ts';
import { parseReference } from './reference.ts';
import { traceText, traceWord } from './trace.ts';

/** Runs `[[ ... ]]`: 0 where the condition is true, 1 where it is false. */
export function* testCondition(shell: Shell, node: TestExpression): Task<number> {
  return (yield* holds(shell, node)) ? 0 : 1;
}

function* holds(shell: Shell, node: TestExpression): Task<boolean> {
  switch (node.type) {
    case 'TestGroup':
      return yield* holds(shell, node.expression);
    case 'TestNot': {
      const result = yield* holds(shell, node.operand);
      return node.negations.length % 2 === 1 ? !result : result;
    }
    case 'TestLogical':
      for (const operand of node.operands) {
        const result = yield* holds(shell, operand);
        if (result !== (node.operator === '&&')) return result;
      }
      return node.operator === '&&';
    case 'TestUnary': {
      const operand = yield* expandText(shell, compile(node.operand, 'assignment'));
      if (shell.on('xtrace')) yield* traceText(shell, `[[ ${node.operator} ${traceWord(operand)} ]]`);
      return yield* unary(shell, node.operator, operand);
    }
    case 'TestBinary': {
      const left = yield* expandText(shell, compile(node.left, 'assignment'));
      const ignoreCase = shell.shopt.get('nocasematch') === true;
      if (shell.on('xtrace')) {
        const shown = traceWord(yield* expandText(shell, compile(node.right, 'assignment')));
        yield* traceText(shell, `[[ ${traceWord(left)} ${node.operator} ${shown} ]]`);
      }
      switch (node.operator) {
        case '=':
        case '==':
          return matches(left, yield* expandPattern(shell, compile(node.right, 'pattern')), ignoreCase);
        case '!=':
          return !matches(left, yield* expandPattern(shell, compile(node.right, 'pattern')), ignoreCase);
        case '=~':
          return matchesRegex(
            shell,
            left,
            yield* expandRegex(shell, compile(node.right, 'pattern')),
            ignoreCase,
          );
      }
      const right = yield* expandText(shell, compile(node.right, 'assignment'));
      return yield* binary(shell, left, node.operator, right, true);
    }
  }
}

function matchesRegex(shell: Shell, text: string, source: string, ignoreCase: boolean): boolean {
  let regex: RegExp;
  try {
    regex = new RegExp(extendedRegex(source), ignoreCase ? 'iu' : 'u');
  } catch {
    throw new ShellError('', 2);
  }
  const found = regex.exec(text);
  const groups = found ? found.map((group) => group ?? '') : [];
  shell.variables.setList('BASH_REMATCH', groups);
  return found !== null;
}

/** Translates a POSIX extended regular expression to JavaScript. */
function extendedRegex(source: string): string {
  let result = '';
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '\\') {
      const next = source.charAt(++at);
      if (/[<>]/.test(next)) result += next === '<' ? '\\b(?=\\w)' : '\\b(?<=\\w)';
      else if (/[bBwWsS]/.test(next)) result += `\\${next}`;
      else result += /[\\^$.*+?()[\]{}|/]/.test(next) ? `\\${next}` : next;
    } else if (char === '[') {
      const end = bracketEnd(source, at);
      if (end < 0) return `${result}[`;
      // The sets are those of patterns, except that a backslash is an ordinary character here.
      const set = source
        .slice(at, end + 1)
        .replaceAll('\\', '\\\\')
        .replace(/^\[\^/, '[!');
      result += patternSource(set);
      at = end;
    } else if (char === '.') result += '[^]';
    else if (char === '{' && !/^\{\d*,?\d*\}/.test(source.slice(at))) result += '\\{';
    else if (char === '}' && !/\{\d*,?\d*$/.test(source.slice(0, at))) result += '\\}';
    else if (char === ']') result += '\\]';
    else result += char;
  }
  return result;
}

function bracketEnd(source: string, open: number): number {
  let at = open + 1;
  if (source.charAt(at) === '^') at++;
  if (source.charAt(at) === ']') at++;
  for (; at < source.length; at++) {
    if (source.charAt(at) === '[' && /[:.=]/.test(source.charAt(at + 1))) {
      const close = source.indexOf(`${source.charAt(at + 1)}]`, at + 2);
      if (close < 0) return -1;
      at = close + 1;
    } else if (source.charAt(at) === ']') return at;
  }
  return -1;
}

const FILE_TESTS = 'abcdefghkprstuwxGLNOS';

/** Evaluates a unary test such as `-f name`. */
export function* unary(shell: Shell, operator: string, operand: string): Task<boolean> {
  switch (operator) {
    case '-z':
      return operand === '';
    case '-n':
      return operand !== '';
    case '-v':
      return isSet(shell, operand);
    case '-R':
      return shell.variables.own(operand)?.attributes.has('nameref') === true;
    case '-o':
      return shell.options.get(operand) === true;
    case '-t':
      return shell.fds.get(Number(operand))?.isTerminal === true;
  }
  if (!FILE_TESTS.includes(operator.charAt(1)))
    throw new ShellError(`${operator}: unary operator expected`, 2);
  return yield* fileTest(shell, operator.charAt(1), operand);
}

function isSet(shell: Shell, name: string): boolean {
  if (/^\d+$/.test(name)) return name === '0' || shell.args[Number(name) - 1] !== undefined;
  const place = parseReference(name);
  if (!place) return false;
  if (place.subscript === undefined) return shell.variables.get(place.name) !== undefined;
  if (place.subscript === '@' || place.subscript === '*')
    return shell.variables.values(place.name).length > 0;
  return shell.variables.element(place.name, place.subscript) !== undefined;
}

function* fileTest(shell: Shell, letter: string, name: string): Task<boolean> {
  if (name === '') return false;
  yield* shell.world.flush();
  const stream = streamNumber(name);
  if (stream !== undefined) return shell.fds.get(stream) !== undefined && 'aerwp'.includes(letter);
  if (/^\/dev\/(?:null|zero|tty|full|u?random)$/.test(name)) return 'aerwc'.includes(letter);
  const path = shell.absolute(name);
  const { files } = shell.world;
  try {
    const stat = yield* wait(letter === 'L' || letter === 'h' ? files.lstat(path) : files.stat(path));
    if (name.endsWith('/') && !stat.isDirectory) return false;
    switch (letter) {
      case 'f':
        return stat.isFile;
      case 'd':
        return stat.isDirectory;
      case 'L':
      case 'h':
        return stat.isSymbolicLink;
      case 's':
        return stat.size > 0 || stat.isDirectory;
      case 'r':
        return (stat.mode & 0o444) !== 0;
      case 'w':
        return (stat.mode & 0o222) !== 0;
      case 'x':
        return stat.isDirectory || (stat.mode & 0o111) !== 0;
      case 'k':
        return (stat.mode & 0o1000) !== 0;
      case 'g':
        return (stat.mode & 0o2000) !== 0;
      case 'u':
        return (stat.mode & 0o4000) !== 0;
      case 'b':
      case 'c':
      case 'p':
      case 'S':
      case 't':
        return false;
      default:
        return true;
    }
  } catch (error) {
    if (!isFileError(error)) throw error;
    return false;
  }
}

/** Evaluates a binary test such as `a -nt b`. Numbers may be arithmetic expressions in `[[ ]]` only. */
export function* binary(
  shell: Shell,
  left: string,
  operator: string,
  right: string,
  isArithmetic: boolean,
): Task<boolean> {
  switch (operator) {
    case '=':
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '-nt':
    case '-ot':
    case '-ef':
      return yield* compareFiles(shell, left, operator, right);
  }
  const number = (text: string) => (isArithmetic ? evaluate(shell.variables, text) : integer(text));
  const [a, b] = [number(left), number(right)];
  switch (operator) {
    case '-eq':
      return a === b;
    case '-ne':
      return a !== b;
    case '-lt':
      return a < b;
    case '-le':
      return a <= b;
    case '-gt':
      return a > b;
    case '-ge':
      return a >= b;
    default:
      throw new ShellError(`${operator}: binary operator expected`, 2);
  }
}

function integer(text: string): number | bigint {
  if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new ShellError(`${text}: integer expression expected`, 2);
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text.trim().replace(/^\+/, ''));
}

function* compareFiles(shell: Shell, left: string, operator: string, right: string): Task<boolean> {
  const { files } = shell.world;
  yield* shell.world.flush();
  const look = function* (name: string): Task<{ readonly time: number; readonly path: string } | undefined> {
    try {
      const path = shell.absolute(name);
      const { mtime, inode } = yield* wait(files.stat(path));
      const real = operator === '-ef' ? yield* wait(files.realpath(path)) : path;
      return { time: mtime.getTime(), path: inode === undefined ? real : String(inode) };
    } catch (error) {
      if (!isFileError(error)) throw error;
      return undefined;
    }
  };
  const [a, b] = [yield* look(left), yield* look(right)];
  if (operator === '-ef') return a !== undefined && a.path === b?.path;
  if (operator === '-nt') return a !== undefined && (!b || a.time > b.time);
  return b !== undefined && (!a || a.time < b.time);
}
