import type { MakeBuiltin } from './builtin.ts';
import { Buffer } from './buffer/buffer.ts';
import { nodeError } from './internal/errors.ts';
import { withoutPrototype } from './internal/without-prototype.ts';

type Values = Record<string, string | string[]>;

/** Encodes like encodeURIComponent, except for lone surrogates. */
function escape(value: unknown): string {
  const text = typeof value === 'object' ? String(value) : `${value as string}`;
  try {
    return encodeURIComponent(text);
  } catch {
    return encodeURIComponent(text.replace(/[\ud800-\udfff]([^]?)/g, joined));
  }
}

/** Joins a surrogate with the unit after it, whatever that is, as node does. */
function joined(two: string, second: string): string {
  if (second === '') throw nodeError('ERR_INVALID_URI', 'URI malformed', URIError);
  return String.fromCodePoint(
    0x10000 + (((two.charCodeAt(0) & 0x3ff) << 10) | (second.charCodeAt(0) & 0x3ff)),
  );
}

function unescapeBuffer(text: string, plusToSpace = false) {
  const bytes = text
    .replaceAll('+', plusToSpace ? ' ' : '+')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Invalid percent codes stay, and invalid UTF-8 becomes a replacement character.
    const bytes: number[] = [];
    const source = Buffer.from(text);
    for (let at = 0; at < source.length; at++) {
      const hex = source.toString('latin1', at + 1, at + 3);
      if (source[at] === 37 && /^[0-9a-f]{2}$/i.test(hex)) {
        bytes.push(parseInt(hex, 16));
        at += 2;
      } else bytes.push(source[at] ?? 0);
    }
    return Buffer.from(bytes).toString();
  }
}

function parse(
  text: unknown,
  separator?: string | null,
  equals?: string | null,
  options?: { maxKeys?: number; decodeURIComponent?: (text: string) => string } | null,
): Values {
  const values = withoutPrototype<string | string[]>();
  if (typeof text !== 'string' || text === '') return values;
  const [between, is] = [separator || '&', equals || '='];
  const decodeWith = options?.decodeURIComponent ?? module.unescape;
  const decoded = (part: string) => {
    const spaced = part.replaceAll('+', '%20');
    if (decodeWith === unescape) return unescape(spaced);
    try {
      return decodeWith(spaced);
    } catch {
      return unescape(spaced);
    }
  };
  const limit = typeof options?.maxKeys === 'number' ? options.maxKeys : 1000;
  let parts = text.split(between).filter((part) => part !== '');
  if (limit > 0) parts = parts.slice(0, limit);
  for (const part of parts) {
    const at = part.indexOf(is);
    const name = decoded(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? '' : decoded(part.slice(at + is.length));
    const there = values[name];
    if (there === undefined) values[name] = value;
    else if (Array.isArray(there)) there.push(value);
    else values[name] = [there, value];
  }
  return values;
}

function primitive(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}

function stringify(
  values: unknown,
  separator?: string | null,
  equals?: string | null,
  options?: { encodeURIComponent?: (text: string) => string } | null,
): string {
  if (values === null || typeof values !== 'object') return '';
  const encodeWith = options?.encodeURIComponent ?? module.escape;
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const before = encodeWith(primitive(name)) + (equals || '=');
    const all: unknown[] = Array.isArray(value) ? value : [value];
    for (const each of all) pairs.push(before + encodeWith(primitive(each)));
  }
  return pairs.join(separator || '&');
}

export { escape, parse, stringify, unescape, unescapeBuffer };

const module = {
  unescapeBuffer,
  unescape,
  escape,
  stringify,
  encode: stringify,
  parse,
  decode: parse,
};

export const makeQuerystring: MakeBuiltin = () => module;
