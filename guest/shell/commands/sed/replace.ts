import type { Part, Substitution } from './script.ts';

/** The text with what matches replaced, or undefined where nothing does. */
export function substitute(text: string, regex: RegExp, substitution: Substitution): string | undefined {
  const { global, from, parts } = substitution;
  let result = '';
  let copied = 0;
  let count = 0;
  let previousEnd = -1;
  regex.lastIndex = 0;
  for (let hit = regex.exec(text); hit; hit = regex.exec(text)) {
    const end = hit.index + hit[0].length;
    if (hit[0] === '') {
      regex.lastIndex = end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
      // An empty match right after another one is none.
      if (hit.index === previousEnd) {
        if (end >= text.length) break;
        continue;
      }
    }
    previousEnd = end;
    count++;
    if (count >= from) {
      result += text.slice(copied, hit.index) + replacementOf(parts, hit);
      copied = end;
      if (!global) break;
    }
    if (hit[0] === '' && end >= text.length) break;
  }
  return count >= from && count > 0 ? result + text.slice(copied) : undefined;
}

function replacementOf(parts: readonly Part[], hit: RegExpExecArray): string {
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'text') return only.text;
  let result = '';
  let mode: 'L' | 'U' | 'E' = 'E';
  let next: 'l' | 'u' | undefined;
  for (const part of parts) {
    if (part.kind === 'case') {
      if (part.mode === 'l' || part.mode === 'u') next = part.mode;
      else mode = part.mode;
      continue;
    }
    let piece = part.kind === 'text' ? part.text : (hit[part.group] ?? '');
    if (piece === '') continue;
    if (mode === 'U') piece = piece.toUpperCase();
    else if (mode === 'L') piece = piece.toLowerCase();
    if (next) {
      const first = String.fromCodePoint(piece.codePointAt(0) ?? 0);
      piece = (next === 'u' ? first.toUpperCase() : first.toLowerCase()) + piece.slice(first.length);
      next = undefined;
    }
    result += piece;
  }
  return result;
}
