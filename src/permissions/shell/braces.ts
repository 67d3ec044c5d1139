const MOST_WORDS = 64;
const PLAIN = /[\w./+%@:^-]+/y;
const SEQUENCE = /\{(-?\d+|[a-z]|[A-Z])\.\.(-?\d+|[a-z]|[A-Z])(?:\.\.(-?\d+))?\}/y;

/**
 * Expands the braces of a word as the shell that runs it does. Returns null if parsers could disagree: quotes,
 * expansions or `=` next to them, unpaired braces, leading zeros, empty words.
 */
export function bracesOf(text: string): readonly string[] | null {
  const found = wordAt(text, 0, false);
  if (!found || found.end !== text.length || found.words.length < 2) return null;
  return found.words.includes('') ? null : found.words;
}

interface Expansion {
  readonly words: readonly string[];
  readonly end: number;
}

/** Within braces, a comma or a closing brace ends the word. */
function wordAt(text: string, from: number, isInside: boolean): Expansion | null {
  let words: readonly string[] = [''];
  let at = from;
  for (;;) {
    const char = text.charAt(at);
    const piece = char === '{' ? groupAt(text, at) : plainAt(text, at, isInside);
    if (piece === null) return null;
    if (piece.end === at) return { words, end: at };
    words = words.flatMap((word) => piece.words.map((more) => word + more));
    if (words.length > MOST_WORDS) return null;
    at = piece.end;
  }
}

function plainAt(text: string, at: number, isInside: boolean): Expansion {
  if (!isInside && text.charAt(at) === ',') return { words: [','], end: at + 1 };
  PLAIN.lastIndex = at;
  const [plain = ''] = PLAIN.exec(text) ?? [];
  return { words: [plain], end: at + plain.length };
}

function groupAt(text: string, at: number): Expansion | null {
  SEQUENCE.lastIndex = at;
  const sequence = SEQUENCE.exec(text);
  if (sequence) return sequenceOf(sequence);
  const words: string[] = [];
  for (let next = at + 1, count = 1; ; next++, count++) {
    const found = wordAt(text, next, true);
    if (!found) return null;
    words.push(...found.words);
    next = found.end;
    if (text.charAt(next) === ',') continue;
    return text.charAt(next) === '}' && count > 1 ? { words, end: next + 1 } : null;
  }
}

/** Expands a sequence, up to the limit of words. */
function sequenceOf([, first = '', last = '', step = '1']: RegExpExecArray): Expansion | null {
  const isNumbers = /\d/.test(first);
  if (isNumbers !== /\d/.test(last) || [first, last, step].some((each) => /^-?0\d|^-0$/.test(each)))
    return null;
  if (!isNumbers && (first.toLowerCase() === first) !== (last.toLowerCase() === last)) return null;
  const [from, to] = isNumbers ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const by = Math.abs(Number(step));
  if (by === 0 || Math.abs(to - from) / by >= MOST_WORDS) return null;
  const words: string[] = [];
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? by : -by)
    words.push(isNumbers ? String(value) : String.fromCharCode(value));
  return { words, end: SEQUENCE.lastIndex };
}
