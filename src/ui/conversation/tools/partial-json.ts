import type { Json } from '../../../base/json.ts';

/**
 * Parses as much of a JSON text as has arrived. Open strings, arrays and objects are closed where the text
 * ends. Anything that is not yet a value (a bare key, an unfinished exponent, `tru`) is left out. Returns
 * `undefined` if there is no value yet, or the text is not JSON at all.
 */
export function parsePartialJson(text: string): Json | undefined {
  try {
    return new Reader(text).document();
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

class NotJson extends Error {}

/** More levels than any tool's arguments have; the limit keeps hostile nesting from exhausting the stack. */
const MAX_DEPTH = 100;
const LITERALS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Json | undefined {
    const value = this.#value(0);
    this.#space();
    if (!this.#ended()) throw new NotJson();
    return value;
  }

  #value(depth: number): Json | undefined {
    this.#space();
    if (depth > MAX_DEPTH) throw new NotJson();
    const char = this.#text[this.#at];
    if (char === undefined) return undefined;
    if (char === '"') return this.#string().value;
    if (char === '{') return this.#object(depth);
    if (char === '[') return this.#array(depth);
    const literal = this.#literal();
    return literal ? literal.value : this.#number();
  }

  #object(depth: number): Json {
    // The object has no prototype, so that a key named `__proto__` is only a key.
    const object: Record<string, Json> = Object.create(null);
    this.#at++;
    for (;;) {
      this.#space();
      if (this.#ended() || this.#take('}')) return object;
      if (this.#text[this.#at] !== '"') throw new NotJson();
      const key = this.#string();
      this.#space();
      if (!key.closed || this.#ended()) return object;
      if (!this.#take(':')) throw new NotJson();
      const value = this.#value(depth + 1);
      if (value !== undefined) object[key.value] = value;
      this.#space();
      if (this.#ended() || this.#take('}')) return object;
      if (!this.#take(',')) throw new NotJson();
    }
  }

  #array(depth: number): Json {
    const array: Json[] = [];
    this.#at++;
    for (;;) {
      this.#space();
      if (this.#ended() || this.#take(']')) return array;
      const value = this.#value(depth + 1);
      if (value !== undefined) array.push(value);
      this.#space();
      if (this.#ended() || this.#take(']')) return array;
      if (!this.#take(',')) throw new NotJson();
    }
  }

  #string(): { value: string; closed: boolean } {
    let value = '';
    this.#at++;
    for (;;) {
      const next = this.#nextSpecial();
      value += this.#text.slice(this.#at, next);
      this.#at = next;
      if (this.#ended()) return { value, closed: false };
      if (this.#take('"')) return { value, closed: true };
      const escape = this.#text[this.#at + 1];
      const length = escape === 'u' ? 6 : 2;
      if (this.#at + length > this.#text.length) {
        this.#at = this.#text.length;
        return { value, closed: false };
      }
      const code = this.#text.slice(this.#at + 2, this.#at + length);
      value += escape === 'u' ? String.fromCharCode(parseInt(code, 16) || 0) : (ESCAPES[escape!] ?? escape);
      this.#at += length;
    }
  }

  #nextSpecial(): number {
    let at = this.#at;
    while (at < this.#text.length && this.#text[at] !== '"' && this.#text[at] !== '\\') at++;
    return at;
  }

  /** `value` is `undefined` if the text ends within the word. */
  #literal(): { readonly value: Json | undefined } | undefined {
    for (const [word, value] of LITERALS) {
      const here = this.#text.slice(this.#at, this.#at + word.length);
      if (here === word) {
        this.#at += word.length;
        return { value };
      }
      if (word.startsWith(here) && this.#at + here.length === this.#text.length) {
        this.#at = this.#text.length;
        return { value: undefined };
      }
    }
    return undefined;
  }

  #number(): Json | undefined {
    if (this.#ended()) return undefined;
    const text = /^-?[\d.eE+-]*/.exec(this.#text.slice(this.#at, this.#at + 40))![0];
    if (text === '') throw new NotJson();
    this.#at += text.length;
    const value = Number(text);
    if (text !== '-' && Number.isFinite(value)) return value;
    if (this.#ended()) return undefined;
    throw new NotJson();
  }

  #space(): void {
    while (' \t\n\r'.includes(this.#text[this.#at] ?? 'x')) this.#at++;
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #ended(): boolean {
    return this.#at >= this.#text.length;
  }
}
