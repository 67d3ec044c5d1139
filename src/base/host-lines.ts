/** Stands before each line of the host's, which shares its output with whatever else is printed. */
export const MARK = '\u001evitrine ';

/** What plugins can do around calls. */
export const HOOK_NAMES = ['tool.execute.before', 'tool.execute.after'] as const;

/** In the place of a secret's value, where code can see it. */
export function placeholderOf(name: string): string {
  return `{env:${name}}`;
}
