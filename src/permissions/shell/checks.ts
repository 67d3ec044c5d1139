import type { Assignment, HereDoc, ParameterExpansionPart, ParsedScript, SyntaxNode, Word } from 'unbash';
import { isFollowed } from './followed.ts';
import { Opaque } from './opaque.ts';
import { isSensitive, isSteering } from './sensitive.ts';

/** Syntax that needs no check of its own: its parts are checked, and every parser reads it in the same way. */
const PLAIN_SYNTAX: ReadonlySet<SyntaxNode['type']> = new Set([
  'Statement',
  'CompoundList',
  'AndOr',
  'Pipeline',
  'Negation',
  'Time',
  'Command',
  'Redirected',
  'Subshell',
  'BraceGroup',
  'If',
  'Elif',
  'While',
  'Case',
  'CaseItem',
  'TestCommand',
  'TestLogical',
  'TestNot',
  'TestGroup',
  'Literal',
  'SingleQuoted',
  'DoubleQuoted',
  'AnsiCQuoted',
  'LocaleString',
  'ExtendedGlob',
  'SimpleExpansion',
  'Glob',
  'HereString',
  'HereDocDelimiter',
  'HereDocBody',
  'FileDescriptor',
  'Redirect',
  'Default',
  'Remove',
  'Replace',
  'CaseModification',
  'Names',
  'ArithmeticTernary',
  'ArithmeticBinary',
  'ArithmeticUnary',
  'ArithmeticGroup',
  'ArithmeticWord',
  'TestUnary',
  'TestBinary',
]);

