import { unescapeAnsi } from '../parameters.ts';
import { quoteWord } from '../quoting.ts';
import type { Shell } from '../shell.ts';
import { ShellError } from '../errors.ts';
import { evaluate } from '../arithmetic.ts';
import { UsageError, words, type Builtin } from './builtin.ts';
import { formatFloat, formatInteger, padded, type Conversion } from '../../kit/c-format.ts';
import { strftime } from '../../kit/strftime.ts';
import { parseReference } from '../reference.ts';

const USAGE = 'printf: usage: printf [-v var] format [arguments]';

export const printf: Builtin = function* (shell, args) {
  const rest = words(args);
  let target: string | undefined;
  if (rest[0] === '-v') {
    target = rest[1];
    if (target === undefined) throw new UsageError('-v: option requires an argument', USAGE);
    rest.splice(0, 2);
  } else if (/^-v./.test(rest[0] ?? '')) {
    target = rest.shift()?.slice(2);
  } else if (/^-[^-]/.test(rest[0] ?? '') && !/^-[%\\]/.test(rest[0] ?? '')) {
    throw new UsageError(`${rest[0]?.slice(0, 2) ?? ''}: invalid option`, USAGE);
  }
  if (rest[0] === '--') rest.shift();
  const [format, ...values] = rest;
  if (format === undefined) throw new UsageError('', USAGE);
  const result = formatted(shell, format, values);
  for (const complaint of result.complaints) yield* shell.complain(`printf: ${complaint}`);
  if (target === undefined) yield* shell.print(result.text);
  else {
    const place = parseReference(target);
    if (!place) throw new ShellError(`\`${target}': not a valid identifier`, 2);
    shell.variables.setReference(place, result.text);
  }
  return result.complaints.length > 0 ? 1 : 0;
};

interface Printed {
  readonly text: string;
  readonly complaints: readonly string[];
}

