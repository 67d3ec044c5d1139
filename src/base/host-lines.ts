/** Stands before each line of the host's, which shares its output with whatever else is printed. */
export const MARK = '\u001evitrine ';

/** In the place of a secret's value, where code can see it. */
export function placeholderOf(name: string): string {
  return `{env:${name}}`;
}
