import type { HeaderList } from '../builtin.ts';
import { needString, nodeError } from '../internal/errors.ts';
import { withoutPrototype } from '../internal/without-prototype.ts';

export type HeaderValue = string | number | readonly string[];

const token = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;
const badInValue = /[^\t\u0020-\u007e\u0080-\u00ff]/;

export function validateHeaderName(name: unknown, label = 'Header name'): void {
  if (typeof name !== 'string' || !token.test(name))
    throw nodeError(
      'ERR_INVALID_HTTP_TOKEN',
      `${label} must be a valid HTTP token ["${String(name)}"]`,
      TypeError,
    );
}

export function validateHeaderValue(name: string, value: unknown): void {
  if (value === undefined)
    throw nodeError(
      'ERR_HTTP_INVALID_HEADER_VALUE',
      `Invalid value "${String(value)}" for header "${name}"`,
      TypeError,
    );
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.some((each) => badInValue.test(String(each))))
    throw nodeError('ERR_INVALID_CHAR', `Invalid character in header content ["${name}"]`, TypeError);
}

/** The headers of a message that is being made. */
export class OutgoingHeaders {
  readonly #entries = new Map<string, { name: string; value: HeaderValue }>();

  set(name: unknown, value: unknown): void {
    validateHeaderName(name);
    validateHeaderValue(String(name), value);
    this.#entries.set(String(name).toLowerCase(), { name: String(name), value: value as HeaderValue });
  }

  append(name: string, value: string | readonly string[]): void {
    const there = this.get(name);
    if (there === undefined) return this.set(name, value);
    const before = Array.isArray(there) ? (there as readonly string[]) : [String(there as string)];
    this.set(name, [...before, ...(typeof value === 'string' ? [value] : value)]);
  }

  get(name: unknown): HeaderValue | undefined {
    needString(name, 'name');
    return this.#entries.get(name.toLowerCase())?.value;
  }

  has(name: string): boolean {
    return this.#entries.has(String(name).toLowerCase());
  }

  delete(name: string): void {
    this.#entries.delete(String(name).toLowerCase());
  }

  names(raw: boolean): string[] {
    return raw ? Array.from(this.#entries.values(), ({ name }) => name) : [...this.#entries.keys()];
  }

  all(): Record<string, HeaderValue> {
    const found = withoutPrototype<HeaderValue>();
    for (const [name, { value }] of this.#entries) found[name] = value;
    return found;
  }

  list(): [string, string][] {
    return Array.from(this.#entries.values()).flatMap(({ name, value }): [string, string][] => {
      const values: readonly (string | number)[] = typeof value === 'object' ? value : [value];
      return name.toLowerCase() === 'cookie'
        ? [[name, values.join('; ')]]
        : values.map((each) => [name, String(each)]);
    });
  }
}

const single = new Set(
  'age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since last-modified location max-forwards proxy-authorization referer retry-after server user-agent'.split(
    ' ',
  ),
);

/** As node joins what came more than once. `all`: those too of which the first counts. */
export function incomingHeaders(list: HeaderList, all = false): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [raw, value] of list) {
    const name = raw.toLowerCase();
    const there = Object.hasOwn(headers, name) ? headers[name] : undefined;
    if (name === 'set-cookie') headers[name] = Array.isArray(there) ? [...there, value] : [value];
    else if (there === undefined) headers[name] = value;
    else if (all || !single.has(name))
      headers[name] = `${String(there)}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  return headers;
}

/** Each name with all that came of it. */
export function distinctHeaders(list: HeaderList): Record<string, string[]> {
  const found = withoutPrototype<string[]>();
  for (const [name, value] of list) (found[name.toLowerCase()] ??= []).push(value);
  return found;
}
