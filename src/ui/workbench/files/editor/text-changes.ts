import { diffArrays } from 'diff';

/** Replaces the characters from `from` to `to` by `insert`. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** How long an exact comparison may take, in milliseconds. */
const MAX_DIFF_MS = 200;

/**
 * The edits that make one text of another, line by line, so that the cursor and what is around it stay where
 * they are. Where the comparison takes too long, it is one edit of everything between the first and the last
 * difference.
 */
export function editsBetween(before: string, after: string): readonly TextEdit[] {
  if (before === after) return [];
  const pieces = diffArrays(lines(before), lines(after), { timeout: MAX_DIFF_MS });
  if (!pieces) return [oneEdit(before, after)];
  const edits: TextEdit[] = [];
  let at = 0;
  for (const { added, removed, value } of pieces) {
    const text = value.join('');
    const last = edits.at(-1);
    if (!added && !removed) at += text.length;
    else if (last?.to === at)
      edits[edits.length - 1] = joined(last, removed ? text.length : 0, added ? text : '');
    else edits.push({ from: at, to: removed ? at + text.length : at, insert: added ? text : '' });
    if (removed) at += text.length;
  }
  return edits;
}

/** A line that was replaced is one edit, not one that removes it and another one that inserts. */
function joined(edit: TextEdit, removed: number, added: string): TextEdit {
  return { from: edit.from, to: edit.to + removed, insert: edit.insert + added };
}

function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function oneEdit(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let tail = 0;
  while (tail < shorter - from && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}
