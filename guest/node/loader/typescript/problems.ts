import { positionAt } from '../edits.ts';
import { UnsupportedTypeScript } from './types.ts';

/** An error in TypeScript source, with node's wording. */
export interface TypeScriptProblem {
  readonly code: 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' | 'ERR_INVALID_TYPESCRIPT_SYNTAX';
  readonly message: string;
  /** The source lines around it, with carets. */
  readonly snippet: string;
}

/** Describes an error that parsing TypeScript threw. Undefined where it is a bug of ours. `name` is the file's name. */
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

/** The lines of the error with carets below, and one line before and after. */
function snippet(source: string, name: string, start: number, end: number): string {
  const lines = source.replace(/\n$/, '').split(/\r?\n/);
  const from = positionAt(source, start);
  const to = positionAt(source, end);
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
  /** Empty at the end of the source. */
  readonly text: string;
}

const TOKEN =
  /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)*([\p{ID_Start}$_#][\p{ID_Continue}$]*|\d[\w.]*|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*`?|\?\.|=>|\.\.\.|\+\+|--|\*\*|\?\?|&&|\|\||[=!]==?|[<>]=|[\s\S]|$)/uy;

function tokenAt(source: string, at: number): Token {
  TOKEN.lastIndex = at;
  const [whole = '', text = ''] = TOKEN.exec(source) ?? [];
  return { start: Math.min(source.length, at + whole.length - text.length), text };
}

/** The tokens before an offset, in order. */
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

/** Messages of the parser that name the exact problem, and the wording of node's parser for them. */
const SPECIFIC_MESSAGES: readonly (readonly [RegExp, string])[] = [
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

/** Gives the wording of node's TypeScript parser, as far as the tokens before the error allow. */
function invalid(error: Error, source: string, token: Token): string {
  const specific = SPECIFIC_MESSAGES.find(([pattern]) => pattern.test(error.message));
  if (specific) return specific[1];
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

/** Whether a type must come next, as after `let x:`, `(a:`, `|` or `as`. */
function isTypeBefore(before: readonly string[]): boolean {
  const [c = '', b = '', a = ''] = before.slice(-3).reverse();
  if (/^(?:as|satisfies|keyof|unique)$/.test(c)) return true;
  if (c === ':')
    return /^(?:const|let|var)$/.test(a) || b === ')' || (openBefore(before)[0] === '(' && /^[(,]$/.test(a));
  if (c === '|' || c === '&') return before.slice(-6).includes(':') && !before.slice(-6).includes('=');
  return c === '=' && a === 'type';
}

/** The innermost open bracket, and the token before it. */
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
