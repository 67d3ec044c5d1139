import type { DiffLine } from '../../conversation/tools/diff/unified-diff.ts';

/** How many characters of the line are quoted. */
const QUOTED = 120;

/** A comment on one line of a change, for the message to the agent: the place, the line, and what the person says. */
export function commentText(path: string, line: DiffLine, comment: string): string {
  const trimmed = line.text.trim();
  const quoted = trimmed.length > QUOTED ? `${trimmed.slice(0, QUOTED)}…` : trimmed;
  const longest = Math.max(0, ...(quoted.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = '`'.repeat(longest + 1);
  const quote = quoted === '' ? '' : ` (${ticks}${quoted}${ticks})`;
  const where = line.kind === 'removed' ? `removed line ${line.old}` : `line ${line.new}`;
  return `${path}, ${where}${quote}: ${comment}`;
}
