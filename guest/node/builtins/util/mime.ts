import { nodeError } from '../internal/errors.ts';

const token = /^[!#$%&'*+\-.^_`|~\w]+$/;
const quotable = /^[\t\u0020-\u007E\u0080-\u00FF]*$/;

function invalid(what: string, text: string, at: number): Error {
  const place = at < 0 ? '' : ` at ${at}`;
  return nodeError(
    'ERR_INVALID_MIME_SYNTAX',
    `The MIME syntax for a ${what} in "${text}" is invalid${place}`,
    TypeError,
  );
}

const badAt = (text: string) => Array.from(text).findIndex((each) => !token.test(each));

/** `whole`: what it was read from. */
function needToken(what: string, text: string, whole = text): void {
  if (!token.test(text)) throw invalid(what, whole, badAt(text));
}

const written = (value: string) =>
  value.length === 0 || !token.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value;

export class MIMEParams {
  readonly #values = new Map<string, string>();

  static read(text: string): MIMEParams {
    const params = new MIMEParams();
    const part = /;[\r\n\t ]*([^;=]*)(?:=(?:"((?:[^"\\]|\\.?)*)"?[^;]*|([^;]*)))?/gs;
    for (const [, name = '', quoted, plain] of text.matchAll(part)) {
      const key = name.toLowerCase();
      if (quoted === undefined && plain === undefined) continue;
      const value =
        quoted === undefined ? (plain ?? '').replace(/[\r\n\t ]+$/, '') : quoted.replace(/\\(.)/gs, '$1');
      if (quoted === undefined && value === '') continue;
      if (token.test(key) && quotable.test(value) && !params.#values.has(key)) params.#values.set(key, value);
    }
    return params;
  }

  delete(name: string): void {
    this.#values.delete(String(name));
  }

  get(name: string): string | null {
    return this.#values.get(String(name)) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(String(name));
  }

  set(name: string, value: string): void {
    const [key, text] = [String(name), String(value)];
    needToken('parameter name', key);
    if (!quotable.test(text))
      throw invalid(
        'parameter value',
        text,
        Array.from(text).findIndex((each) => !quotable.test(each)),
      );
    this.#values.set(key, text);
  }

  entries() {
    return this.#values.entries();
  }

  keys() {
    return this.#values.keys();
  }

  values() {
    return this.#values.values();
  }

  [Symbol.iterator]() {
    return this.#values.entries();
  }

  toString(): string {
    return Array.from(this.#values, ([name, value]) => `${name}=${written(value)}`).join(';');
  }

  toJSON(): string {
    return this.toString();
  }
}

export class MIMEType {
  #type: string;
  #subtype: string;
  readonly #params: MIMEParams;

  constructor(input: string) {
    const whole = String(input);
    const text = whole.replace(/^[\r\n\t ]+/, '');
    const slash = text.indexOf('/');
    const end = text.indexOf(';', slash + 1);
    const type = slash < 0 ? text : text.slice(0, slash);
    if (slash < 0) throw invalid('type', whole, badAt(type));
    needToken('type', type, whole);
    const subtype = text.slice(slash + 1, end < 0 ? undefined : end).replace(/[\r\n\t ]+$/, '');
    needToken('subtype', subtype, whole);
    this.#type = type.toLowerCase();
    this.#subtype = subtype.toLowerCase();
    this.#params = MIMEParams.read(end < 0 ? '' : text.slice(end));
  }

  get type(): string {
    return this.#type;
  }

  set type(value: string) {
    needToken('type', String(value));
    this.#type = String(value).toLowerCase();
  }

  get subtype(): string {
    return this.#subtype;
  }

  set subtype(value: string) {
    needToken('subtype', String(value));
    this.#subtype = String(value).toLowerCase();
  }

  get essence(): string {
    return `${this.#type}/${this.#subtype}`;
  }

  get params(): MIMEParams {
    return this.#params;
  }

  toString(): string {
    const params = this.#params.toString();
    return params ? `${this.essence};${params}` : this.essence;
  }

  toJSON(): string {
    return this.toString();
  }
}
