export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = Map<string, Json>;

/** An error that a jq program raises. Any value can be raised. */
export class JqError extends Error {
  readonly value: Json;

  constructor(value: Json) {
    super(typeof value === 'string' ? value : `${printed(value)} (not a string)`);
    this.value = value;
  }
}

export class BadJson extends Error {}

/** Parses a stream of JSON values. */
export function* parseJson(text: string): Generator<Json, void, undefined> {
  const reader = new Reader(text);
  while (reader.more()) yield reader.value();
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  more(): boolean {
    const space = /[\s\ufeff\x1e]*/y;
    space.lastIndex = this.#at;
    space.exec(this.#text);
    this.#at = space.lastIndex;
    return this.#at < this.#text.length;
  }

  #wrong(what: string): BadJson {
    const lines = this.#text.slice(0, this.#at).split('\n');
    return new BadJson(`${what} at line ${lines.length}, column ${(lines.at(-1) ?? '').length}`);
  }

  value(): Json {
    if (!this.more()) throw this.#wrong('Unfinished JSON term');
    const char = this.#text[this.#at];
    if (char === '"') return this.#string();
    if (char === '[') return this.#list();
    if (char === '{') return this.#object();
    const literal = /-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[A-Za-z]+/y;
    literal.lastIndex = this.#at;
    const found = literal.exec(this.#text)?.[0];
    if (found === undefined) throw this.#wrong('Invalid literal');
    this.#at += found.length;
    switch (found) {
      case 'null':
      case 'nan':
      case 'NaN':
        return null;
      case 'true':
        return true;
      case 'false':
        return false;
    }
    if (/^[A-Za-z]/.test(found)) throw this.#wrong('Invalid literal');
    return Number(found);
  }

  #string(): string {
    const whole = /"(?:[^"\\]|\\[^])*"/y;
    whole.lastIndex = this.#at;
    const found = whole.exec(this.#text)?.[0];
    if (found === undefined) throw this.#wrong('Unfinished string');
    this.#at += found.length;
    if (!found.includes('\\')) return found.slice(1, -1);
    return found.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|[^])/g, (_all, code: string) => {
      if (code.startsWith('u')) return String.fromCharCode(parseInt(code.slice(1), 16));
      return { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[code] ?? code;
    });
  }

  #list(): Json[] {
    this.#at++;
    const list: Json[] = [];
    if (this.more() && this.#text[this.#at] === ']') {
      this.#at++;
      return list;
    }
    for (;;) {
      list.push(this.value());
      if (!this.more()) throw this.#wrong('Unfinished JSON term');
      const char = this.#text[this.#at++];
      if (char === ']') return list;
      if (char !== ',') throw this.#wrong('Expected separator between values');
    }
  }

  #object(): JsonObject {
    this.#at++;
    const object: JsonObject = new Map<string, Json>();
    if (this.more() && this.#text[this.#at] === '}') {
      this.#at++;
      return object;
    }
    for (;;) {
      if (!this.more() || this.#text[this.#at] !== '"') throw this.#wrong('Object keys must be strings');
      const key = this.#string();
      if (!this.more() || this.#text[this.#at] !== ':')
        throw this.#wrong('Objects must consist of key:value pairs');
      this.#at++;
      object.set(key, this.value());
      if (!this.more()) throw this.#wrong('Unfinished JSON term');
      const char = this.#text[this.#at++];
      if (char === '}') return object;
      if (char !== ',') throw this.#wrong('Expected separator between values');
    }
  }
}

/** Writes a number like jq: with at most 17 digits, and with an exponent where it is very large or small. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return 'null';
  if (!Number.isFinite(value)) return value > 0 ? '1.7976931348623157e+308' : '-1.7976931348623157e+308';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', power = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = Number(power) + 1;
  const sign = value < 0 ? '-' : '';
  if (point <= -5 || point > digits.length + 15) {
    const shown = digits.length > 1 ? `${digits.charAt(0)}.${digits.slice(1)}` : digits;
    return `${sign}${shown}e${point <= 0 ? '-' : '+'}${String(Math.abs(point - 1)).padStart(2, '0')}`;
  }
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

export interface Printing {
  /** The indentation of one level; an empty text puts everything on one line. */
  readonly indent?: string;
  readonly sort?: boolean;
  readonly ascii?: boolean;
  readonly colors?: boolean;
}

function stringText(text: string, ascii: boolean): string {
  const shown = JSON.stringify(text).replaceAll('\x7f', '\\u007f');
  if (!ascii) return shown;
  return shown.replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function printed(value: Json, options: Printing = {}, level = ''): string {
  const { indent = '', colors = false } = options;
  const paint = (code: string, text: string) => (colors ? `\x1b[${code}m${text}\x1b[0m` : text);
  if (value === null) return paint('1;30', 'null');
  if (typeof value === 'boolean') return paint('0;39', String(value));
  if (typeof value === 'number') return paint('0;39', numberText(value));
  if (typeof value === 'string') return paint('0;32', stringText(value, options.ascii === true));
  const inner = level + indent;
  const gap = indent === '' ? '' : `\n${inner}`;
  const end = indent === '' ? '' : `\n${level}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return paint('1;39', '[]');
    const items = value.map((item) => gap + printed(item, options, inner));
    return colors
      ? `\x1b[1;39m[${items.join('\x1b[1;39m,')}\x1b[1;39m${end}\x1b[1;39m]\x1b[0m`
      : `[${items.join(',')}${end}]`;
  }
  if (value.size === 0) return paint('1;39', '{}');
  const keys = options.sort ? [...value.keys()].sort(byText) : [...value.keys()];
  const items = keys.map((key) => {
    const name = colors
      ? `\x1b[0m\x1b[34;1m${stringText(key, false)}\x1b[0m\x1b[1;39m:\x1b[0m`
      : `${stringText(key, options.ascii === true)}:`;
    return `${gap}${name}${indent === '' ? '' : ' '}${printed(value.get(key) ?? null, options, inner)}`;
  });
  return colors
    ? `\x1b[1;39m{${items.join('\x1b[1;39m,')}\x1b[1;39m${end}\x1b[1;39m}\x1b[0m`
    : `{${items.join(',')}${end}}`;
}

export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function kind(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return value instanceof Map ? 'object' : typeof value;
}

function rank(value: Json): number {
  if (value === null) return 0;
  if (value === false) return 1;
  if (value === true) return 2;
  if (typeof value === 'number') return 3;
  if (typeof value === 'string') return 4;
  return Array.isArray(value) ? 5 : 6;
}

/** Compares two values by jq's order of all values. */
export function compare(a: Json, b: Json): number {
  const order = rank(a) - rank(b);
  if (order !== 0) return order;
  if (typeof a === 'number' && typeof b === 'number') return a < b || Number.isNaN(a) ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return byText(a, b);
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let at = 0; at < Math.min(a.length, b.length); at++) {
      const item = compare(a[at] ?? null, b[at] ?? null);
      if (item !== 0) return item;
    }
    return a.length - b.length;
  }
  if (a instanceof Map && b instanceof Map) {
    const [left, right] = [[...a.keys()].sort(byText), [...b.keys()].sort(byText)];
    const keys = compare(left, right);
    if (keys !== 0) return keys;
    for (const key of left) {
      const item = compare(a.get(key) ?? null, b.get(key) ?? null);
      if (item !== 0) return item;
    }
  }
  return 0;
}

export function isTrue(value: Json): boolean {
  return value !== null && value !== false;
}

/** The JSON of a value, cut for a message. */
export function brief(value: Json): string {
  const text = printed(value);
  return text.length > 11 ? `${text.slice(0, 10)}...` : text;
}
