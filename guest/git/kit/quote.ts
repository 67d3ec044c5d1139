import { encode } from '../../shell/kit/io.ts';

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
