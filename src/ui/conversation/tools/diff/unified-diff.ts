/**
 * One row of a diff. Line numbers count from 1; a removed line has no new number, an added line no old one.
 */
export type DiffRow =
  | {
      readonly kind: 'same' | 'added' | 'removed';
      readonly old?: number;
      readonly new?: number;
      readonly text: string;
    }
  /** Lines between two hunks, which the patch leaves out. */
  | { readonly kind: 'gap'; readonly text: string }
  /** The file of the rows below; `null` if it did not exist before, or does not exist afterwards. */
  | { readonly kind: 'file'; readonly from: string | null; readonly to: string | null };

/** A row with a line of one of the versions. */
export type DiffLine = Extract<DiffRow, { kind: 'same' | 'added' | 'removed' }>;

export interface FileDiff {
  /** Includes a row for each file if there are several, or if one is moved or removed. */
  readonly rows: readonly DiffRow[];
  readonly added: number;
  readonly removed: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;

/** Parses a unified patch of one or more files and skips other text around the hunks. */
export function parseUnifiedDiff(patch: string): FileDiff {
  const rows: DiffRow[] = [];
  const files: DiffRow[] = [];
  let [oldLine, newLine, oldLeft, newLeft, added, removed] = [0, 0, 0, 0, 0, 0];
  let from: string | null = null;
  for (const line of patch.split('\n')) {
    if (oldLeft > 0 || newLeft > 0) {
      const text = line.slice(1);
      if (line.startsWith('+')) {
        rows.push({ kind: 'added', new: newLine++, text });
        newLeft--;
        added++;
        continue;
      }
      if (line.startsWith('-')) {
        rows.push({ kind: 'removed', old: oldLine++, text });
        oldLeft--;
        removed++;
        continue;
      }
      if (line.startsWith(' ') || line === '') {
        rows.push({ kind: 'same', old: oldLine++, new: newLine++, text });
        oldLeft--;
        newLeft--;
        continue;
      }
      if (line.startsWith('\\')) continue;
      oldLeft = newLeft = 0;
    }
    const hunk = HUNK.exec(line);
    if (hunk) {
      [oldLine, newLine] = [Number(hunk[1]), Number(hunk[3])];
      [oldLeft, newLeft] = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
      if (rows.length > 0 && rows.at(-1)?.kind !== 'file')
        rows.push({ kind: 'gap', text: (hunk[5] ?? '').trim() });
    } else if (line.startsWith('--- ')) from = fileName(line);
    else if (line.startsWith('+++ ')) {
      const file: DiffRow = { kind: 'file', from, to: fileName(line) };
      files.push(file);
      rows.push(file);
    }
  }
  const [only] = files;
  const plain = files.length === 1 && only?.kind === 'file' && only.to !== null;
  const told = !plain || (only.from !== null && only.from !== only.to);
  return { rows: told ? rows : rows.filter(({ kind }) => kind !== 'file'), added, removed };
}

function fileName(line: string): string | null {
  const name = line.slice(4).split('\t', 1)[0] ?? '';
  return name === '/dev/null' ? null : name.startsWith('"') ? unquoted(name) : name;
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Decodes a quoted name as C and git write it, with bytes as octal numbers. */
function unquoted(name: string): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [all, octal, escaped] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]/gu)) {
    if (octal !== undefined) bytes.push(parseInt(octal, 8));
    else if (escaped !== undefined)
      bytes.push(...(ESCAPES[escaped] ? [ESCAPES[escaped]] : encoder.encode(escaped)));
    else bytes.push(...encoder.encode(all));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
