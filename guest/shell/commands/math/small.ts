import { Complaint } from '../../kit/complaint.ts';
import { encode, lineBatches, optionsOf, writing } from '../../kit/io.ts';
import { posixRegex } from '../../kit/posix-regex.ts';
import { valueOf } from '../../kit/options.ts';

/** Evaluates expressions of whole numbers and text, with one operator per word. */
export const expr = writing(async (call, out) => {
  const words = call.args[0] === '--' ? call.args.slice(1) : [...call.args];
  if (words.length === 0) throw new Complaint("missing operand\nTry 'expr --help' for more information.", 2);
  const reader = new Expression(words);
  const value = reader.value();
  await out.write(`${value}\n`);
  return value === '' || /^-?0+$/.test(value) ? 1 : 0;
});

class Expression {
  readonly #words: readonly string[];
  #at = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  value(): string {
    const value = this.#level(0);
    if (this.#at < this.#words.length)
      throw new Complaint(`syntax error: unexpected argument ‘${this.#words[this.#at] ?? ''}’`, 2);
    return value;
  }

  #level(level: number): string {
    const operators = LEVELS[level];
    if (!operators) return this.#match();
    let a = this.#level(level + 1);
    for (let op = this.#words[this.#at] ?? ''; operators.includes(op); op = this.#words[this.#at] ?? '') {
      this.#at++;
      a = apply(op, a, this.#level(level + 1));
    }
    return a;
  }

  #match(): string {
    let a = this.#primary();
    while (this.#words[this.#at] === ':') {
      this.#at++;
      a = matched(a, this.#primary());
    }
    return a;
  }

