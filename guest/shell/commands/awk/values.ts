import { conversionOf, formatFloat, formatInteger, padded, piecesOf } from '../../kit/c-format.ts';

/** Text from outside the program, which compares as a number where it looks like one. */
export class Field {
  readonly text: string;
  #number: number | null | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The number that the text looks like; null where it does not. */
  get number(): number | null {
    return (this.#number ??= LOOKS_NUMERIC.test(this.text) ? Number(this.text) : null);
  }
}

const LOOKS_NUMERIC = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/;
const STARTS_NUMERIC = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/;

export type Value = number | string | Field | undefined;
export type AwkArray = Map<string, Value | AwkArray>;

export function numberOf(value: Value): number {
  if (typeof value === 'number') return value;
  if (value === undefined) return 0;
  if (typeof value !== 'string') {
    const { number } = value;
    if (number !== null) return number;
    value = value.text;
  }
  const found = STARTS_NUMERIC.exec(value);
  return found ? Number(found[0]) : 0;
}

export function numberText(value: number, format: string): string {
  if (Number.isInteger(value)) {
    const text = String(value);
    return text.includes('e') ? BigInt(value).toString() : text;
  }
  if (Number.isNaN(value)) return '-nan';
  if (!Number.isFinite(value)) return value > 0 ? '+inf' : '-inf';
  if (format === '%.6g') return sixDigits(value);
  return sprintf(format, [value], format);
}

function sixDigits(value: number): string {
  const text = value.toPrecision(6);
  if (text.includes('e')) {
    const [mantissa = '', power = ''] = text.split('e');
    const sign = power.startsWith('-') ? '-' : '+';
    return `${mantissa.replace(/\.?0+$/, '')}e${sign}${power.replace(/^[-+]/, '').padStart(2, '0')}`;
  }
  // JavaScript switches to exponents at smaller numbers than C does.
  if (Math.abs(value) < 1e-4) return sprintf('%.5e', [value], '').replace(/\.?0+e/, 'e');
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

export function textOf(value: Value, format: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value, format);
  return value === undefined ? '' : value.text;
}

export function isTrue(value: Value): boolean {
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'string') return value !== '';
  if (value === undefined) return false;
  return value.number === null ? value.text !== '' : value.number !== 0;
}

/**
 * Compares two values: negative, 0 or positive. They compare as numbers where both are numbers or look like
 * numbers.
 */
export function compare(a: Value, b: Value, format: string): number {
  const x = typeof a === 'number' ? a : a === undefined ? 0 : typeof a === 'string' ? null : a.number;
  const y = typeof b === 'number' ? b : b === undefined ? 0 : typeof b === 'string' ? null : b.number;
  if (x !== null && y !== null && !(a === undefined && b === undefined)) return x < y ? -1 : x > y ? 1 : 0;
  const [s, t] = [textOf(a, format), textOf(b, format)];
  return s < t ? -1 : s > t ? 1 : 0;
}

export function sprintf(format: string, args: readonly Value[], convert: string): string {
  let at = 0;
  let result = '';
  for (const piece of piecesOf(format)) {
    if ('text' in piece) {
      result += piece.text;
      continue;
    }
    const conversion = conversionOf(piece, () => Math.trunc(numberOf(args[at++])));
    const value = args[at++];
    const { letter, precision } = conversion;
    if (letter === 's') {
      const text = textOf(value, convert);
      result += padded(precision === undefined ? text : [...text].slice(0, precision).join(''), conversion);
    } else if (letter === 'c') {
      result += padded(characterOf(value), conversion);
    } else if ('diouxX'.includes(letter)) {
      const number = Math.trunc(numberOf(value));
      result += Number.isFinite(number)
        ? formatInteger(BigInt(number), conversion)
        : formatFloat(number, { ...conversion, letter: 'f' });
    } else result += formatFloat(numberOf(value), conversion);
  }
  return result;
}

function characterOf(value: Value): string {
  const code = typeof value === 'number' ? value : typeof value === 'object' ? value.number : null;
  if (code !== null) return String.fromCodePoint(Math.max(0, Math.trunc(code)) % 0x110000);
  const text = textOf(value, '');
  return text === '' ? '' : String.fromCodePoint(text.codePointAt(0) ?? 0);
}
