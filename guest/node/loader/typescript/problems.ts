import { placeAt } from '../edits.ts';
import { UnsupportedTypeScript } from './types.ts';

/** What is wrong with a text, as node says it. */
export interface TypeScriptProblem {
  readonly code: 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' | 'ERR_INVALID_TYPESCRIPT_SYNTAX';
  readonly message: string;
  /** Its place, shown. */
  readonly snippet: string;
}

/** Of what the reading of TypeScript threw, with its place in the text of this name; undefined: it is a fault of ours. */
export function problemOf(error: unknown, source: string, name: string): TypeScriptProblem | undefined {
  if (error instanceof UnsupportedTypeScript)
    return {
      code: 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
      message: error.message,
      snippet: snippet(source, name, error.start, error.end),
    };
  if (!(error instanceof SyntaxError) || !('pos' in error) || typeof error.pos !== 'number') return undefined;
  const token = tokenAt(source, error.pos);
  return {
    code: 'ERR_INVALID_TYPESCRIPT_SYNTAX',
    message: invalid(error, source, token),
    snippet: snippet(source, name, token.start, token.start + Math.max(1, token.text.length)),
  };
}

/** The line with carets below, between its neighbours. */
function snippet(source: string, name: string, start: number, end: number): string {
  const lines = source.replace(/\n$/, '').split(/\r?\n/);
  const from = placeAt(source, start);
  const to = placeAt(source, end);
  const shown: string[] = [`${name}:${from.line}`];
  for (let line = from.line - 1; line <= to.line + 1; line++) {
    const text = lines[line - 1];
    if (text === undefined) continue;
    shown.push(text);
    if (line < from.line || line > to.line) continue;
    const first = line === from.line ? from.column - 1 : (/^\s*/.exec(text)?.[0].length ?? 0);
    const last = line === to.line ? to.column - 1 : text.length;
    shown.push(' '.repeat(first) + '^'.repeat(Math.max(1, last - first)));
  }
  return `${shown.join('\n')}\n`;
}

interface Token {
  readonly start: number;
  /** Empty at the end. */
  readonly text: string;
}

