import type { TextEdit } from '../../language/language.ts';

/** Applies edits to a text; lines end as JavaScript defines it. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = [0];
  for (const { index, 0: ending } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g))
    starts.push(index + ending.length);
  const offset = ({ line, character }: TextEdit['range']['start']) =>
    (starts[line] ?? text.length) + character;
  let result = '';
  let at = 0;
  for (const { range, newText } of edits) {
    result += text.slice(at, offset(range.start)) + newText;
    at = offset(range.end);
  }
  return result + text.slice(at);
}