/** Throws for syntax that is not on the list; returns the text that the positions of the children refer to. */
export function check(node: SyntaxNode, source: string): string {
  if (PLAIN_SYNTAX.has(node.type)) return source;
  switch (node.type) {
    case 'Script':
      return checkScript(node, source);
    case 'Coproc':
      if (node.name && (!/^[A-Za-z_]\w*$/.test(node.name.text) || isSensitive(node.name.text)))
        throw new Opaque('an unusual coprocess');
      return source;
    case 'For':
    case 'Select':
      if (isSteering(node.name.text)) throw new Opaque(`an assignment to ${node.name.text}`);
      return source;
    case 'Word':
      checkWord(node);
      return source;
    case 'HereDoc':
      if (!node.closing) throw new Opaque('a here-document is not closed');
      checkHereDocument(node);
      return source;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      if (!node.script) throw new Opaque('a substitution could not be read');
      if (node.text.startsWith('$((')) throw new Opaque('a subshell right inside a substitution');
      if (node.text.startsWith('`') && node.text.includes('\\')) throw new Opaque('escapes inside backticks');
      // Parsers disagree on where a substitution ends if it contains a `)` of another construct.
      if (/\bcase\b|<<|[\s;&|(]#/.test(node.text))
        throw new Opaque('case, a comment or a here-document inside a substitution');
      return source;
    case 'ParameterExpansion':
      checkParameter(node);
      return source;
    case 'Slice':
      checkArithmetic(node.offset.text);
      if (node.length) checkArithmetic(node.length.text);
      return source;
    case 'Transform':
      // `@P` runs what a variable contains.
      if (!/^[QULuEAaKk]$/.test(node.operand.text)) throw new Opaque('an unusual parameter');
      return source;
    case 'ArithmeticExpansion':
      checkArithmetic(node.text.startsWith('$[') ? node.text.slice(2, -1) : node.text.slice(3, -2));
      return source;
    case 'ArithmeticCommand':
      checkArithmetic(node.body);
      return source;
    case 'ArithmeticFor': {
      const header = source.slice(node.pos, node.body.pos);
      const [from, to] = [header.indexOf('(('), header.lastIndexOf('))')];
      if (from < 0 || to < from) throw new Opaque('a loop that could not be read');
      checkArithmetic(header.slice(from + 2, to).replaceAll(';', ','));
      return source;
    }
    case 'Function':
      checkFunction(node.name.text);
      return source;
    case 'BraceExpansion':
      checkBraces(node, source);
      return source;
    case 'Assignment':
      checkAssignment(node);
      return source;
    case 'ArrayValue':
      if (node.elements.some(({ text }) => text.startsWith('[') && !PLAIN_ELEMENT.test(text)))
        throw new Opaque('an array with subscripts');
      return source;
    default:
      throw new Opaque(`${node.type} syntax`);
  }
}

function checkScript(script: ParsedScript, source: string): string {
  const [error] = script.errors ?? [];
  if (error) throw new Opaque(error.message);
  return script.source ?? source;
}

/**
 * Throws if parsers disagree on the number of words: a process substitution inside a word, an unclosed bracket,
 * quotes next to a brace.
 */
function checkWord({ text, parts = [] }: Word): void {
  if (parts.some((part) => part.type === 'ProcessSubstitution' && part.text !== text)) {
    throw new Opaque('a process substitution inside a word');
  }
  const bare = text.replace(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./gs, '');
  const brackets = bare.replace(/\[[^[\]]*\]/g, '').replace(/\[[^[\]]*\]/g, '');
  if (/[[\]]/.test(brackets) && text !== '[' && text !== ']')
    throw new Opaque('a bracket that is not closed');
  const braces = bare.replace(/\$\{[^{}]*\}/g, '');
  if (/[{}]/.test(braces) && /['"\\]/.test(text)) throw new Opaque('quotes beside braces');
}

/**
 * Throws for quotes and brackets after a `$`: they mean nothing in a here-document, but not every parser knows that.
 */
function checkHereDocument({ delimiter, body }: HereDoc): void {
  if (delimiter?.quoted) return;
  const disputed = body.text.includes('$(') ? /[\\`'"[\]]/ : /\$['"]|[\\`]/;
  if (disputed.test(body.text)) throw new Opaque('quotes in a here-document');
}

/** Whether it is `${!x}`; `${!x*}` and `${!x[@]}` are lists of names. */
export function isIndirect({ prefix, operation, index }: ParameterExpansionPart): boolean {
  return prefix === '!' && operation?.type !== 'Names' && !(index && /^[@*]$/.test(index.text));
}

/**
 * Throws for parameters that evaluate text: subscripts are arithmetic, `!` and `@` evaluate what a variable contains.
 */
function checkParameter(node: ParameterExpansionPart): void {
  if (isIndirect(node) && (node.operation || node.index || node.text !== `\${!${node.parameter}}`))
    throw new Opaque('an indirect expansion with more to it');
  if (node.index) checkSubscript(node.index.text);
  const assigns = node.operation?.type === 'Default' && node.operation.operator.endsWith('=');
  if (assigns && isSteering(node.parameter)) throw new Opaque(`an assignment to ${node.parameter}`);
  if (!/^(?:\w+|[@*#?$!-])$/.test(node.parameter)) throw new Opaque('an unusual parameter');
}

/** Throws for text that could contain a command, because the shell evaluates it again. */
export function checkArithmetic(text: string): void {
  const plain = text.replace(/\$\{#?\w+(?:\[[@*\w]+\])?\}|\$\w+/g, '1');
  if (!/^[\w\s+\-*/%()<>=!&|^~?:,[\]#]*$/.test(plain)) throw new Opaque('arithmetic on expansions');
  for (const [name] of text.matchAll(/[A-Za-z_]\w*/g))
    if (isSensitive(name)) throw new Opaque(`arithmetic on ${name}`);
}

/** Throws for computed subscripts; a plain one has numbers, names, operators and plain quotes. */
function checkSubscript(text: string): void {
  if (!/^(?:[@*]|(?:[\w\s+*/%.,:-]|\$\w+|\$\{\w+\}|"(?:[^"$`\\]|\$\w+|\$\{\w+\})*"|'[^']*')+)$/.test(text))
    throw new Opaque('a computed subscript');
}

/** An element of an array with a plain key and a plain value. */
const PLAIN_ELEMENT =
  /^\[(?:[\w .-]+|"[^"$`\\]*"|'[^']*'|\$\w+)\]\+?=(?:[\w./:@%+,-]*|"[^"$`\\]*"|'[^']*'|"?\$\w+"?)$/;

/** Throws for function names that the analysis treats specially. The body is checked like the rest. */
function checkFunction(name: string): void {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) throw new Opaque('an unusual function');
  if (isFollowed(name) || isSensitive(name)) throw new Opaque(`a function in the place of ${name}`);
}

/** Throws for brace expansions, unless each resulting word is clearly a path, not a subcommand or a flag. */
function checkBraces(node: SyntaxNode & { type: 'BraceExpansion' }, source: string): void {
  const before = /[^\s;|&()<>]*$/.exec(source.slice(0, node.pos))?.[0] ?? '';
  // Numbers and single letters are neither subcommands nor flags.
  if (
    /^\{(?:-?\d+\.\.-?\d+|[a-zA-Z]\.\.[a-zA-Z])(?:\.\.\d+)?\}$/.test(node.text) &&
    /^(?:[\w./][\w./-]*)?$/.test(before)
  )
    return;
  if (!/^[^-].*[/.*?]|^[/.*?]/.test(before) || /["'`$\\]/.test(before + node.text))
    throw new Opaque('a brace expansion');
}

function checkAssignment(node: Assignment): void {
  if (node.index) checkSubscript(node.index.text);
  if (isSensitive(node.name)) throw new Opaque(`an assignment to ${node.name}`);
}
