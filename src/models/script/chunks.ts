/** Characters of an unbroken run, or of arguments, in one piece. */
const PIECE = 48;
/** Pieces that long arguments are cut into, about. */
const PIECES = 400;

/** Text in words, each with the blanks after it, as models stream it. */
export function words(text: string): readonly string[] {
  return (text.match(/\s*\S+\s*|\s+/g) ?? []).flatMap((word) => slices(word, PIECE * 2));
}

/** A call's arguments as JSON, in pieces. */
export function pieces(json: string): readonly string[] {
  return slices(json, Math.max(PIECE, Math.ceil(json.length / PIECES)));
}

/** Never between the halves of a surrogate pair. */
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
