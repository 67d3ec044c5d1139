import { linesIn } from '../../kit/io.ts';

export interface PatchLine {
  readonly kind: ' ' | '-' | '+';
  readonly text: string;
  /** True where the file ends here without a line end. */
  open?: boolean;
}

export interface Hunk {
  /** Counts from 1; 0 where the old file is empty. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly PatchLine[];
}

export interface FilePatch {
  readonly oldName: string;
  readonly newName: string;
  readonly index: string;
  readonly hunks: readonly Hunk[];
}

function nameOf(line: string): string {
  return line
    .slice(4)
    .replace(/\t.*$/, '')
    .replace(/\s+\d{4}-\d\d-\d\d .*$/, '')
    .trimEnd();
}

/** Parses unified, context and normal diffs, and skips the text around them. */
export function parsePatch(text: string): FilePatch[] {
  const { lines } = linesIn(text);
  const patches: { oldName: string; newName: string; index: string; hunks: Hunk[] }[] = [];
  let index = '';
  const current = () => {
    const last = patches.at(-1);
    if (last) return last;
    const made = { oldName: '', newName: '', index, hunks: [] };
    patches.push(made);
    return made;
  };
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const next = lines[at + 1] ?? '';
    if (line.startsWith('Index: ')) index = line.slice(7).trim();
    if (line.startsWith('--- ') && next.startsWith('+++ ')) {
      patches.push({ oldName: nameOf(line), newName: nameOf(next), index, hunks: [] });
      at += 2;
    } else if (line.startsWith('*** ') && next.startsWith('--- ') && !/ \*{4}$/.test(line)) {
      patches.push({ oldName: nameOf(line), newName: nameOf(next), index, hunks: [] });
      at += 2;
    } else if (line.startsWith('@@ -')) {
      const [hunk, end] = unifiedHunk(lines, at);
      if (hunk) current().hunks.push(hunk);
      at = end;
    } else if (/^\*{15}/.test(line)) {
      const [hunk, end] = contextHunk(lines, at + 1);
      if (hunk) current().hunks.push(hunk);
      at = end;
    } else if (/^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/.test(line)) {
      const [hunk, end] = normalHunk(lines, at);
      current().hunks.push(hunk);
      at = end;
    } else at++;
  }
  return patches.filter(({ hunks }) => hunks.length > 0);
}

function isOpen(line: string | undefined): boolean {
  return line?.startsWith('\\ ') ?? false;
}

function unifiedHunk(lines: readonly string[], start: number): [Hunk | undefined, number] {
  const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines[start] ?? '');
  if (!head) return [undefined, start + 1];
  let [oldLeft, newLeft] = [Number(head[2] ?? 1), Number(head[4] ?? 1)];
  const found: PatchLine[] = [];
  let at = start + 1;
  for (; at < lines.length && (oldLeft > 0 || newLeft > 0 || isOpen(lines[at])); at++) {
    const line = lines[at] ?? '';
    if (isOpen(line)) {
      const last = found.at(-1);
      if (last) last.open = true;
      continue;
    }
    const kind = line === '' ? ' ' : line.charAt(0);
    if (kind !== ' ' && kind !== '-' && kind !== '+') break;
    if (kind !== '+') oldLeft--;
    if (kind !== '-') newLeft--;
    found.push({ kind, text: line.slice(1) });
  }
  return [{ oldStart: Number(head[1]), newStart: Number(head[3]), lines: found }, at];
}

function contextHunk(lines: readonly string[], start: number): [Hunk | undefined, number] {
  const oldHead = /^\*\*\* (\d+)(?:,(\d+))? \*{4}/.exec(lines[start] ?? '');
  if (!oldHead) return [undefined, start + 1];
  let at = start + 1;
  const part = (): PatchLine[] => {
    const found: PatchLine[] = [];
    for (; /^[ !+-] |^\\ /.test(lines[at] ?? '') && !/^--- \d/.test(lines[at] ?? ''); at++) {
      const line = lines[at] ?? '';
      if (isOpen(line)) {
        const last = found.at(-1);
        if (last) last.open = true;
        continue;
      }
      const mark = line.charAt(0);
      found.push({ kind: mark === ' ' ? ' ' : mark === '+' ? '+' : '-', text: line.slice(2) });
    }
    return found;
  };
  const oldPart = part();
  const newHead = /^--- (\d+)(?:,(\d+))? -{4}/.exec(lines[at] ?? '');
  if (!newHead) return [undefined, at];
  at++;
  const newPart: PatchLine[] = part().map((line) => (line.kind === '-' ? { ...line, kind: '+' } : line));
  return [{ oldStart: Number(oldHead[1]), newStart: Number(newHead[1]), lines: woven(oldPart, newPart) }, at];
}

/** Merges the two halves of a context hunk; the patch leaves out a half without changes. */
function woven(oldPart: readonly PatchLine[], newPart: readonly PatchLine[]): PatchLine[] {
  if (oldPart.length === 0) return [...newPart];
  if (newPart.length === 0) return [...oldPart];
  const found: PatchLine[] = [];
  let [i, j] = [0, 0];
  while (i < oldPart.length || j < newPart.length) {
    const [a, b] = [oldPart[i], newPart[j]];
    if (a && a.kind === '-') {
      found.push(a);
      i++;
    } else if (b && b.kind === '+') {
      found.push(b);
      j++;
    } else {
      const common = a ?? b;
      if (common) found.push(common);
      i++;
      j++;
    }
  }
  return found;
}

function normalHunk(lines: readonly string[], start: number): [Hunk, number] {
  const [, oldFrom = '', , kind, newFrom = ''] =
    /^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?$/.exec(lines[start] ?? '') ?? [];
  const found: PatchLine[] = [];
  let at = start + 1;
  for (; /^[<>] ?|^---$|^\\ /.test(lines[at] ?? ''); at++) {
    const line = lines[at] ?? '';
    if (line === '---') continue;
    if (isOpen(line)) {
      const last = found.at(-1);
      if (last) last.open = true;
    } else found.push({ kind: line.startsWith('<') ? '-' : '+', text: line.slice(2) });
  }
  const first = Number(oldFrom);
  return [
    { oldStart: first, newStart: kind === 'd' ? Number(newFrom) + 1 : Number(newFrom), lines: found },
    at,
  ];
}

/** Returns the patch that undoes this one. */
export function reversed(patch: FilePatch): FilePatch {
  const turn = { ' ': ' ', '-': '+', '+': '-' } as const;
  return {
    oldName: patch.newName,
    newName: patch.oldName,
    index: patch.index,
    hunks: patch.hunks.map((hunk) => ({
      oldStart: hunk.newStart,
      newStart: hunk.oldStart,
      lines: ordered(hunk.lines.map((line) => ({ ...line, kind: turn[line.kind] }))),
    })),
  };
}

/** Moves removed lines before added ones, as diffs have them. */
function ordered(lines: readonly PatchLine[]): PatchLine[] {
  const found: PatchLine[] = [];
  let added: PatchLine[] = [];
  for (const line of lines) {
    if (line.kind === '+') added.push(line);
    else {
      if (line.kind === ' ') {
        found.push(...added);
        added = [];
      }
      found.push(line);
    }
  }
  return [...found, ...added];
}
