/** One row of a diff as it is shown. Line numbers count from 1; a removed line has no new number, an added one no old. */
export type DiffRow =
  | {
      readonly kind: 'same' | 'added' | 'removed';
      readonly old?: number;
      readonly new?: number;
      readonly text: string;
    }
  /** Lines between two hunks that the patch leaves out. */
  | { readonly kind: 'gap'; readonly text: string };

export interface FileDiff {
  readonly rows: readonly DiffRow[];
  readonly added: number;
  readonly removed: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;

/** Reads a unified patch of one or more files; text before the first hunk (file headers) is left out. */
export function parseUnifiedDiff(patch: string): FileDiff {
  const rows: DiffRow[] = [];
  let oldLine = 0;
  let newLine = 0;
  let added = 0;
  let removed = 0;
  let inHunk = false;
  const lines = patch.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      oldLine = Number(hunk[1]);
      newLine = Number(hunk[2]);
      if (rows.length > 0) rows.push({ kind: 'gap', text: (hunk[3] ?? '').trim() });
      inHunk = true;
    } else if (!inHunk) {
      continue;
    } else if (line.startsWith('+')) {
      rows.push({ kind: 'added', new: newLine++, text: line.slice(1) });
      added++;
    } else if (line.startsWith('-')) {
      rows.push({ kind: 'removed', old: oldLine++, text: line.slice(1) });
      removed++;
    } else if (line.startsWith(' ') || line === '') {
      rows.push({ kind: 'same', old: oldLine++, new: newLine++, text: line.slice(1) });
    } else if (!line.startsWith('\\')) {
      inHunk = false;
    }
  }
  return { rows, added, removed };
}
