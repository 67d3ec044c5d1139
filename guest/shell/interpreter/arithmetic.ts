import { ShellError } from './errors.ts';
import type { Reference } from './reference.ts';

/** The variables that an expression reads and assigns. */
export interface ArithmeticVariables {
  readonly unsetFails: boolean;
  get(name: string): string | undefined;
  element(name: string, subscript: string): string | undefined;
  setReference(place: Reference, value: string): void;
}

/** A 64-bit integer: a plain number while it is a safe integer, otherwise a bigint. */
export type Int = number | bigint;
type Code = (variables: ArithmeticVariables) => Int;

const KNOWN_MOST = 1000;
const known = new Map<string, Code>();
let depth = 0;

/** Evaluates an expression in which everything has been expanded. Throws {@link ShellError}. */
export function evaluate(variables: ArithmeticVariables, text: string): Int {
  if (text.length < 16 && /^(?:0|[1-9]\d*)$/.test(text)) return Number(text);
  let code = known.get(text);
  if (!code) {
    code = new Parser(text).whole();
    if (known.size > KNOWN_MOST) known.clear();
    known.set(text, code);
  }
  if (++depth > 200) {
    depth = 0;
    throw new ShellError(`${text}: expression recursion level exceeded (error token is "${text}")`, 1, true);
  }
  try {
    return code(variables);
  } finally {
    depth = Math.max(0, depth - 1);
  }
}

function int(value: Int): Int {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : int(BigInt(value));
  const wrapped = BigInt.asIntN(64, value);
  return wrapped >= -9007199254740991n && wrapped <= 9007199254740991n ? Number(wrapped) : wrapped;
}

const zero: Code = () => 0;

type Operator = (a: Int, b: Int) => Int;

const add = exact(
  (x, y) => x + y,
  (x, y) => x + y,
);

const BINARY: Readonly<Record<string, Operator>> = {
  '+': add,
  '-': exact(
    (x, y) => x - y,
    (x, y) => x - y,
  ),
  '*': exact(
    (x, y) => x * y,
    (x, y) => x * y,
  ),
  '/': dividing(
    exact(
      (x, y) => Math.trunc(x / y),
      (x, y) => x / y,
    ),
  ),
  '%': dividing(
    exact(
      (x, y) => x % y,
      (x, y) => x % y,
    ),
  ),
  '<<': (a, b) => int(BigInt(a) << (BigInt(b) & 63n)),
  '>>': (a, b) => int(BigInt(a) >> (BigInt(b) & 63n)),
  '&': (a, b) => int(BigInt(a) & BigInt(b)),
  '|': (a, b) => int(BigInt(a) | BigInt(b)),
  '^': (a, b) => int(BigInt(a) ^ BigInt(b)),
  '<': (a, b) => (a < b ? 1 : 0),
  '>': (a, b) => (a > b ? 1 : 0),
  '<=': (a, b) => (a <= b ? 1 : 0),
  '>=': (a, b) => (a >= b ? 1 : 0),
  // Every value has only one form, so a plain number never equals a bigint.
  '==': (a, b) => (a === b ? 1 : 0),
  '!=': (a, b) => (a === b ? 0 : 1),
};

/** Calculates with plain numbers as long as the result is exact. The result is never -0. */
function exact(plain: (x: number, y: number) => number, big: (x: bigint, y: bigint) => bigint): Operator {
  return (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') {
      const result = plain(a, b);
      if (Number.isSafeInteger(result)) return result === 0 ? 0 : result;
    }
    return int(big(BigInt(a), BigInt(b)));
  };
}

function dividing(divide: Operator): Operator {
  return (a, b) => {
    // This catches 0 and 0n.
    if (!b) throw new ShellError('division by 0', 1);
    return divide(a, b);
  };
}

function power(a: Int, b: Int): Int {
  if (b < 0) throw new ShellError('exponent less than 0', 1);
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a ** b)) return a ** b;
  let [result, base, exponent] = [1n, BigInt(a), BigInt(b)];
  for (; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = BigInt.asIntN(64, result * base);
    base = BigInt.asIntN(64, base * base);
  }
  return int(result);
}

