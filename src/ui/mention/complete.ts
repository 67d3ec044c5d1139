/** The name of a file that is being typed after an `@`, and where it stands in the text. */
export interface Typed {
  readonly query: string;
  /** Of the `@`. */
  readonly start: number;
  readonly end: number;
}

/** `undefined` where the caret stands in no such name. */
export function typedAt(text: string, caret: number): Typed | undefined {
  const before = text.slice(0, caret);
  const match = /(?<![\w`'"@])@(?:"([^"\n]*)|([^\s"'`<>|]*))$/.exec(before);
  if (!match) return undefined;
  return { query: match[1] ?? match[2] ?? '', start: match.index, end: caret };
}

/** As it stands in a message: quoted where its end could not be told otherwise. */
export function mentionOf(path: string): string {
  return /[\s'`<>|]|[.,;:!?)\]}…]$|#L?\d/.test(path) ? `@"${path}"` : `@${path}`;
}

/** The paths that fit what was typed, best first: by the start of the name, then in the name, then anywhere in order. */
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
