import { decode, encode } from '../../shell/kit/io.ts';

const LETTERS: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

/** Quotes a path as git prints it where it has control characters, quotes or, with `all`, bytes beyond ASCII. */
export function quotePath(path: string, all = true): string {
  const inner = quotedInner(path, all);
  return inner === path ? path : `"${inner}"`;
}

export function quotedInner(path: string, all = true): string {
  if (!(all ? /[^ !#-[\]-~]/ : /[\0-\x1f"\\\x7f]/).test(path)) return path;
  let text = '';
  for (const byte of encode(path)) {
    const letter = LETTERS[byte];
    if (letter !== undefined) text += letter;
    else if (byte < 32 || byte === 127 || (byte > 127 && all))
      text += `\\${byte.toString(8).padStart(3, '0')}`;
    else text += String.fromCharCode(byte);
  }
  return all ? text : new TextDecoder().decode(Uint8Array.from(text, (char) => char.charCodeAt(0)));
}

const BYTES = new Map(Object.entries(LETTERS).map(([byte, letter]) => [letter.slice(1), Number(byte)]));

/** Reads a path that may be quoted as {@link quotePath} does; any other text stays as it is. */
export function unquoted(text: string): string {
  const [, inner] = /^"((?:[^"\\]|\\.)*)"$/s.exec(text) ?? [];
  if (inner === undefined) return text;
  const bytes = [...inner.matchAll(/\\([0-3][0-7]{2})|\\(.)|[^\\]+/gs)].flatMap(([plain, octal, letter]) =>
    octal !== undefined
      ? Number.parseInt(octal, 8)
      : letter !== undefined
        ? (BYTES.get(letter) ?? [...encode(letter)])
        : [...encode(plain)],
  );
  return decode(Uint8Array.from(bytes));
}
