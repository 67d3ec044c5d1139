import { withCommas } from '../base/with-commas.ts';

/** Cuts a text to `length` UTF-16 units and adds `…`; never splits a surrogate pair. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

/** Puts a name on one line: control characters, which file names may contain, are escaped. */
export function oneLine(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${withCommas(count)} ${count === 1 ? noun : many}`;
}
