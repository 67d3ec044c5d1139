import {
  parse,
  type DoubleQuotedChild,
  type ParameterExpansionPart,
  type ParameterOperation,
  type ParsedScript,
  type Word,
  type WordPart,
} from 'unbash';
import { expandBraces } from './braces.ts';

/** A word compiled into pieces that are quick to expand. Each word of the tree is compiled once. */
export interface Compiled {
  readonly pieces: readonly Piece[];
  /** The text of a word that contains no expansion and no pattern; undefined for all others. */
  readonly plain: string | undefined;
  /** The words that its braces expand to. */
  readonly variants?: readonly Compiled[] | undefined;
}

export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  /** Empty quotes also make a word. */
  | { readonly kind: 'quotes' }
  | { readonly kind: 'tilde'; readonly user: string }
  | { readonly kind: 'parameter'; readonly parameter: Parameter; readonly quoted: boolean }
  | {
      readonly kind: 'command';
      readonly script: ParsedScript;
      readonly origin: string | undefined;
      readonly quoted: boolean;
    }
  | { readonly kind: 'arithmetic'; readonly text: Compiled; readonly quoted: boolean }
  | {
      readonly kind: 'process';
      readonly operator: '<' | '>';
      readonly script: ParsedScript;
      readonly origin: string | undefined;
    }
  /** A part that could not be parsed, which is an error only when it is reached. */
  | { readonly kind: 'bad'; readonly text: string };

export interface Parameter {
  readonly name: string;
  readonly prefix: '!' | '#' | undefined;
  readonly index: { readonly text: string; readonly word: Compiled } | undefined;
  readonly operation: Operation | undefined;
  /** The parameter in its written form, for messages. */
  readonly text: string;
}

export interface Operation {
  readonly type: ParameterOperation['type'];
  readonly operator: string;
  readonly operand: Compiled;
  readonly second: Compiled | undefined;
}

type Mode = 'word' | 'assignment' | 'quoted' | 'pattern';

const compiled: Record<Mode, WeakMap<Word, Compiled>> = {
  word: new WeakMap(),
  assignment: new WeakMap(),
  quoted: new WeakMap(),
  pattern: new WeakMap(),
};

/**
 * Compiles a word. The mode `assignment` is for values, in which neither braces nor file names are expanded.
 */
export function compile(word: Word, mode: Mode = 'word'): Compiled {
  const cache = compiled[mode];
  let found = cache.get(word);
  if (!found) {
    found = compileFresh(word, mode, undefined);
    cache.set(word, found);
  }
  return found;
}

function compileFresh(word: Word, mode: Mode, origin: string | undefined): Compiled {
  const { text, parts } = word;
  if (mode === 'word' && parts?.some(({ type }) => type === 'BraceExpansion')) {
    const variants = expandBraces(text);
    if (variants.length !== 1 || variants[0] !== text)
      return { pieces: [], plain: undefined, variants: variants.flatMap(reread) };
  }
  const pieces: Piece[] = [];
  if (parts)
    parts.forEach((part, index) => addPart(pieces, part, mode, index === 0, parts.length === 1, origin));
  else addLiteral(pieces, text, mode, true, true);
  return finish(pieces);
}

function finish(pieces: Piece[]): Compiled {
  const isText = pieces.every((piece) => piece.kind === 'text' || piece.kind === 'quotes');
  const unquoted = pieces
    .map((piece) => (piece.kind === 'text' && !piece.quoted ? piece.text : ''))
    .join('\0');
  const plain =
    isText && pieces.length > 0 && !mayBePattern(unquoted)
      ? pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')
      : undefined;
  return { pieces, plain };
}

/**
 * Whether a word may be a pattern. `unquoted` has its unquoted parts, with a NUL in place of each quoted one.
 */
