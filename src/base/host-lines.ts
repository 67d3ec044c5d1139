/** Marks each line that the host itself prints, because the host shares its output with other code. */
export const MARK = '\u001evitrine ';

/** The hooks that plugins can set around tool calls. */
export const HOOK_NAMES = ['tool.execute.before', 'tool.execute.after'] as const;

/** The placeholder that code sees instead of a secret's value. */
export function placeholderOf(name: string): string {
  return `{env:${name}}`;
}
