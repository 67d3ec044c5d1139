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