  #next(): string {
    const word = this.#words[this.#at++];
    if (word === undefined)
      throw new Complaint(`syntax error: missing argument after ‘${this.#words.at(-1) ?? ''}’`, 2);
    return word;
  }

  #primary(): string {
    const word = this.#next();
    switch (word) {
      case '(': {
        const inner = this.#level(0);
        if (this.#words[this.#at++] !== ')')
          throw new Complaint(`syntax error: expecting ')' after ‘${this.#words.at(-1) ?? ''}’`, 2);
        return inner;
      }
      case '+':
        return this.#next();
      case 'length':
        return String([...this.#primary()].length);
      case 'match':
        return matched(this.#primary(), this.#primary());
      case 'substr': {
        const text = [...this.#primary()];
        const [from, count] = [Number(this.#primary()), Number(this.#primary())];
        return from > 0 && count > 0 ? text.slice(from - 1, from - 1 + count).join('') : '';
      }
      case 'index': {
        const text = [...this.#primary()];
        const chars = this.#primary();
        return String(text.findIndex((char) => chars.includes(char)) + 1);
      }
      default:
        return word;
    }
  }
}

const LEVELS: readonly (readonly string[])[] = [
  ['|'],
  ['&'],
  ['<', '<=', '=', '==', '!=', '>=', '>'],
  ['+', '-'],
  ['*', '/', '%'],
];

function isNull(value: string): boolean {
  return value === '' || /^-?0+$/.test(value);
}

function apply(op: string, a: string, b: string): string {
  if (op === '|') return !isNull(a) ? a : !isNull(b) ? b : '0';
  if (op === '&') return isNull(a) || isNull(b) ? '0' : a;
  const numbers = /^-?\d+$/.test(a) && /^-?\d+$/.test(b);
  if (LEVELS[2]?.includes(op)) {
    const order = numbers ? Number(BigInt(a) - BigInt(b)) : a < b ? -1 : a > b ? 1 : 0;
    const holds = {
      '<': order < 0,
      '<=': order <= 0,
      '=': order === 0,
      '==': order === 0,
      '!=': order !== 0,
      '>=': order >= 0,
      '>': order > 0,
    }[op];
    return holds ? '1' : '0';
  }
  if (!numbers) throw new Complaint('non-integer argument', 2);
  const [x, y] = [BigInt(a), BigInt(b)];
  if ((op === '/' || op === '%') && y === 0n) throw new Complaint('division by zero', 2);
  const result = op === '+' ? x + y : op === '-' ? x - y : op === '*' ? x * y : op === '/' ? x / y : x % y;
  return result.toString();
}

function matched(text: string, pattern: string): string {
  const regex = posixRegex(pattern.replace(/^\^/, ''), { extended: false, escapes: 'sed' }, 'sy');
  const hit = regex.exec(text);
  if (regex.source.includes('(') && hit && hit.length > 1) return hit[1] ?? '';
  return hit ? String([...hit[0]].length) : /\\\(/.test(pattern) ? '' : '0';
}

export const factor = writing(async (call, out) => {
  const numbers = [...call.args];
  if (numbers.length === 0)
    for await (const { lines } of lineBatches(call.stdin, out))
      for (const line of lines) numbers.push(...line.split(/\s+/).filter(Boolean));
  let code = 0;
  for (const word of numbers) {
    if (!/^\+?\d+$/.test(word)) {
      await out.flush();
      await call.stderr.write(encode(`factor: ‘${word}’ is not a valid positive integer\n`));
      code = 1;
      continue;
    }
    const found: bigint[] = [];
    let left = BigInt(word);
    for (let by = 2n; by * by <= left; by += by === 2n ? 1n : 2n)
      for (; left % by === 0n; left /= by) found.push(by);
    if (left > 1n) found.push(left);
    await out.write(`${BigInt(word)}:${found.map((one) => ` ${one}`).join('')}\n`);
  }
  return code;
});

const UNITS = ['', 'K', 'M', 'G', 'T', 'P', 'E'];

/** Converts between numbers and forms with units, such as 1K. */
export const numfmt = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'd:z',
    long: [
      'to:',
      'from:',
      'to-unit:',
      'from-unit:',
      'suffix:',
      'padding:',
      'format:',
      'field:',
      'delimiter=d',
      'grouping',
      'header?',
      'round:',
      'invalid:',
    ],
  });
  const base = (name: string) => (name === 'si' ? 1000 : 1024);
  const [to, from] = [valueOf(options, 'to') ?? 'none', valueOf(options, 'from') ?? 'none'];
  const field = Number(valueOf(options, 'field') ?? 1) - 1;
  const delimiter = valueOf(options, 'd');
  const suffix = valueOf(options, 'suffix') ?? '';
  const padding = Number(valueOf(options, 'padding') ?? 0);
  const rounding = valueOf(options, 'round') ?? 'from-zero';
  const round = (value: number) =>
    rounding === 'down'
      ? Math.floor(value)
      : rounding === 'nearest'
        ? Math.round(value)
        : rounding === 'towards-zero'
          ? Math.trunc(value)
          : Math.ceil(value);
  const convert = (word: string): string => {
    const [, digits, unit = ''] =
      /^(-?\d+(?:\.\d+)?)([KMGTPE]?)i?(.*)$/.exec(word.replace(new RegExp(`${suffix}$`), '')) ?? [];
    if (digits === undefined || (unit !== '' && from === 'none'))
      throw new Complaint(
        `${digits === undefined ? 'invalid number' : 'rejecting suffix in input'}: ‘${word}’${digits === undefined ? '' : ' (consider using --from)'}`,
        2,
      );
    const scale = from === 'auto' ? (word.includes('i') ? 1024 : 1000) : base(from);
    let value = Number(digits) * scale ** UNITS.indexOf(unit) * Number(valueOf(options, 'from-unit') ?? 1);
    value /= Number(valueOf(options, 'to-unit') ?? 1);
    let text: string;
    if (to === 'none') text = String(Math.abs(value) % 1 === 0 ? value : Number(value.toFixed(6)));
    else {
      let power = 0;
      while (Math.abs(value) >= base(to) && power < 6) [value, power] = [value / base(to), power + 1];
      let shown = power > 0 && Math.abs(value) < 10 ? round(value * 10) / 10 : round(value);
      if (Math.abs(shown) >= base(to) && power < 6) [shown, power] = [shown / base(to), power + 1];
      text =
        (power > 0 && Math.abs(shown) < 10 ? shown.toFixed(1) : String(shown)) +
        (UNITS[power] ?? '') +
        (to === 'iec-i' && power > 0 ? 'i' : '');
    }
    if (options.has.has('grouping')) text = text.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
    text += suffix;
    return padding < 0 ? text.padEnd(-padding) : text.padStart(padding);
  };
  const line = (text: string) => {
    const parts =
      delimiter === undefined
        ? text.split(/([ \t]+)/)
        : text.split(delimiter).flatMap((part, at) => (at > 0 ? [delimiter, part] : [part]));
    const at = (delimiter === undefined && parts[0] === '' ? 2 : 0) + field * 2;
    const word = parts[at];
    if (word !== undefined && word !== '') parts[at] = convert(word);
    return parts.join('');
  };
  if (options.operands.length > 0) {
    for (const word of options.operands) await out.write(`${convert(word)}\n`);
    return 0;
  }
  let header = options.has.has('header') ? Number(valueOf(options, 'header') || 1) : 0;
  for await (const { lines } of lineBatches(call.stdin, out))
    for (const text of lines) await out.write(`${header-- > 0 ? text : line(text)}\n`);
  return 0;
});
