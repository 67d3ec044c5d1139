import { decode, encode } from '../../kit/io.ts';
import { JqError, kind, numberText, printed, type Json } from './json.ts';

function textOf(value: Json): string {
  return typeof value === 'string' ? value : printed(value);
}

const HTML: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  "'": '&#39;',
  '"': '&quot;',
};

function row(value: Json, name: string, cell: (text: string) => string, between: string): string {
  if (!Array.isArray(value))
    throw new JqError(`${kind(value)} (${printed(value)}) cannot be ${name}-formatted, only an array can be`);
  return value
    .map((item) => {
      if (item === null) return '';
      if (typeof item === 'number') return numberText(item);
      if (typeof item === 'boolean') return String(item);
      if (typeof item === 'string') return cell(item);
      throw new JqError(`${kind(item)} (${printed(item)}) is not valid in a ${name} row`);
    })
    .join(between);
}

/** Formats a value for `@name`. */
export function applyFormat(name: string, value: Json): string {
  switch (name) {
    case 'text':
      return textOf(value);
    case 'json':
      return printed(value);
    case 'csv':
      return row(value, 'csv', (text) => `"${text.replaceAll('"', '""')}"`, ',');
    case 'tsv':
      return row(
        value,
        'tsv',
        (text) =>
          text.replace(
            /[\\\t\n\r]/g,
            (char) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[char] ?? char,
          ),
        '\t',
      );
    case 'html':
      return textOf(value).replace(/[<>&'"]/g, (char) => HTML[char] ?? char);
    case 'uri':
      return Array.from(encode(textOf(value)), (byte) => {
        const char = String.fromCharCode(byte);
        return /[A-Za-z0-9\-_.~]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
      }).join('');
    case 'sh': {
      const words = Array.isArray(value) ? value : [value];
      return words
        .map((word) => {
          if (typeof word === 'string') return `'${word.replaceAll("'", "'\\''")}'`;
          if (Array.isArray(word) || word instanceof Map)
            throw new JqError(`${kind(word)} (${printed(word)}) can not be escaped for shell`);
          return printed(word);
        })
        .join(' ');
    }
    case 'base64':
      return btoa(String.fromCharCode(...encode(textOf(value))));
    case 'base64d':
      try {
        return decode(Uint8Array.from(atob(textOf(value).replace(/=+$/, '')), (char) => char.charCodeAt(0)));
      } catch {
        throw new JqError(`${kind(value)} (${printed(value)}) is not valid base64 data`);
      }
    default:
      throw new JqError(`${name} is not a valid format`);
  }
}
