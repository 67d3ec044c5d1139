/** A number with a fixed count of digits after the point: `digits / 10 ** scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

export const ZERO: Decimal = { digits: 0n, scale: 0 };

export function whole(value: number | bigint): Decimal {
  return { digits: BigInt(value), scale: 0 };
}

/** Changes the scale. Extra digits are cut off, not rounded. */
export function rescaled({ digits, scale }: Decimal, to: number): Decimal {
  if (to === scale) return { digits, scale };
  return {
    digits: to > scale ? digits * 10n ** BigInt(to - scale) : digits / 10n ** BigInt(scale - to),
    scale: to,
  };
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: rescaled(a, scale).digits + rescaled(b, scale).digits, scale };
}

export function negated({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale };
}

export function multiply(a: Decimal, b: Decimal, scale: number): Decimal {
  const product = { digits: a.digits * b.digits, scale: a.scale + b.scale };
  return rescaled(product, Math.min(product.scale, Math.max(scale, a.scale, b.scale)));
}

export function divide(a: Decimal, b: Decimal, scale: number): Decimal {
  return { digits: (a.digits * 10n ** BigInt(b.scale + scale)) / (b.digits * 10n ** BigInt(a.scale)), scale };
}

export function remainder(a: Decimal, b: Decimal, scale: number): Decimal {
  const quotient = divide(a, b, scale);
  return rescaled(
    add(a, negated({ digits: quotient.digits * b.digits, scale: quotient.scale + b.scale })),
    Math.max(scale + b.scale, a.scale),
  );
}

export function power(a: Decimal, exponent: number, scale: number): Decimal {
  if (exponent < 0) return divide(whole(1), power(a, -exponent, scale), scale);
  const result = { digits: a.digits ** BigInt(exponent), scale: a.scale * exponent };
  return rescaled(result, Math.min(result.scale, Math.max(scale, a.scale)));
}

export function compare(a: Decimal, b: Decimal): number {
  const { digits } = add(a, negated(b));
  return digits < 0n ? -1 : digits > 0n ? 1 : 0;
}

export function squareRoot(a: Decimal, scale: number): Decimal {
  const to = Math.max(scale, a.scale);
  const target = rescaled(a, to * 2).digits;
  if (target === 0n) return { digits: 0n, scale: to };
  let guess = 1n << BigInt(Math.ceil(target.toString(2).length / 2));
  for (;;) {
    const next = (guess + target / guess) >> 1n;
    if (next >= guess) return { digits: guess, scale: to };
    guess = next;
  }
}

export function fromText(text: string, base: number): Decimal {
  const [head = '', tail = ''] = text.split('.');
  if (base === 10) return { digits: BigInt(head + tail || '0'), scale: tail.length };
  const value = (char: string) => Math.min(base - 1, parseInt(char, 36));
  let digits = 0n;
  for (const char of head)
    digits = digits * BigInt(base) + BigInt(head.length === 1 ? parseInt(char, 36) : value(char));
  if (tail === '') return { digits, scale: 0 };
  let fraction = 0n;
  for (const char of tail) fraction = fraction * BigInt(base) + BigInt(value(char));
  const scale = tail.length;
  return add(
    { digits, scale: 0 },
    { digits: (fraction * 10n ** BigInt(scale)) / BigInt(base) ** BigInt(scale), scale },
  );
}

/** Writes a number like bc, without a zero before the point. */
export function toText({ digits, scale }: Decimal, base: number): string {
  if (digits === 0n) return '0';
  const sign = digits < 0n ? '-' : '';
  const amount = digits < 0n ? -digits : digits;
  const unit = 10n ** BigInt(scale);
  const head = amount / unit;
  if (base === 10) {
    const tail = scale > 0 ? `.${(amount % unit).toString().padStart(scale, '0')}` : '';
    return sign + (head === 0n && tail !== '' ? '' : head.toString()) + tail;
  }
  const name = (value: bigint) =>
    base <= 16
      ? value.toString(16).toUpperCase()
      : ` ${value.toString().padStart(String(base - 1).length, '0')}`;
  let text = '';
  for (let left = head; left > 0n; left /= BigInt(base)) text = name(left % BigInt(base)) + text;
  if (text === '' && scale === 0) text = name(0n);
  if (scale > 0) {
    text += '.';
    let rest = amount % unit;
    for (let reached = 1n; reached < unit; reached *= BigInt(base)) {
      rest *= BigInt(base);
      text += name(rest / unit);
      rest %= unit;
    }
  }
  return sign + text;
}
