import { decode } from '../../shell/kit/io.ts';
import { diffLines } from './lines.ts';
import type { LineChange } from './place.ts';

export interface Text {
  readonly lines: readonly string[];
  /** Whether the last line has a line end. */
  readonly isEnded: boolean;
}

export function textOf(bytes: Uint8Array): Text {
  const lines = decode(bytes).split('\n');
  const isEnded = lines.at(-1) === '';
  if (isEnded) lines.pop();
  return { lines, isEnded: isEnded || lines.length === 0 };
}

export interface HunkOptions {
  /** Unchanged lines around each change; the default is 3. */
  readonly context?: number;
  /** Which blanks do not count. */
  readonly blanks?: 'all' | 'amount' | 'end';
  readonly ignoresBlankLines?: boolean;
  readonly interHunk?: number;
  readonly wholeFunctions?: boolean;
}

export interface Hunk {
  readonly a: number;
  readonly aLines: number;
  readonly b: number;
  readonly bLines: number;
  readonly heading: string;
  /** Each with its mark: a blank, `-`, `+`, or a backslash for a missing line end. */
  readonly lines: readonly string[];
}

const NO_END = '\\ No newline at end of file';

/** A last line without its end differs from the same line with one. */
function marked({ lines, isEnded }: Text): readonly string[] {
  return isEnded ? lines : [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${UNENDED}`];
}
const UNENDED = '\0unended';

export function changesOf(before: Text, after: Text, { blanks }: HunkOptions = {}): LineChange[] {
  const key =
    blanks === 'all'
      ? (line: string) => line.replace(UNENDED, '').replace(/\s+/g, '')
      : blanks === 'amount'
        ? (line: string) => line.replace(UNENDED, '').replace(/\s+/g, ' ').trimEnd()
        : blanks === 'end'
          ? (line: string) => line.replace(UNENDED, '').trimEnd()
          : undefined;
  return diffLines(marked(before), marked(after), key);
}

export function hunksOf(before: Text, after: Text, options: HunkOptions = {}): Hunk[] {
  const { context = 3, interHunk = 0 } = options;
  const changes = changesOf(before, after, options).filter(
    (change) => !options.ignoresBlankLines || !isBlankChange(change, before, after),
  );
  const hunks: Hunk[] = [];
  let heading = '';
  for (let at = 0; at < changes.length;) {
    const group: LineChange[] = [];
    for (; at < changes.length; at++) {
      const [next, last] = [changes[at], group.at(-1)];
      if (!next || (last && next.a - (last.a + last.aLines) > 2 * context + interHunk)) break;
      group.push(next);
    }
    const hunk = hunkOf(group, before, after, context);
    heading = headingBefore(before.lines, hunk.a - 1) ?? heading;
    hunks.push({ ...hunk, heading });
  }
  return hunks;
}

function isBlankChange({ a, aLines, b, bLines }: LineChange, before: Text, after: Text): boolean {
  const changed = [...before.lines.slice(a, a + aLines), ...after.lines.slice(b, b + bLines)];
  return changed.every((line) => line.trim() === '');
}

function hunkOf(
  group: readonly LineChange[],
  before: Text,
  after: Text,
  context: number,
): Omit<Hunk, 'heading'> {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) throw new Error('a hunk has a change');
  const lead = Math.min(context, first.a, first.b);
  const a = first.a - lead;
  const b = first.b - lead;
  const trail = Math.min(
    context,
    before.lines.length - (last.a + last.aLines),
    after.lines.length - (last.b + last.bLines),
  );
  const endA = last.a + last.aLines + trail;
  const endB = last.b + last.bLines + trail;
  const lines: string[] = [];
  const push = (mark: string, text: Text, at: number) => {
    lines.push(mark + (text.lines[at] ?? ''));
    if (!text.isEnded && at === text.lines.length - 1) lines.push(NO_END);
  };
  let at = b;
  for (const change of group) {
    for (; at < change.b; at++) push(' ', after, at);
    for (let i = 0; i < change.aLines; i++) push('-', before, change.a + i);
    for (let i = 0; i < change.bLines; i++) push('+', after, change.b + i);
    at = change.b + change.bLines;
  }
  for (; at < endB; at++) push(' ', after, at);
  return { a, aLines: endA - a, b, bLines: endB - b, lines };
}

/** The last line before that may be the head of a function. */
function headingBefore(lines: readonly string[], from: number): string | undefined {
  for (let at = from; at >= 0; at--) {
    const line = lines[at] ?? '';
    if (/^[A-Za-z_$]/.test(line)) return cut(line);
  }
  return undefined;
}

function cut(line: string): string {
  const bytes = new TextEncoder().encode(line);
  return (bytes.length > 80 ? decode(bytes.subarray(0, 80)) : line).trimEnd();
}

export function rangeText(start: number, count: number): string {
  const first = count === 0 ? start : start + 1;
  return count === 1 ? String(first) : `${first},${count}`;
}

export function hunkHead({ a, aLines, b, bLines }: Hunk): string {
  return `@@ -${rangeText(a, aLines)} +${rangeText(b, bLines)} @@`;
}
