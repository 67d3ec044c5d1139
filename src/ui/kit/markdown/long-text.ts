/** The number of characters that are laid out at once. */
const PIECE = 20_000;

/** The first `length` characters of a text, or a few less, so that no line or character is cut in half. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const beginning = text.slice(0, length);
  const line = beginning.lastIndexOf('\n');
  if (line > length / 2) return beginning.slice(0, line);
  return beginning.replace(/[\uD800-\uDBFF]$/, '');
}

/** The whole text in pieces that can be laid out one by one. A line that fits into a piece is not split. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const piece = beginningOf(text.slice(at, at + PIECE + 1), PIECE);
    pieces.push(piece);
    at += piece.length;
    // The next piece begins on a new line anyway.
    if (text[at] === '\n') at++;
  }
  return pieces;
}
