import { eachMatch } from '../../kit/matches.ts';
import type { Part, Substitution } from './script.ts';

/** Returns the text with its matches replaced, or undefined where nothing matches. */
export function substitute(text: string, regex: RegExp, substitution: Substitution): string | undefined {
  const { global, from, parts } = substitution;
  let result = '';
  let copied = 0;
  let count = 0;
  eachMatch(text, regex, (hit) => {
    if (++count < from) return true;
    result += text.slice(copied, hit.index) + replacementOf(parts, hit);
    copied = hit.index + hit[0].length;
    return global;
  });
  return count >= from ? result + text.slice(copied) : undefined;
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
