import type * as Unbash from 'unbash';
import type {
  Assignment,
  Command,
  HereDoc,
  ParameterExpansionPart,
  ParsedScript,
  Redirection,
  SyntaxNode,
  Word,
} from 'unbash';
import { bracesOf } from './braces.ts';
import { isFollowed } from './followed.ts';
import { IndirectNames } from './indirect.ts';
import { Opaque, type ShellCommand, type ShellRedirect, type ShellWord } from './opaque.ts';
import { isSensitive, isSteering } from './sensitive.ts';

/**
 * Returns every simple command in a script, at any depth, in the order of writing. Throws {@link Opaque} for any
 * syntax that is not on the list of what the shell is known to read in the same way. `isWhole` says that this is
 * everything the shell runs, rather than a part of another script.
 */
export function commandsOf(unbash: typeof Unbash, source: string, isWhole = true): ShellCommand[] {
  const commands: ShellCommand[] = [];
  const indirect = new IndirectNames();
  const expanded = new Set<SyntaxNode>();
  const visit = (node: SyntaxNode, from: string): void => {
    noteNames(node, indirect);
    for (const word of wordsWithBraces(node)) for (const part of word.parts ?? []) expanded.add(part);
    if (expanded.has(node)) return;
    const text = check(node, from);
    if (node.type === 'Command') commands.push(commandOf(node, text));
    if (node.type === 'Redirected') {
      commands.push({ assignments: [], words: [], redirects: redirectsOf(node.redirects, text) });
    }
    unbash.forEachChild(node, (child) => visit(child, text));
  };
  visit(unbash.parse(source), source);
  indirect.check(source, commands, isWhole);
  return commands;
}

/** The words of a command or a loop whose braces can be expanded completely. */
function wordsWithBraces(node: SyntaxNode): readonly Word[] {
  const words =
    node.type === 'Command'
      ? [...(node.name ? [node.name] : []), ...node.args]
      : node.type === 'For' || node.type === 'Select'
        ? (node.wordlist ?? [])
        : [];
  return words.filter((word): word is Word => word.type === 'Word' && bracesIn(word) !== null);
}

function bracesIn(word: Word): readonly string[] | null {
  return word.parts?.some(({ type }) => type === 'BraceExpansion') === true ? bracesOf(word.text) : null;
}

function noteNames(node: SyntaxNode, indirect: IndirectNames): void {
  if (node.type === 'SimpleExpansion') indirect.mention(node.text.slice(1));
  else if (node.type === 'ParameterExpansion') {
    if (isIndirect(node)) indirect.expansion(node.parameter);
    else if (node.text === `\${${node.parameter}}`) indirect.mention(node.parameter);
  } else if (node.type === 'Assignment' && !node.index && !node.append && node.value.type === 'Word')
    indirect.names(node.name, [wordOf(node.value).value]);
  else if (node.type === 'For' || node.type === 'Select')
    indirect.names(
      node.name.text,
      (node.wordlist ?? []).map((word) => wordOf(word).value),
    );
}

/**
 * Returns the script in a normal form: without extra blanks and quotes that change nothing, and with `;` for line
 * ends. Two scripts with the same form do the same. A script with a here-document stays as it is written.
 */
export function canonicalOf(unbash: typeof Unbash, source: string): string {
  const words: Word[] = [];
  let isPlain = true;
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'HereDoc') isPlain = false;
    if (node.type === 'Word') words.push(node);
    else unbash.forEachChild(node, visit);
  };
  visit(unbash.parse(source));
  if (!isPlain) return source;
  const pieces: (string | { readonly text: string })[] = [];
  let gap = '';
  let at = 0;
  const between = (end: number) => {
    gap = source
      .slice(at, end)
      .replace(/\\\n|[ \t]+/g, '')
      .replace(/[\n;]+/g, ';');
  };
  for (const word of words.toSorted((a, b) => a.pos - b.pos)) {
    between(word.pos);
    pieces.push(gap);
    const { text, value } = wordOf(word);
    pieces.push(value ?? { text });
    at = word.end;
  }
  between(source.length);
  return JSON.stringify([...pieces, gap.replace(/;$/, '')]);
}

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
function check(node: SyntaxNode, source: string): string {
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
function isIndirect({ prefix, operation, index }: ParameterExpansionPart): boolean {
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

/** Throws if two words touch, because some parsers take them for one word. */
function checkApart(
  pieces: readonly { readonly type: string; readonly pos: number; readonly end: number }[],
): void {
  pieces.forEach(({ type, pos }, index) => {
    const isWord = type === 'Word' || type === 'Assignment';
    if (isWord && pieces[index - 1]?.end === pos) throw new Opaque('words that touch');
  });
}

function commandOf(node: Command, source: string): ShellCommand {
  checkApart([...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix]);
  const words = [...(node.name ? [node.name] : []), ...node.args].flatMap((word) => wordsOf(word));
  if (words[0]) checkName(words[0]);
  return {
    assignments: node.prefix.flatMap((part) =>
      part.type === 'Assignment' ? [{ name: part.name, text: part.text }] : [],
    ),
    words,
    redirects: redirectsOf(node.redirects, source),
  };
}

function redirectsOf(redirects: readonly Redirection[], source: string): ShellRedirect[] {
  return redirects.map((redirect) => redirectOf(redirect, source));
}

function redirectOf(redirect: Redirection, source: string): ShellRedirect {
  if (redirect.descriptor?.type === 'FileDescriptorVariable') throw new Opaque('a named file descriptor');
  const text = source.slice(redirect.pos, redirect.end);
  if (redirect.type !== 'Redirect') return { text, writes: false };
  if (!redirect.target) throw new Opaque('a redirection without a target');
  const target = wordOf(redirect.target);
  if (redirect.operator === '>&' || redirect.operator === '<&') {
    // A copy to a descriptor, or closing one; `>& file` writes a file only in some shells.
    if (target.value === null || !/^(?:\d+-?|-)$/.test(target.value))
      throw new Opaque('a redirection to a computed descriptor');
    return { text, writes: false };
  }
  return { text, writes: redirect.operator !== '<', target };
}

/** Throws for names that not every parser takes for a name, such as `!x` and `{}`. */
function checkName({ value }: ShellWord): void {
  if (value === null) throw new Opaque('a command whose name is computed');
  if (!/^(?:[\w@%+=:,./~^-]+|\[)$/.test(value)) throw new Opaque('an unusual command name');
}

/** Braces turn one word into several. */
function wordsOf(word: Word | Assignment): ShellWord[] {
  const words = word.type === 'Word' ? bracesIn(word) : null;
  return words?.map((value) => ({ text: value, value })) ?? [wordOf(word)];
}

function wordOf(word: Word | Assignment): ShellWord {
  if (word.type === 'Assignment') {
    if (word.value.type === 'ArrayValue' || word.index)
      return { text: word.text, value: null, assigns: word.name };
    const { value } = wordOf(word.value);
    return {
      text: word.text,
      value: value === null ? null : `${word.name}${word.append ? '+' : ''}=${value}`,
      assigns: word.name,
    };
  }
  return { text: word.text, value: isLiteral(word) ? word.value : null };
}

function isLiteral(word: Word): boolean {
  // Parsers disagree if an unclosed bracket does not clearly end the glob.
  if (/[[\]]/.test(word.text) && word.text.length > 1 && !/^(?:'[^']*'|"[^"\\`$]*")$/.test(word.text))
    return false;
  return (word.parts ?? []).every((part) => {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return true;
      case 'DoubleQuoted':
        return part.parts.every((child) => child.type === 'Literal');
      default:
        return false;
    }
  });
}