function mayBePattern(unquoted: string): boolean {
  if (!/[*?[(]/.test(unquoted)) return false;
  return (
    /[*?]/.test(unquoted) ||
    (unquoted.includes('[') && unquoted.includes(']')) ||
    /[?*+@!]\0*\(/.test(unquoted)
  );
}

/** Parses a word that brace expansion has made. */
function reread(text: string): Compiled[] {
  const script = `: ${text}`;
  const command = parse(script).commands[0]?.command;
  if (command?.type !== 'Command') return [];
  return command.args.map((word) => {
    const mode = 'assignment';
    if (word.type === 'Word') return compileFresh(word, 'pattern', script);
    return word.value.type === 'Word'
      ? compileFresh(word.value, mode, script)
      : { pieces: [], plain: word.text };
  });
}

function addPart(
  pieces: Piece[],
  part: WordPart,
  mode: Mode,
  isFirst: boolean,
  isOnly: boolean,
  origin: string | undefined,
): void {
  const quoted = mode === 'quoted';
  switch (part.type) {
    case 'Literal':
      if (quoted) pieces.push({ kind: 'text', text: unescapedInQuotes(part.text), quoted: true });
      else addLiteral(pieces, part.text, mode, isFirst, isOnly);
      return;
    case 'Glob':
      if (part.parts && part.parts.some((inner) => inner.type !== 'Literal')) {
        pieces.push({ kind: 'text', text: '[', quoted });
        for (const inner of part.parts) addPart(pieces, inner, mode, false, false, origin);
        pieces.push({ kind: 'text', text: ']', quoted });
      } else addLiteral(pieces, part.text, mode, false, false);
      return;
    case 'BraceExpansion':
      if (part.parts) for (const inner of part.parts) addPart(pieces, inner, mode, false, false, origin);
      else addLiteral(pieces, part.text, mode, isFirst, isOnly);
      return;
    case 'ExtendedGlob':
      pieces.push({ kind: 'text', text: `${part.operator}(`, quoted });
      if (part.parts) for (const inner of part.parts) addPart(pieces, inner, mode, false, false, origin);
      else addLiteral(pieces, part.pattern, 'pattern', false, false);
      pieces.push({ kind: 'text', text: ')', quoted });
      return;
    case 'SingleQuoted':
      // Inside double quotes, single quotes are ordinary characters.
      pieces.push(
        quoted
          ? { kind: 'text', text: part.text, quoted: true }
          : part.value === ''
            ? { kind: 'quotes' }
            : { kind: 'text', text: part.value, quoted: true },
      );
      return;
    case 'AnsiCQuoted':
      pieces.push(part.value === '' ? { kind: 'quotes' } : { kind: 'text', text: part.value, quoted: true });
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      if (!part.parts.some(isAllValues)) pieces.push({ kind: 'quotes' });
      for (const child of part.parts) addQuoted(pieces, child, origin);
      return;
    case 'ProcessSubstitution':
      if (part.script) pieces.push({ kind: 'process', operator: part.operator, script: part.script, origin });
      else pieces.push({ kind: 'bad', text: part.text });
      return;
    default:
      addExpansion(pieces, part, quoted, origin);
  }
}

/** Whether a part is `"$@"` or the like, which makes one word per value, and none without values. */
function isAllValues(child: DoubleQuotedChild): boolean {
  if (child.type === 'SimpleExpansion') return child.text === '$@';
  return (
    child.type === 'ParameterExpansion' &&
    (child.parameter === '@' || child.index?.text === '@') &&
    child.prefix !== '#'
  );
}

function addQuoted(pieces: Piece[], child: DoubleQuotedChild, origin: string | undefined): void {
  if (child.type === 'Literal') pieces.push({ kind: 'text', text: child.value, quoted: true });
  else addExpansion(pieces, child, true, origin);
}

function addExpansion(
  pieces: Piece[],
  part: Exclude<DoubleQuotedChild, { type: 'Literal' }>,
  quoted: boolean,
  origin: string | undefined,
): void {
  switch (part.type) {
    case 'SimpleExpansion': {
      const parameter = {
        name: part.text.slice(1),
        prefix: undefined,
        index: undefined,
        operation: undefined,
        text: part.text,
      };
      pieces.push({ kind: 'parameter', parameter, quoted });
      return;
    }
    case 'ParameterExpansion':
      pieces.push({ kind: 'parameter', parameter: parameterOf(part, quoted, origin), quoted });
      return;
    case 'CommandExpansion':
      if (part.script)
        pieces.push({ kind: 'command', script: part.script, origin: part.script.source ?? origin, quoted });
      else pieces.push({ kind: 'bad', text: part.text });
      return;
    case 'ArithmeticExpansion': {
      const inner = part.text.startsWith('$[') ? part.text.slice(2, -1) : part.text.slice(3, -2);
      pieces.push({ kind: 'arithmetic', text: compileText(inner), quoted });
    }
  }
}

function parameterOf(part: ParameterExpansionPart, quoted: boolean, origin: string | undefined): Parameter {
  const { operation, index } = part;
  return {
    name: part.parameter,
    prefix: part.prefix,
    index: index && { text: index.text, word: compileFresh(index, 'assignment', origin) },
    operation: turningCase(part, quoted) ?? (operation && operationOf(operation, quoted, origin)),
    text: part.text,
  };
}

/**
 * Handles `${s~}` and `${s~~}`, which are undocumented in bash and unknown to the parser, by parsing them as
 * `${s^}`.
 */
function turningCase({ operation, text }: ParameterExpansionPart, quoted: boolean): Operation | undefined {
  const [operator] = (operation?.type === 'Unknown' && /^~~?/.exec(operation.operator)) || [];
  if (!operation || operator === undefined) return undefined;
  const at = text.length - '}'.length - operation.operator.length;
  const alike = text.slice(0, at) + operator.replaceAll('~', '^') + text.slice(at + operator.length);
  const script = quoted ? `: "${alike}"` : `: ${alike}`;
  const command = parse(script).commands[0]?.command;
  const [word] = command?.type === 'Command' ? command.args : [];
  const [part] = (word?.type === 'Word' && word.parts) || [];
  const inner = part?.type === 'DoubleQuoted' ? part.parts[0] : part;
  if (inner?.type !== 'ParameterExpansion' || inner.operation?.type !== 'CaseModification') return undefined;
  return { ...operationOf(inner.operation, quoted, script), operator };
}

const NONE: Compiled = { pieces: [], plain: '' };

function operationOf(operation: ParameterOperation, quoted: boolean, origin: string | undefined): Operation {
  const { type, operator } = operation;
  const word = (given: Word | undefined, mode: Mode) => (given ? compileFresh(given, mode, origin) : NONE);
  switch (operation.type) {
    case 'Default':
      return {
        type,
        operator,
        operand: word(operation.operand, quoted ? 'quoted' : 'pattern'),
        second: undefined,
      };
    case 'Replace':
      return {
        type,
        operator,
        operand: word(operation.pattern, 'pattern'),
        second: word(operation.replacement, 'pattern'),
      };
    case 'Slice':
      return {
        type,
        operator,
        operand: compileText(operation.offset.text),
        second: operation.length && compileText(operation.length.text),
      };
    case 'Remove':
    case 'CaseModification':
    case 'Transform':
      return { type, operator, operand: word(operation.operand, 'pattern'), second: undefined };
    default:
      return { type, operator, operand: NONE, second: undefined };
  }
}

const texts = new Map<string, Compiled>();

/** Compiles arithmetic: expansions work as in double quotes, and quotes are removed. */
export function compileText(text: string): Compiled {
  if (!/[$`\\"]/.test(text)) return { pieces: [{ kind: 'text', text, quoted: true }], plain: text };
  let found = texts.get(text);
  if (!found) {
    found = finish(
      piecesOfBody(text).map((piece) =>
        piece.kind === 'text' ? { ...piece, text: piece.text.replaceAll('"', '') } : piece,
      ),
    );
    if (texts.size > 1000) texts.clear();
    texts.set(text, found);
  }
  return found;
}

/** Compiles a text by the rules of a here-document's body. */
export function piecesOfBody(text: string): Piece[] {
  const script = `cat <<VITRINE_END\n${text}\nVITRINE_END\n`;
  const command = parse(script).commands[0]?.command;
  const document = command?.type === 'Command' ? command.redirects[0] : undefined;
  if (document?.type !== 'HereDoc') return [{ kind: 'text', text, quoted: true }];
  const pieces = bodyPieces(document.body.parts, document.body.text, script);
  const last = pieces.at(-1);
  if (last?.kind === 'text') pieces[pieces.length - 1] = { ...last, text: last.text.replace(/\n$/, '') };
  return pieces;
}

export function bodyPieces(
  parts: readonly WordPart[] | undefined,
  text: string,
  origin: string | undefined,
): Piece[] {
  const pieces: Piece[] = [];
  if (!parts) pieces.push({ kind: 'text', text: unescapedInBody(text), quoted: true });
  for (const part of parts ?? []) {
    if (part.type === 'Literal') pieces.push({ kind: 'text', text: part.value, quoted: true });
    else addPart(pieces, part, 'quoted', false, false, origin);
  }
  return pieces;
}

function unescapedInBody(text: string): string {
  return text.replace(/\\([$`\\\n])/g, (_all, char: string) => (char === '\n' ? '' : char));
}

function unescapedInQuotes(text: string): string {
  return text.replace(/\\([$`"\\}\n])/g, (_all, char: string) => (char === '\n' ? '' : char));
}

const TILDE = /^~([\w.-]*|\+|-)(?=[/:]|$)/;

/** Adds unquoted characters, in which a backslash quotes the next one and a tilde may stand for a folder. */
function addLiteral(pieces: Piece[], raw: string, mode: Mode, isFirst: boolean, isOnly: boolean): void {
  let text = raw;
  const assigned = mode === 'word' && isFirst ? /^[A-Za-z_]\w*\+?=/.exec(text)?.[0] : undefined;
  if (assigned !== undefined && text.charAt(assigned.length) === '~') {
    pieces.push({ kind: 'text', text: assigned, quoted: false });
    text = text.slice(assigned.length);
  }
  if (mode === 'assignment' && text.includes('~')) {
    const segments = text.split(/(?<=:)/);
    segments.forEach((segment, index) => {
      addSegment(
        pieces,
        segment,
        (isFirst || index > 0) && segment.startsWith('~'),
        isOnly || index < segments.length - 1,
      );
    });
    return;
  }
  addSegment(pieces, text, isFirst && text.startsWith('~') && mode !== 'quoted', isOnly);
}

function addSegment(pieces: Piece[], text: string, mayTilde: boolean, isOnly: boolean): void {
  const tilde = mayTilde ? TILDE.exec(text) : null;
  let rest = text;
  if (tilde && (isOnly || tilde[0].length < text.length)) {
    pieces.push({ kind: 'tilde', user: tilde[1] ?? '' });
    rest = text.slice(tilde[0].length);
  }
  if (!rest.includes('\\')) {
    if (rest !== '') pieces.push({ kind: 'text', text: rest, quoted: false });
    return;
  }
  for (const [piece] of rest.matchAll(/\\[^]?|[^\\]+/g)) {
    if (!piece.startsWith('\\')) pieces.push({ kind: 'text', text: piece, quoted: false });
    else if (piece !== '\\\n') pieces.push({ kind: 'text', text: piece.slice(1) || '\\', quoted: true });
  }
}
