/** A file name that is being typed after an `@`, and its position in the text. */
export interface Typed {
  readonly query: string;
  /** Index of the `@`. */
  readonly start: number;
  readonly end: number;
}

/** Returns `undefined` if the caret is not in such a name. */
export function typedAt(text: string, caret: number): Typed | undefined {
  const before = text.slice(0, caret);
  const match = /(?<![\w`'"@])@(?:"([^"\n]*)|([^\s"'`<>|]*))$/.exec(before);
  if (!match) return undefined;
  return { query: match[1] ?? match[2] ?? '', start: match.index, end: caret };
}

/** A path as a mention in a message. It is quoted if its end would not be clear otherwise. */
export function mentionOf(path: string): string {
  return /[\s'`<>|]|[.,;:!?)\]}…]$|#L?\d/.test(path) ? `@"${path}"` : `@${path}`;
}

/**
 * The paths that match the typed text, best first: at the start of the name, within the name, then letters in
 * order.
 */
export function fitting(paths: readonly string[], query: string, limit: number): readonly string[] {
  const wanted = query.toLowerCase();
  const ranked = paths.flatMap((path) => {
    const rank = rankOf(path.toLowerCase(), wanted);
    return rank === undefined ? [] : [{ path, rank }];
  });
  ranked.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  return ranked.slice(0, limit).map(({ path }) => path);
}

function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (path.startsWith(wanted) || name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  if (path.includes(wanted)) return 2;
  return inOrder(path, wanted) ? 3 : undefined;
}

function inOrder(path: string, wanted: string): boolean {
  let at = 0;
  for (const character of wanted) {
    at = path.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