/** The binary operators from the loosest to the tightest. `**` is missing because it groups to the right. */
const LEVELS: readonly (readonly string[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<=', '>=', '<', '>'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const ASSIGNING = ['=', '*=', '/=', '%=', '+=', '-=', '<<=', '>>=', '&=', '^=', '|='];
const TOKEN =
  /\s*(?:(\d+#[\w@]+|0[xX][\da-fA-F]*|\d\w*)|([A-Za-z_]\w*)|(<<=|>>=|\*\*|\+\+|--|&&|\|\||<<|>>|<=|>=|==|!=|[-+*/%&^|]=|[-+*/%&^|<>=!~?:,()[\]]))/y;

class Parser {
  readonly #text: string;
  #at = 0;
  #number: string | undefined;
  #name: string | undefined;
  #operator: string | undefined;
  #start = 0;
  #before = 0;

  constructor(text: string) {
    this.#text = text;
    this.#next();
  }

  whole(): Code {
    if (this.#isEnd()) return zero;
    const code = this.#list();
    if (!this.#isEnd()) throw this.#error('syntax error in expression');
    return code;
  }

  #isEnd(): boolean {
    return this.#number === undefined && this.#name === undefined && this.#operator === undefined;
  }

  #next(): void {
    TOKEN.lastIndex = this.#at;
    this.#before = this.#start;
    this.#start = this.#at;
    const found = TOKEN.exec(this.#text);
    [this.#number, this.#name, this.#operator] = found ? [found[1], found[2], found[3]] : [];
    if (found) this.#at = TOKEN.lastIndex;
    else if (this.#text.slice(this.#at).trim() !== '') {
      const what = /^\s*[\w.@"']/.test(this.#text.slice(this.#at))
        ? 'syntax error: invalid arithmetic operator'
        : 'syntax error: operand expected';
      throw this.#error(what);
    }
  }

  #error(message: string): ShellError {
    const here = this.#text.slice(this.#start).trimStart();
    // At the end of the text, the message names the last token, which lacks an operand.
    const rest = here || this.#text.slice(this.#before).trimStart();
    return new ShellError(`${this.#text.trimStart()}: ${message} (error token is "${rest}")`, 1);
  }

  #take(operator: string): boolean {
    if (this.#operator !== operator) return false;
    this.#next();
    return true;
  }

  #list(): Code {
    let code = this.#assignment();
    while (this.#take(',')) {
      const [before, after] = [code, this.#assignment()];
      code = (variables) => {
        before(variables);
        return after(variables);
      };
    }
    return code;
  }

  #assignment(): Code {
    const test = this.#or();
    if (!this.#take('?')) return test;
    const yes = this.#list();
    if (!this.#take(':')) throw this.#error("`:' expected for conditional expression");
    const no = this.#assignment();
    return (variables) => (test(variables) ? yes(variables) : no(variables));
  }

  #or(): Code {
    let code = this.#and();
    while (this.#take('||')) {
      const [left, right] = [code, this.#and()];
      code = (variables) => (left(variables) || right(variables) ? 1 : 0);
    }
    return code;
  }

  #and(): Code {
    let code = this.#level(0);
    while (this.#take('&&')) {
      const [left, right] = [code, this.#level(0)];
      code = (variables) => (left(variables) && right(variables) ? 1 : 0);
    }
    return code;
  }

  #level(level: number): Code {
    const operators = LEVELS[level];
    if (!operators) return this.#power();
    let code = this.#level(level + 1);
    for (;;) {
      const operator = this.#operator;
      if (operator === undefined || !operators.includes(operator)) return code;
      this.#next();
      const fault = operator === '/' || operator === '%' ? this.#error('division by 0') : undefined;
      const [left, right, apply] = [code, this.#level(level + 1), BINARY[operator] ?? (() => 0)];
      if (!fault) code = (variables) => apply(left(variables), right(variables));
      else {
        code = (variables) => {
          const [a, b] = [left(variables), right(variables)];
          if (!b) throw new ShellError(fault.message);
          return apply(a, b);
        };
      }
    }
  }

  #power(): Code {
    const base = this.#unary();
    if (!this.#take('**')) return base;
    const exponent = this.#power();
    return (variables) => power(base(variables), exponent(variables));
  }

  #unary(): Code {
    const operator = this.#operator;
    switch (operator) {
      case '!':
      case '~':
      case '-':
      case '+': {
        this.#next();
        const operand = this.#unary();
        if (operator === '!') return (variables) => (operand(variables) ? 0 : 1);
        if (operator === '~') return (variables) => int(~BigInt(operand(variables)));
        if (operator === '+') return operand;
        return (variables) => {
          const value = operand(variables);
          return value ? int(-value) : 0;
        };
      }
      case '++':
      case '--': {
        this.#next();
        if (this.#name === undefined) {
          // Two signs before anything but a name are two unary operators.
          return this.#unary();
        }
        const target = this.#target();
        const by = operator === '++' ? 1 : -1;
        return (variables) => assign(variables, target, add(read(variables, target), by));
      }
      default:
        return this.#primary();
    }
  }

  #primary(): Code {
    if (this.#take('(')) {
      const code = this.#list();
      if (!this.#take(')')) throw this.#error("missing `)'");
      return code;
    }
    if (this.#number !== undefined) {
      const value = this.#literal(this.#number);
      this.#next();
      return () => value;
    }
    if (this.#name === undefined) throw this.#error('syntax error: operand expected');
    const target = this.#target();
    const operator = this.#operator;
    if (operator === '++' || operator === '--') {
      this.#next();
      const by = operator === '++' ? 1 : -1;
      return (variables) => {
        const before = read(variables, target);
        assign(variables, target, add(before, by));
        return before;
      };
    }
    if (operator !== undefined && ASSIGNING.includes(operator)) {
      this.#next();
      const value = this.#assignment();
      const apply = BINARY[operator.slice(0, -1)];
      if (!apply) return (variables) => assign(variables, target, value(variables));
      return (variables) => {
        const right = value(variables);
        return assign(variables, target, apply(read(variables, target), right));
      };
    }
    return (variables) => read(variables, target);
  }

  #target(): Reference {
    const name = this.#name ?? '';
    if (this.#text.charAt(this.#at) !== '[') {
      this.#next();
      return { name };
    }
    let level = 0;
    let end = this.#at;
    for (; end < this.#text.length; end++) {
      const char = this.#text.charAt(end);
      if (char === '[') level++;
      if (char === ']' && --level === 0) break;
    }
    const subscript = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    this.#next();
    return { name, subscript };
  }

  #literal(text: string): Int {
    const [, base, digits] = /^(\d+)#(.*)$/.exec(text) ?? [];
    if (base !== undefined) return this.#inBase(Number(base), digits ?? '', text);
    if (/^0[xX]/.test(text)) return int(BigInt(text.length === 2 ? '0x0' : text));
    if (/^0\d+$/.test(text)) {
      if (/[89]/.test(text)) throw this.#error('value too great for base');
      return int(BigInt(`0o${text.slice(1)}`));
    }
    if (!/^\d+$/.test(text)) throw this.#error('value too great for base');
    return int(BigInt(text));
  }

  #inBase(base: number, digits: string, text: string): Int {
    if (base < 2 || base > 64)
      throw new ShellError(`${this.#text}: invalid arithmetic base (error token is "${text}")`, 1);
    const order = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_';
    let value = 0n;
    for (const char of base <= 36 ? digits.toLowerCase() : digits) {
      const digit = order.indexOf(char);
      if (digit < 0 || digit >= base) throw this.#error('value too great for base');
      value = BigInt.asIntN(64, value * BigInt(base) + BigInt(digit));
    }
    return int(value);
  }
}

function read(variables: ArithmeticVariables, { name, subscript }: Reference): Int {
  const text = subscript === undefined ? variables.get(name) : variables.element(name, subscript);
  if (text === undefined || text === '') {
    if (text === undefined && variables.unsetFails) {
      throw new ShellError(`${name}: unbound variable`, 1, true);
    }
    return 0;
  }
  const code = text.charCodeAt(0);
  if (code >= 49 && code <= 57 && text.length < 16 && !/\D/.test(text)) return Number(text);
  return evaluate(variables, text);
}

/**
 * No script means to turn these into numbers, and the value of one variable must not change which commands
 * run.
 */
const NO_NUMBERS = /^(?:PATH|IFS|ENV|HOME|PWD|OLDPWD|CDPATH|SHELL|SHELLOPTS|GLOBIGNORE|BASH\w*|PS\d|LD_\w+)$/;

function assign(variables: ArithmeticVariables, target: Reference, value: Int): Int {
  if (NO_NUMBERS.test(target.name)) throw new ShellError(`${target.name}: cannot be set by arithmetic here`);
  variables.setReference(target, String(value));
  return value;
}
