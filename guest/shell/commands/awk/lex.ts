import { Complaint } from '../../kit/complaint.ts';

export interface Token {
  readonly kind:
    'number' | 'string' | 'regex' | 'name' | 'call' | 'builtin' | 'keyword' | 'newline' | 'end' | 'op';
  readonly text: string;
  readonly line: number;
  readonly value?: number;
}

const KEYWORDS = new Set(
  'BEGIN END function func if else while for do break continue next nextfile exit return delete in getline print printf switch case default'.split(
    ' ',
  ),
);

export const BUILTINS: ReadonlySet<string> = new Set(
  (
    'length substr index split sub gsub gensub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper ' +
    'system close fflush strftime systime mktime asort asorti and or xor lshift rshift compl strtonum patsplit isarray typeof'
  ).split(' '),
);

const OPERATORS =
  /\*\*=|\+\+|--|\+=|-=|\*=|\/=|%=|\^=|\*\*|==|<=|>=|!=|!~|&&|\|\||>>|\|&|[{}()[\];,+\-*/%^!<>|?:~$=]/y;

const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const NAME = /[A-Za-z_]\w*/y;

/**
 * Splits a program into tokens. A slash after an operand is a division; elsewhere it begins a regular
 * expression.
 */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  const take = (expression: RegExp): string | undefined => {
    expression.lastIndex = at;
    const found = expression.exec(source)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const add = (kind: Token['kind'], text: string, value?: number) =>
    tokens.push({ kind, text, line, ...(value !== undefined && { value }) });
  const afterOperand = () => {
    const last = tokens.at(-1);
    if (!last) return false;
    if (last.kind === 'op') return [')', ']', '$', '++', '--'].includes(last.text);
    return (
      last.kind === 'number' || last.kind === 'string' || last.kind === 'name' || last.kind === 'builtin'
    );
  };
  while (at < source.length) {
    const char = source.charAt(at);
    if (char === ' ' || char === '\t' || char === '\r') at++;
    else if (char === '\\' && /^\\\r?\n/.test(source.slice(at, at + 3))) {
      at = source.indexOf('\n', at) + 1;
      line++;
    } else if (char === '#') {
      const end = source.indexOf('\n', at);
      at = end < 0 ? source.length : end;
    } else if (char === '\n') {
      add('newline', '\n');
      at++;
      line++;
    } else if (char === '"') {
      const [text, end] = stringAt(source, at + 1, line);
      add('string', text);
      at = end;
    } else if (char === '/' && !afterOperand()) {
      const [text, end] = regexAt(source, at + 1, line);
      add('regex', text);
      at = end;
    } else {
      const number = take(NUMBER);
      if (number !== undefined) {
        add('number', number, /^0[0-7]+$/.test(number) ? parseInt(number, 8) : Number(number));
        continue;
      }
      const name = take(NAME);
      if (name !== undefined) {
        if (KEYWORDS.has(name)) add('keyword', name);
        else if (BUILTINS.has(name)) add('builtin', name);
        else add(source.charAt(at) === '(' ? 'call' : 'name', name);
        continue;
      }
      const operator = take(OPERATORS);
      if (operator === undefined) throw new Complaint(`cmd. line:${line}: syntax error at \`${char}'`);
      add('op', operator === '**' ? '^' : operator === '**=' ? '^=' : operator);
    }
  }
  add('newline', '\n');
  add('end', 'end of program');
  return tokens;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  f: '\f',
  v: '\v',
  a: '\x07',
  b: '\b',
  '\\': '\\',
  '"': '"',
  '/': '/',
};

/** Replaces the escapes of strings. Unknown escapes stay, because strings can become regular expressions. */
export function unescape(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|\n|[\s\S])/g, (all, code: string) => {
    if (code === '\n') return '';
    if (code.length > 1 && code.startsWith('x')) return String.fromCharCode(parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(parseInt(code, 8));
    return ESCAPES[code] ?? all;
  });
}

function stringAt(source: string, start: number, line: number): [text: string, end: number] {
  for (let at = start; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '"') return [unescape(source.slice(start, at)), at + 1];
    if (char === '\\') at++;
    else if (char === '\n') break;
  }
  throw new Complaint(`cmd. line:${line}: unterminated string`);
}

function regexAt(source: string, start: number, line: number): [text: string, end: number] {
  let inSet = false;
  for (let at = start; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '/' && !inSet) return [source.slice(start, at).replaceAll('\\/', '/'), at + 1];
    if (char === '\\') at++;
    else if (char === '\n') break;
    else if (char === '[' && !inSet) {
      inSet = true;
      if (source.charAt(at + 1) === '^') at++;
      if (source.charAt(at + 1) === ']') at++;
    } else if (char === '[' && source.charAt(at + 1) === ':') at = source.indexOf(':]', at) + 1 || at;
    else if (char === ']') inSet = false;
  }
  throw new Complaint(`cmd. line:${line}: unterminated regexp`);
}
