/** How many characters one piece has. */
const PIECE_LENGTH = 48;
/** The approximate number of pieces for long arguments. */
const MAX_PIECES = 400;

/** Splits text into words, each with the blanks after it, as models stream it. */
export function words(text: string): readonly string[] {
  return (text.match(/\s*\S+\s*|\s+/g) ?? []).flatMap((word) => slices(word, PIECE_LENGTH * 2));
}

/** Splits the JSON of a call's arguments into pieces. */
export function pieces(json: string): readonly string[] {
  return slices(json, Math.max(PIECE_LENGTH, Math.ceil(json.length / MAX_PIECES)));
}

/** Never splits a surrogate pair. */
function slices(text: string, size: number): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + size, text.length);
    const unit = text.charCodeAt(end - 1);
    if (end < text.length && unit >= 0xd800 && unit <= 0xdbff) end--;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}
