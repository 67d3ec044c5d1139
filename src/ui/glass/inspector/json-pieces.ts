/** A coloured token with the text before it. The last piece may have no token. */
export interface Piece {
  readonly before: string;
  readonly token: string;
  readonly kind: 'string' | 'function' | 'constant' | '';
}

/** A string that is cut off, or still being written, reaches to the end of the text. */
const TOKEN = /("(?:[^"\\]|\\.)*(?:"|\\?$))(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/g;

/**
 * Splits JSON into coloured pieces; the `before` and `token` of all pieces, joined, are the text. It may be
 * incomplete.
 */
export function jsonPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, string, colon] = match;
    const kind = string === undefined ? 'constant' : colon === undefined ? 'string' : 'function';
    pieces.push({ before: text.slice(end, match.index), token, kind });
    end = match.index + token.length;
  }
  return end < text.length ? [...pieces, { before: text.slice(end), token: '', kind: '' }] : pieces;
}
