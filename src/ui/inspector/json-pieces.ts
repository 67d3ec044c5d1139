/** A coloured token, and what stands before it. The last one may have no token. */
export interface Piece {
  readonly before: string;
  readonly token: string;
  readonly kind: 'string' | 'function' | 'constant' | '';
}

/** A text that was cut off, or is still being written, goes on to the end. */
const TOKEN = /("(?:[^"\\]|\\.)*(?:"|\\?$))(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/g;

/** JSON in coloured pieces: `before` and `token` of all of them, joined, are the text. It need not be whole. */
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