const TOKEN =
  /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)*([\p{ID_Start}$_#][\p{ID_Continue}$]*|\d[\w.]*|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*`?|\?\.|=>|\.\.\.|\+\+|--|\*\*|\?\?|&&|\|\||[=!]==?|[<>]=|[\s\S]|$)/uy;

function tokenAt(source: string, at: number): Token {
  TOKEN.lastIndex = at;
  const [whole = '', text = ''] = TOKEN.exec(source) ?? [];
  return { start: Math.min(source.length, at + whole.length - text.length), text };
}

/** Tokens before a place, the last one last. */
function tokensBefore(source: string, end: number): string[] {
  const tokens: string[] = [];
  for (let at = 0; ;) {
    const { start, text } = tokenAt(source, at);
    if (text === '' || start >= end) return tokens;
    tokens.push(text);
    at = start + text.length;
  }
}

const OPERATOR = /^(?:[-+*/%=!~<>&|^?,([:]|=>|\.\.\.|\+\+|--|\*\*|\?\?|&&|\|\||[=!]==?|[<>]=)$/;
const OPERATOR_WORD =
  /^(?:return|throw|new|typeof|void|delete|await|yield|in|of|instanceof|case|default|extends)$/;
const TYPES =
  'an identifier, void, yield, null, await, break, a string literal, a numeric literal, true, false, `, -, import, this, typeof, {, [, (';
const PATTERN = 'yield, an identifier, [ or {';
const KEY = 'identifier, string literal, numeric literal or [ for the computed key';

/** Messages of the parser that say more than where it stopped. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/^Unterminated string/, 'Unterminated string constant'],
  [/^Unterminated template/, 'Unterminated template'],
  [/^Unterminated regular/, 'Unterminated regexp literal'],
  [/^'return' outside/, 'Return statement is not allowed here'],
  [/^Duplicate constructor/, 'A class can only have one constructor'],
  [/^Assigning to rvalue/, 'Invalid assignment target'],
  [/^Cannot use keyword 'await' outside/, "await isn't allowed in non-async function"],
  [
    /^Unsyntactic break/,
    "A 'break' statement can only be used within an enclosing iteration or switch statement",
  ],
  [
    /^Unsyntactic continue/,
    "A 'continue' statement can only jump to a label of an enclosing iteration statement",
  ],
  [
    /^Logical expressions and coalesce/,
    'Nullish coalescing operator(??) requires parens when mixing with logical operators',
  ],
  [/^Comma is not permitted after the rest/, 'A rest parameter must be last in a parameter list'],
  [/^Missing catch or finally/, 'Expected a semicolon'],
];

/** In the words of the parser that node has for TypeScript, as far as what stands before tells. */
function invalid(error: Error, source: string, token: Token): string {
  const said = SAID.find(([pattern]) => pattern.test(error.message));
  if (said) return said[1];
  const [, odd] = /^Unexpected character '(.*)'/.exec(error.message) ?? [];
  if (odd !== undefined) return `Unexpected character '${odd}'`;
  const before = tokensBefore(source, token.start);
  const last = before.at(-1) ?? '';
  const name = nameOfToken(token.text);
  const { text } = token;
  if (isTypeBefore(before))
    return text === '' ? 'Unexpected eof' : `Unexpected token \`${text}\`. Expected ${TYPES}`;
  if (last === '.' || last === '?.' || /^(?:class|function)$/.test(last)) return 'Expected ident';
  if (/^(?:const|let|var)$/.test(last)) return `Unexpected token \`${name}\`. Expected ${PATTERN}`;
  if (/^(?:if|while|switch)$/.test(last)) return `Expected '(', got '${name}'`;
  if (/^(?:else|do)$/.test(text) && last === ')') return 'Expression expected';
  const [open, owner] = openBefore(before);
  if (open === '{' && isObject(owner) && (last === '{' || last === ','))
    return `Unexpected token \`${name}\`. Expected ${KEY}`;
  if (OPERATOR.test(last) || OPERATOR_WORD.test(last)) return 'Expression expected';
  if (open === '(' && /^(?:if|while|switch)$/.test(owner)) return `Expected ')', got '${name}'`;
  if (open === '(' && owner === 'for') return `Expected ';', got '${name}'`;
  if (open === '(' || open === '[' || (open === '{' && isObject(owner))) return `Expected ',', got '${name}'`;
  if (open === '{' && text === '') return `Expected '}', got '<eof>'`;
  if (/^[)\]}]$/.test(text) && /^(?:[;}]|)$/.test(last)) return 'Expression expected';
  return "Expected ';', '}' or <eof>";
}

function nameOfToken(text: string): string {
  if (text === '') return '<eof>';
  if (/^["']/.test(text)) return 'string literal';
  if (/^\d/.test(text)) return 'numeric literal';
  if (!/^[\p{ID_Start}$_]/u.test(text)) return text;
  return KEYWORD.test(text) ? text : 'ident';
}

const KEYWORD =
  /^(?:break|case|catch|class|const|continue|debugger|default|delete|do|else|export|extends|finally|for|from|function|if|import|in|instanceof|let|new|null|return|super|switch|this|throw|true|false|try|typeof|var|void|while|with|yield|string|number)$/;

/** Whether a type must come next: behind `let x:`, `(a:`, `|`, `as` and the like. */
function isTypeBefore(before: readonly string[]): boolean {
  const [c = '', b = '', a = ''] = before.slice(-3).reverse();
  if (/^(?:as|satisfies|keyof|unique)$/.test(c)) return true;
  if (c === ':')
    return /^(?:const|let|var)$/.test(a) || b === ')' || (openBefore(before)[0] === '(' && /^[(,]$/.test(a));
  if (c === '|' || c === '&') return before.slice(-6).includes(':') && !before.slice(-6).includes('=');
  return c === '=' && a === 'type';
}

/** The bracket that is open, and what stands before it. */
function openBefore(before: readonly string[]): readonly [bracket: string, owner: string] {
  const open: (readonly [string, string])[] = [];
  before.forEach((token, index) => {
    if (/^[([{]$/.test(token)) open.push([token, before[index - 1] ?? '']);
    else if (/^[)\]}]$/.test(token)) open.pop();
  });
  return open.at(-1) ?? ['', ''];
}

function isObject(owner: string): boolean {
  return /^(?:[=(,:?[]|return|\?\?|&&|\|\|)$/.test(owner);
}
