import { lengthInCharacters, unescapeAnsi } from '../parameters.ts';
import { quoteWord } from '../quoting.ts';
import type { Shell } from '../shell.ts';
import { ShellError } from '../errors.ts';
import { evaluate } from '../arithmetic.ts';
import { placeOf } from '../variables.ts';
import { UsageError, words, type Builtin } from './builtin.ts';
import { strftime } from './strftime.ts';

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
  if (format === undefined) throw new UsageError('usage', USAGE);
  const result = formatted(shell, format, values);
  if (target === undefined) yield* shell.print(result.text);
  else {
    const place = placeOf(target);
    if (!place) throw new ShellError(`\`${target}': not a valid identifier`, 2);
    if (place.subscript === undefined) shell.variables.set(place.name, result.text);
    else shell.variables.setElement(place.name, place.subscript, result.text);
  }
  for (const complaint of result.complaints) yield* shell.complain(`printf: ${complaint}`);
  return result.complaints.length > 0 ? 1 : 0;
};

interface Printed {
  readonly text: string;
  readonly complaints: readonly string[];
}

const DIRECTIVE = /^%([-+ #0']*)(\*|\d+)?(?:\.(\*|-?\d*))?(?:hh|ll|[hlLjzt](?=[a-zA-Z]))?(\([^)]*\)T|[^])?/;

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
  /** Undefined where there is none, '' for a dot alone. */
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

function one(
  shell: Shell,
  { flags, width: givenWidth, precision: givenPrecision, kind }: Directive,
  next: () => string | undefined,
  complaints: string[],
): { readonly text: string; readonly stops?: boolean } | null {
  if (kind === '%') return { text: '%' };
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
  const pad = (text: string, zeros = false) => {
    const missing = width - lengthInCharacters(text);
    if (missing <= 0) return text;
    if (isLeft) return text + ' '.repeat(missing);
    if (!zeros || !flags.includes('0')) return ' '.repeat(missing) + text;
    const [, sign = '', digits = ''] = /^([-+ ]?(?:0[xX])?)([^]*)$/.exec(text) ?? [];
    return sign + '0'.repeat(missing) + digits;
  };
  if (kind.endsWith('T')) {
    const given = next();
    const seconds =
      given === undefined || given === '-1'
        ? Date.now() / 1000
        : given === '-2'
          ? Date.now() / 1000 - performance.now() / 1000
          : Number(given);
    return {
      text: pad(strftime(kind.slice(1, -2) || '%X', new Date(seconds * 1000), shell.variables.get('TZ'))),
    };
  }
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
      return { text: pad([...(next() ?? '')][0] ?? '') };
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      const value = whole(shell, next(), complaints);
      return { text: pad(wholeText(value, kind, flags, precision), precision === undefined) };
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
      const value = fraction(next(), complaints);
      const sign =
        value < 0 || Object.is(value, -0) ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
      return {
        text: pad(sign + fractionText(Math.abs(value), kind, precision ?? 6, flags), Number.isFinite(value)),
      };
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
      // Not a number in its base, such as 09.
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

function wholeText(value: bigint, kind: string, flags: string, precision: number | undefined): string {
  const isSigned = kind === 'd' || kind === 'i';
  const magnitude = isSigned ? (value < 0n ? -value : value) : BigInt.asUintN(64, value);
  let digits = magnitude.toString(kind === 'o' ? 8 : kind.toLowerCase() === 'x' ? 16 : 10);
  if (kind === 'X') digits = digits.toUpperCase();
  if (flags.includes("'") && isSigned) digits = digits.replace(/\B(?=(\d{3})+$)/g, '');
  if (precision !== undefined)
    digits = precision === 0 && magnitude === 0n ? '' : digits.padStart(precision, '0');
  if (flags.includes('#') && magnitude !== 0n)
    digits = kind === 'o' ? `0${digits}` : kind.toLowerCase() === 'x' ? `0${kind}${digits}` : digits;
  if (!isSigned) return digits;
  return (value < 0n ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '') + digits;
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

/** The digits of a number that is not negative, as C's printf has them. */
export function fractionText(value: number, kind: string, precision: number, flags: string): string {
  if (!Number.isFinite(value)) {
    const word = Number.isNaN(value) ? 'nan' : 'inf';
    return kind === kind.toUpperCase() ? word.toUpperCase() : word;
  }
  const upper = kind === kind.toUpperCase();
  let text: string;
  switch (kind.toLowerCase()) {
    case 'f':
      text = fixed(value, precision);
      break;
    case 'e':
      text = exponential(value, precision);
      break;
    case 'g': {
      const digits = precision === 0 ? 1 : precision;
      const exponent = value === 0 ? 0 : Number(value.toExponential(Math.min(100, digits - 1)).split('e')[1]);
      text =
        exponent < -4 || exponent >= digits
          ? exponential(value, digits - 1)
          : fixed(value, Math.max(0, digits - 1 - exponent));
      if (!flags.includes('#') && text.includes('.')) text = text.replace(/\.?0+(?=e|$)/, '');
      break;
    }
    default:
      text = hexadecimal(value);
  }
  return upper ? text.toUpperCase() : text;
}

function fixed(value: number, precision: number): string {
  if (value < 1e21) return value.toFixed(Math.min(100, precision));
  return BigInt(value).toString() + (precision > 0 ? `.${'0'.repeat(precision)}` : '');
}

function exponential(value: number, precision: number): string {
  return value.toExponential(Math.min(100, precision)).replace(/e([-+])(\d)$/, 'e$10$2');
}

function hexadecimal(value: number): string {
  if (value === 0) return '0x0p+0';
  let exponent = Math.floor(Math.log2(value));
  let mantissa = value / 2 ** exponent;
  if (mantissa >= 2) {
    mantissa /= 2;
    exponent++;
  }
  return `0x${mantissa.toString(16)}p${exponent < 0 ? '' : '+'}${exponent}`;
}

/** The escapes of `echo -e` and `%b`; `\c` ends all output. */
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
  // Without the zero only printf knows them, and quotes need no backslash there.
  const plain = isPrintf
    ? octal
    : octal.replace(/\\(\\|[1-7"'?])/g, (all, char: string) => (char === '\\' ? all : `\\\\${char}`));
  return { text: unescapeAnsi(plain), stops: stop !== null };
}
