import { rescaled, squareRoot, type Decimal } from './decimal.ts';

/**
 * The functions of `bc -l`, by series over whole numbers that stand for `number / unit`. More digits are computed than are
 * asked for, so that cutting off the rest gives the right ones.
 */

/** Digits that rounding may spoil. */
const GUARD = 12;

/** The digits of a number before its point. */
const digitsBefore = ({ digits, scale }: Decimal): number =>
  Math.max(0, (digits < 0n ? -digits : digits).toString().length - scale);

const unitOf = (places: number): bigint => 10n ** BigInt(places);

/** Adds up terms until they vanish. `next` makes the term at a number from the one before it. */
function sum(first: bigint, next: (term: bigint, at: bigint) => bigint): bigint {
  let total = first;
  let at = 1n;
  for (let term = next(first, at); term !== 0n; term = next(term, ++at)) total += term;
  return total;
}

/** `x + x³/3 + x⁵/5 …`, or with the signs in turn: the inverse hyperbolic tangent, or the inverse tangent. */
function oddSeries(x: bigint, unit: bigint, sign: 1n | -1n): bigint {
  const square = (x * x) / unit;
  let [power, total] = [x, 0n];
  for (let at = 1n; power !== 0n; at += 2n) {
    total += power / at;
    power = (sign * power * square) / unit;
  }
  return total;
}

/** Machin's formula. */
function pi(unit: bigint): bigint {
  return 16n * oddSeries(unit / 5n, unit, -1n) - 4n * oddSeries(unit / 239n, unit, -1n);
}

export function exponential(x: Decimal, scale: number): Decimal {
  const size = Number(rescaled(x, 0).digits);
  // Below this every digit that is shown is a zero.
  if (size * Math.LOG10E < -(scale + 2)) return { digits: 0n, scale };
  // Each of the squarings below doubles the error.
  const halvings = 8 + 4 * digitsBefore(x);
  const places = scale + GUARD + halvings + Math.ceil(Math.max(0, size) * Math.LOG10E);
  const unit = unitOf(places);
  const reduced = rescaled(x, places).digits >> BigInt(halvings);
  let value = sum(unit, (term, at) => (term * reduced) / (unit * at));
  for (let at = 0; at < halvings; at++) value = (value * value) / unit;
  return rescaled({ digits: value, scale: places }, scale);
}

export function logarithm(x: Decimal, scale: number): Decimal {
  // bc has no infinity: for zero and below, GNU bc returns this large negative number.
  if (x.digits <= 0n) return { digits: unitOf(scale) - unitOf(2 * scale), scale };
  const places = scale + GUARD + x.scale + digitsBefore(x);
  const unit = unitOf(places);
  let [value, twos] = [rescaled(x, places).digits, 0n];
  for (; value * 2n > unit * 3n; twos++) value = value / 2n;
  for (; value * 4n < unit * 3n; twos--) value = value * 2n;
  const near = ((value - unit) * unit) / (value + unit);
  const digits = 2n * (oddSeries(near, unit, 1n) + twos * oddSeries(unit / 3n, unit, 1n));
  return rescaled({ digits, scale: places }, scale);
}

export function sine(x: Decimal, scale: number): Decimal {
  const { reduced, unit, places } = turned(x, scale);
  const square = (reduced * reduced) / unit;
  const digits = sum(reduced, (term, at) => (-term * square) / (unit * 2n * at * (2n * at + 1n)));
  return rescaled({ digits, scale: places }, scale);
}

export function cosine(x: Decimal, scale: number): Decimal {
  const { reduced, unit, places } = turned(x, scale);
  const square = (reduced * reduced) / unit;
  const digits = sum(unit, (term, at) => (-term * square) / (unit * 2n * at * (2n * at - 1n)));
  return rescaled({ digits, scale: places }, scale);
}

/** The same angle between minus and plus one half turn. */
function turned(x: Decimal, scale: number) {
  const places = scale + GUARD + digitsBefore(x);
  const unit = unitOf(places);
  const turn = 2n * pi(unit);
  const rest = rescaled(x, places).digits % turn;
  const reduced = rest * 2n > turn ? rest - turn : rest * 2n < -turn ? rest + turn : rest;
  return { reduced, unit, places };
}

export function arcTangent(x: Decimal, scale: number): Decimal {
  const places = scale + GUARD + digitsBefore(x);
  const unit = unitOf(places);
  const whole = rescaled(x, places).digits;
  const amount = whole < 0n ? -whole : whole;
  const isLarge = amount > unit;
  let near = isLarge ? (unit * unit) / amount : amount;
  // Half the angle, twice, for a series that is short.
  for (let at = 0; at < 2; at++) {
    const root = squareRoot({ digits: unit + (near * near) / unit, scale: places }, places).digits;
    near = (near * unit) / (unit + root);
  }
  const angle = 4n * oddSeries(near, unit, -1n);
  const digits = isLarge ? pi(unit) / 2n - angle : angle;
  return rescaled({ digits: whole < 0n ? -digits : digits, scale: places }, scale);
}

/** The Bessel function of the whole order `n`. */
export function bessel(n: Decimal, x: Decimal, scale: number): Decimal {
  const given = Number(rescaled(n, 0).digits);
  const order = Math.abs(given);
  const size = Math.abs(Number(rescaled(x, 0).digits));
  // Large terms of both signs cancel each other.
  const places = scale + GUARD + size + order;
  const unit = unitOf(places);
  const half = rescaled(x, places).digits / 2n;
  const square = (half * half) / unit;
  let first = unit;
  for (let at = 1n; at <= order; at++) first = (first * half) / (unit * at);
  const digits = sum(first, (term, at) => (-term * square) / (unit * at * (at + BigInt(order))));
  return rescaled({ digits: given < 0 && order % 2 === 1 ? -digits : digits, scale: places }, scale);
}