const DIRECTIVE = /^%([-+ #0']*)(\*|\d+)?(?:\.(\*|-?\d*))?[hlLjzt]*(\([^)]*\)T|[^])?/;

function formatted(shell: Shell, format: string, values: readonly string[]): Printed {
  const complaints: string[] = [];
  let text = '';
  let at = 0;
  const pieces = piecesOf(format);
  const next = () => values[at++];
  for (;;) {
    const before = at;
    for (const piece of pieces) {
      if (typeof piece === 'string') {
        text += piece;
        continue;
      }
      const done = one(shell, piece, next, complaints);
      if (done === null) return { text, complaints };
      if (done.stops) return { text: text + done.text, complaints };
      text += done.text;
    }
    if (at >= values.length || at === before) return { text, complaints };
  }
}

interface Directive {
  readonly flags: string;
  readonly width: string | undefined;
  /** Undefined where no precision is given, `''` for a dot alone. */
  readonly precision: string | undefined;
  readonly kind: string;
}

const known = new Map<string, (string | Directive)[]>();

function piecesOf(format: string): (string | Directive)[] {
  let pieces = known.get(format);
  if (pieces) return pieces;
  pieces = [];
  let rest = format;
  while (rest !== '') {
    const percent = rest.indexOf('%');
    const literal = percent < 0 ? rest : rest.slice(0, percent);
    if (literal !== '') pieces.push(unescapeFormat(literal));
    if (percent < 0) break;
    rest = rest.slice(percent);
    const [all = '%', flags = '', width, precision, kind = ''] = DIRECTIVE.exec(rest) ?? [];
    pieces.push({ flags, width, precision, kind });
    rest = rest.slice(all.length);
  }
  if (known.size > 200) known.clear();
  known.set(format, pieces);
  return pieces;
}

function unescapeFormat(text: string): string {
  return text.includes('\\') ? unescapeAnsi(text.replace(/\\c([^])/g, '\\\\c$1')) : text;
}

/** Reads the width and the precision of a directive, which may be arguments. */
function conversionOf(
  { flags, width: givenWidth, precision: givenPrecision, kind }: Directive,
  next: () => string | undefined,
): Conversion {
  let isLeft = flags.includes('-');
  let width = givenWidth === '*' ? Number(next() ?? 0) : Number(givenWidth ?? 0);
  if (width < 0) {
    isLeft = true;
    width = -width;
  }
  let precision: number | undefined;
  if (givenPrecision !== undefined)
    precision = givenPrecision === '*' ? Number(next() ?? 0) : Number(givenPrecision || 0);
  if (precision !== undefined && precision < 0) precision = undefined;
  return {
    left: isLeft,
    plus: flags.includes('+'),
    space: flags.includes(' '),
    alternate: flags.includes('#'),
    zero: flags.includes('0'),
    width,
    precision,
    letter: kind,
  };
}

/** Formats the time of `%(format)T`: `-1` is now, `-2` is when the shell started. */
function timeText(shell: Shell, kind: string, given: string | undefined): string {
  const seconds =
    given === undefined || given === '-1'
      ? Date.now() / 1000
      : given === '-2'
        ? Date.now() / 1000 - performance.now() / 1000
        : Number(given);
  const moment = { seconds: Math.floor(seconds), nanoseconds: 0 };
  return strftime(kind.slice(1, -2) || '%X', moment, shell.variables.get('TZ') ?? 'UTC');
}

function one(
  shell: Shell,
  directive: Directive,
  next: () => string | undefined,
  complaints: string[],
): { readonly text: string; readonly stops?: boolean } | null {
  const { kind } = directive;
  if (kind === '%') return { text: '%' };
  const conversion = conversionOf(directive, next);
  const { precision } = conversion;
  const pad = (text: string) => padded(text, conversion);
  if (kind.endsWith('T')) return { text: pad(timeText(shell, kind, next())) };
  switch (kind) {
    case 's': {
      const value = next() ?? '';
      return { text: pad(precision === undefined ? value : [...value].slice(0, precision).join('')) };
    }
    case 'q': {
      const value = next() ?? '';
      return { text: pad(quoteWord(value)) };
    }
    case 'Q': {
      const value = next() ?? '';
      return { text: pad(quoteWord(precision === undefined ? value : value.slice(0, precision))) };
    }
    case 'b': {
      const value = next() ?? '';
      const { text, stops } = unescapeEcho(value, true);
      return { text: pad(precision === undefined ? text : text.slice(0, precision)), stops };
    }
    case 'c':
      return { text: pad([...(next() ?? '')][0] ?? '\0') };
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      return { text: formatInteger(whole(shell, next(), complaints), conversion) };
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
      return { text: formatFloat(fraction(next(), complaints), conversion, true) };
    }
    default:
      if (kind === '') complaints.push(`\`%': missing format character`);
      else complaints.push(`\`${kind}': invalid format character`);
      return null;
  }
}

function whole(shell: Shell, text: string | undefined, complaints: string[]): bigint {
  if (text === undefined || text === '') return 0n;
  if (/^["']/.test(text)) return BigInt(text.codePointAt(1) ?? 0);
  const trimmed = text.trim();
  if (/^[-+]?(?:\d+|0[xX][\da-fA-F]+)$/.test(trimmed)) {
    try {
      const value = BigInt(evaluate(shell.variables, trimmed));
      return value;
    } catch {
      // The digits do not fit the base, as in 09.
    }
  }
  complaints.push(`${text}: invalid number`);
  const [start] = /^[-+]?\d+/.exec(trimmed) ?? [];
  return start === undefined
    ? 0n
    : /^[-+]?0\d/.test(start)
      ? BigInt(Number.parseInt(start, 8) || 0)
      : BigInt(start.replace(/^\+/, ''));
}

function fraction(text: string | undefined, complaints: string[]): number {
  if (text === undefined || text === '') return 0;
  if (/^["']/.test(text)) return text.codePointAt(1) ?? 0;
  const trimmed = text.trim();
  if (/^[-+]?inf(?:inity)?$/i.test(trimmed)) return trimmed.startsWith('-') ? -Infinity : Infinity;
  if (/^[-+]?nan$/i.test(trimmed)) return NaN;
  const value = Number(trimmed);
  if (!Number.isNaN(value) && trimmed !== '') return value;
  complaints.push(`${text}: invalid number`);
  return Number.parseFloat(trimmed) || 0;
}

/** Replaces the escapes of `echo -e` and `%b`; `\c` ends all output. */
export function unescapeEcho(
  text: string,
  isPrintf = false,
): { readonly text: string; readonly stops: boolean } {
  if (!text.includes('\\')) return { text, stops: false };
  const stop = /(?<!\\)(?:\\\\)*\\c/.exec(text);
  const before = stop ? text.slice(0, stop.index + stop[0].length - 2) : text;
  const octal = before.replace(/\\(?:\\|0([0-7]{0,3}))/g, (all, digits?: string) =>
    digits === undefined
      ? all
      : digits === ''
        ? '\0'
        : `\\x${(Number.parseInt(digits, 8) & 255).toString(16).padStart(2, '0')}`,
  );
  // Octal escapes without the leading zero, and escaped quotes, exist only in printf.
  const plain = isPrintf
    ? octal
    : octal.replace(/\\(\\|[1-7"'?])/g, (all, char: string) => (char === '\\' ? all : `\\\\${char}`));
  return { text: unescapeAnsi(plain), stops: stop !== null };
}
