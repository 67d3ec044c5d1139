import type { Text } from '@codemirror/state';
import type { Position } from '../../../../../language/language.ts';

export function positionOf(document: Text, offset: number): Position {
  const line = document.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

/** A position that is not in the text becomes the nearest one that is. */
export function offsetOf(document: Text, { line, character }: Position): number {
  if (line >= document.lines) return document.length;
  const found = document.line(Math.max(line, 0) + 1);
  return Math.min(found.from + character, found.to);
}
