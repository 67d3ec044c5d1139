/** One conversion of a C printf format. */
export interface Conversion {
  readonly left: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternate: boolean;
  readonly zero: boolean;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

export function padded(text: string, { left, width }: Conversion): string {
  const length = text.length < width ? [...text].length : text.length;
  if (length >= width) return text;
  return left ? text + ' '.repeat(width - length) : ' '.repeat(width - length) + text;
}

function signed(
  negative: boolean,
  digits: string,
  prefix: string,
  conversion: Conversion,
  zero: boolean,
): string {
  const sign = negative ? '-' : conversion.plus ? '+' : conversion.space ? ' ' : '';
  const head = sign + prefix;
  if (zero && !conversion.left && head.length + digits.length < conversion.width)
    return head + digits.padStart(conversion.width - head.length, '0');
  return padded(head + digits, conversion);
}

/** Formats the conversions d, i, u, o, x and X. */
export function formatInteger(value: bigint, conversion: Conversion): string {
  const { letter, precision, alternate } = conversion;
  const isSigned = letter === 'd' || letter === 'i';
  const negative = isSigned && value < 0n;
  const amount = negative ? -value : isSigned ? value : BigInt.asUintN(64, value);
  const base = letter === 'o' ? 8 : letter === 'x' || letter === 'X' ? 16 : 10;
  let digits = precision === 0 && amount === 0n ? '' : amount.toString(base).padStart(precision ?? 1, '0');
  if (letter === 'X') digits = digits.toUpperCase();
  if (alternate && base === 8 && !digits.startsWith('0')) digits = `0${digits}`;
  const prefix = alternate && base === 16 && amount !== 0n ? `0${letter}` : '';
  const plain = isSigned ? conversion : { ...conversion, plus: false, space: false };
  return signed(negative, digits, prefix, plain, conversion.zero && precision === undefined);
}

/** Formats the conversions e, f, g, their capitals, and a. */
export function formatFloat(value: number, conversion: Conversion, isLong = false): string {
  const { letter, alternate } = conversion;
  const negative = value < 0 || Object.is(value, -0);
  const amount = Math.abs(value);
  if (!Number.isFinite(amount)) {
    const name = Number.isNaN(amount) ? 'nan' : 'inf';
    const shown = letter === letter.toUpperCase() ? name.toUpperCase() : name;
    return signed(negative && !Number.isNaN(amount), shown, '', conversion, false);
  }
  const precision = conversion.precision ?? 6;
  const lower = letter.toLowerCase();
  let digits =
    lower === 'f'
      ? fixed(amount, precision)
      : lower === 'e'
        ? exponent(amount, precision)
        : lower === 'a'
          ? hexadecimal(amount, conversion.precision, isLong)
          : general(amount, precision, alternate);
  if (alternate && precision === 0 && lower === 'f') digits += '.';
  if (letter !== lower) digits = digits.toUpperCase();
  return signed(negative, digits, '', conversion, conversion.zero);
}

/** Writes the exact binary value of the number in decimal, rounding halves to even as C does. */
function fixed(amount: number, precision: number): string {
  if (amount < 1e21 && precision <= 100) {
    // Halves can be recognised exactly only where the number has few binary places.
    const scaled = amount * 10 ** precision;
    const isHalf = Number.isInteger(amount * 2 ** (precision + 1)) && scaled % 1 === 0.5 && scaled < 2 ** 50;
    return isHalf && Math.floor(scaled) % 2 === 0
      ? (Math.floor(scaled) / 10 ** precision).toFixed(precision)
      : amount.toFixed(precision);
  }
  const whole = BigInt(Math.floor(amount)).toString();
  return precision > 0 ? `${whole}.${'0'.repeat(precision)}` : whole;
}

function exponent(amount: number, precision: number): string {
  return amount.toExponential(Math.min(precision, 100)).replace(/e([-+])(\d)$/, 'e$10$2');
}

function general(amount: number, precision: number, alternate: boolean): string {
  const significant = precision === 0 ? 1 : Math.min(precision, 100);
  if (amount === 0) return alternate ? `0.${'0'.repeat(significant - 1)}` : '0';
  const power = Number(/e([-+]\d+)$/.exec(amount.toExponential(significant - 1))?.[1] ?? 0);
  const text =
    power < -4 || power >= significant
      ? exponent(amount, significant - 1)
      : fixed(amount, Math.max(0, significant - 1 - power));
  if (alternate || !text.includes('.')) return text;
  return text.replace(/\.?0+(e|$)/, '$1');
}

/** With `isLong`, the number is written like a C long double: the digit before the point is 8 to f. */
function hexadecimal(amount: number, precision: number | undefined, isLong: boolean): string {
  if (amount === 0) return `0x0${precision ? `.${'0'.repeat(precision)}` : ''}p+0`;
  let power = Math.floor(Math.log2(amount));
  let mantissa = amount / 2 ** power;
  while (mantissa >= 2) [mantissa, power] = [mantissa / 2, power + 1];
  while (mantissa < 1) [mantissa, power] = [mantissa * 2, power - 1];
  if (isLong) [mantissa, power] = [mantissa * 8, power - 3];
  // The mantissa has 52 bits after the first one.
  let places = 13;
  let bits = BigInt(mantissa * 2 ** 52);
  if (precision !== undefined && precision < places) {
    const cut = BigInt((places - precision) * 4);
    const half = 1n << (cut - 1n);
    const rest = bits & ((1n << cut) - 1n);
    bits >>= cut;
    if (rest > half || (rest === half && bits & 1n)) bits++;
    places = precision;
  }
  const all = bits.toString(16).padStart(places + 1, '0');
  const tail = all.slice(all.length - places);
  const digits =
    precision === undefined ? tail.replace(/0+$/, '') : places === 0 ? '' : tail.padEnd(precision, '0');
  const first = all.slice(0, all.length - places);
  return `0x${first}${digits ? `.${digits}` : ''}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}

/** A piece of a format: text, or a conversion whose width and precision may be `*`. */
export type Piece =
  | { readonly text: string }
  | {
      readonly flags: string;
      readonly width: string;
      readonly precision: string | undefined;
      readonly letter: string;
      readonly source: string;
    };

export function piecesOf(format: string, letters = 'diouxXeEfFgGaAcs'): Piece[] {
  const pieces: Piece[] = [];
  const spec = new RegExp(
    `%(?:%|([-+ #0']*)(\\*|\\d*)(?:\\.(\\*|-?\\d*))?(?:hh|h|ll|l|L|q|j|z|t)?([${letters}]))`,
    'g',
  );
  let from = 0;
  for (const hit of format.matchAll(spec)) {
    const before = format.slice(from, hit.index);
    if (before) pieces.push({ text: before });
    const [source, flags = '', width = '', precision, letter] = hit;
    if (letter === undefined) pieces.push({ text: '%' });
    else pieces.push({ flags, width, precision, letter, source });
    from = hit.index + source.length;
  }
  if (from < format.length) pieces.push({ text: format.slice(from) });
  return pieces;
}

/**
 * `star` returns the next argument as a whole number. It is called where the width or the precision is `*`.
 */
export function conversionOf(
  piece: Exclude<Piece, { readonly text: string }>,
  star: () => number,
): Conversion {
  const { flags, letter } = piece;
  let width = piece.width === '*' ? star() : Number(piece.width);
  const left = flags.includes('-') || width < 0;
  width = Math.abs(width);
  const given =
    piece.precision === '*' ? star() : piece.precision === undefined ? undefined : Number(piece.precision);
  return {
    left,
    plus: flags.includes('+'),
    space: flags.includes(' '),
    alternate: flags.includes('#'),
    zero: flags.includes('0') && !left,
    width,
    precision: given !== undefined && given < 0 ? undefined : given,
    letter,
  };
}
