import { binary, unary } from '../conditions.ts';
import { ShellError } from '../errors.ts';
import type { Shell } from '../shell.ts';
import type { Task } from '../task.ts';
import { words, type Builtin } from './builtin.ts';

export const test: Builtin = function* (shell, args) {
  return (yield* new Test(shell, words(args)).whole()) ? 0 : 1;
};

export const bracket: Builtin = function* (shell, args) {
  const all = words(args);
  if (all.pop() !== ']') throw new ShellError("missing `]'", 2);
  return (yield* new Test(shell, all).whole()) ? 0 : 1;
};

const BINARY = new Set([
  '=',
  '==',
  '!=',
  '<',
  '>',
  '-eq',
  '-ne',
  '-lt',
  '-le',
  '-gt',
  '-ge',
  '-nt',
  '-ot',
  '-ef',
]);
const UNARY = /^-[abcdefghknoprstuvwxzGLNORS]$/;

/** Evaluates a test; as in POSIX, the number of arguments decides what they mean. */
class Test {
  readonly #shell: Shell;
  readonly #args: readonly string[];
  #at = 0;

  constructor(shell: Shell, args: readonly string[]) {
    this.#shell = shell;
    this.#args = args;
  }

  *whole(): Task<boolean> {
    const [a = '', b = '', c = '', d = ''] = this.#args;
    switch (this.#args.length) {
      case 0:
        return false;
      case 1:
        return a !== '';
      case 2:
        if (a === '!') return b === '';
        if (UNARY.test(a)) return yield* unary(this.#shell, a, b);
        throw new ShellError(`${a}: unary operator expected`, 2);
      case 3:
        if (BINARY.has(b)) return yield* binary(this.#shell, a, b, c, false);
        if (b === '-a') return a !== '' && c !== '';
        if (b === '-o') return a !== '' || c !== '';
        if (a === '!') return !(yield* new Test(this.#shell, [b, c]).whole());
        if (a === '(' && c === ')') return b !== '';
        throw new ShellError(`${b}: binary operator expected`, 2);
      case 4:
        if (a === '!') return !(yield* new Test(this.#shell, [b, c, d]).whole());
        if (a === '(' && d === ')') return yield* new Test(this.#shell, [b, c]).whole();
    }
    const result = yield* this.#or();
    if (this.#at < this.#args.length) throw new ShellError('too many arguments', 2);
    return result;
  }

  *#or(): Task<boolean> {
    let result = yield* this.#and();
    while (this.#args[this.#at] === '-o') {
      this.#at++;
      const right = yield* this.#and();
      result ||= right;
    }
    return result;
  }

  *#and(): Task<boolean> {
    let result = yield* this.#not();
    while (this.#args[this.#at] === '-a') {
      this.#at++;
      const right = yield* this.#not();
      result &&= right;
    }
    return result;
  }

  *#not(): Task<boolean> {
    if (this.#args[this.#at] !== '!') return yield* this.#primary();
    this.#at++;
    return !(yield* this.#not());
  }

  *#primary(): Task<boolean> {
    const [a, b, c] = this.#args.slice(this.#at, this.#at + 3);
    if (a === undefined) throw new ShellError('argument expected', 2);
    if (b !== undefined && c !== undefined && BINARY.has(b)) {
      this.#at += 3;
      return yield* binary(this.#shell, a, b, c, false);
    }
    if (a === '(') {
      this.#at++;
      const result = yield* this.#or();
      if (this.#args[this.#at] !== ')') throw new ShellError("`)' expected", 2);
      this.#at++;
      return result;
    }
    if (UNARY.test(a) && b !== undefined) {
      this.#at += 2;
      return yield* unary(this.#shell, a, b);
    }
    this.#at++;
    return a !== '';
  }
}
