const SHELLS = new Set(['sh', 'bash', 'shell', 'console']);
/** Matches characters that are invisible or reorder the others: with them, the person could not tell what they agree to. */
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;
/** A line that shows a prompt is a transcript, with outputs that are no commands. */
const PROMPT = /^[ \t]*\$ /m;
const CONSOLE_PROMPT = /^[ \t]*(?:[\w.@:~/-]*[$%#>❯]) /m;

/** The command that a block of code is, as it can be run; `null` if it is none. */
export function commandOf(text: string, language: string): string | null {
  const kind = language.toLowerCase();
  const command = text.trimEnd();
  if (!SHELLS.has(kind) || command.trim() === '' || UNSEEN.test(command)) return null;
  return (kind === 'console' ? CONSOLE_PROMPT : PROMPT).test(command) ? null : command;
}
