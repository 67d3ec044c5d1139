import type { Hunk, PatchLine } from './parse.ts';

export interface Text {
  readonly lines: readonly string[];
  /** Whether the last line has a line end. */
  readonly ended: boolean;
}

export interface Applied {
  readonly text: Text;
  readonly failed: readonly Hunk[];
  /** Lines about the hunks that fail, or that are not where they should be. */
  readonly messages: readonly string[];
  /** Whether a hunk that applied was not where it should be. */
  readonly hasMoved: boolean;
}

/** Applies the hunks one after the other. */
export function applyHunks(before: Text, hunks: readonly Hunk[], fuzz: number): Applied {
  let text = before;
  const failed: Hunk[] = [];
  const messages: string[] = [];
  let offset = 0;
  let hasMoved = false;
  for (const [at, hunk] of hunks.entries()) {
    const match = findHunk(text, hunk, offset, fuzz);
    if (!match) {
      failed.push(hunk);
      messages.push(`Hunk #${at + 1} FAILED at ${hunk.oldStart || 1}.\n`);
      continue;
    }
    text = replaced(text, hunk, match);
    const start = match.line - match.skipped;
    const moved = start - startOf(hunk) - grown(hunks.slice(0, at), failed);
    if (moved !== 0 || match.fuzz > 0) {
      hasMoved = true;
      const how = match.fuzz > 0 ? ` with fuzz ${match.fuzz}` : '';
      const by = moved !== 0 ? ` (offset ${moved} line${Math.abs(moved) === 1 ? '' : 's'})` : '';
      messages.push(`Hunk #${at + 1} succeeded at ${start + 1}${how}${by}.\n`);
    }
    offset += start - (startOf(hunk) + offset) + growth(hunk);
  }
  return { text, failed, messages, hasMoved };
}

function growth(hunk: Hunk): number {
  return hunk.lines.reduce((sum, { kind }) => sum + (kind === '+' ? 1 : kind === '-' ? -1 : 0), 0);
}

function grown(hunks: readonly Hunk[], failed: readonly Hunk[]): number {
  return hunks.filter((hunk) => !failed.includes(hunk)).reduce((sum, hunk) => sum + growth(hunk), 0);
}

interface Match {
  /** The line where the hunk matches, from 0, after the context lines that fuzz skipped. */
  readonly line: number;
  readonly skipped: number;
  readonly fuzz: number;
  readonly old: readonly PatchLine[];
}

/** The line at which a hunk says it begins, from 0. */
function startOf(hunk: Hunk): number {
  const old = hunk.lines.filter(({ kind }) => kind !== '+');
  return old.length === 0 ? hunk.oldStart : hunk.oldStart - 1;
}

export function findHunk(text: Text, hunk: Hunk, offset: number, maxFuzz: number): Match | undefined {
  const old = hunk.lines.filter(({ kind }) => kind !== '+');
  const contextBefore = hunk.lines.findIndex(({ kind }) => kind !== ' ');
  const contextAfter = hunk.lines.length - 1 - hunk.lines.findLastIndex(({ kind }) => kind !== ' ');
  for (let fuzz = 0; fuzz <= Math.min(maxFuzz, Math.max(contextBefore, contextAfter)); fuzz++) {
    const skipped = Math.min(fuzz, contextBefore);
    const wanted = old.slice(skipped, old.length - Math.min(fuzz, contextAfter));
    const expected = startOf(hunk) + offset + skipped;
    const most = text.lines.length - wanted.length;
    for (let distance = 0; distance <= text.lines.length; distance++) {
      for (const line of distance === 0 ? [expected] : [expected + distance, expected - distance]) {
        if (line < 0 || line > most || !fits(text, wanted, line)) continue;
        // A hunk with less context after than before belongs to the end of the file.
        if (
          fuzz === 0 &&
          old.length > 0 &&
          contextBefore > contextAfter &&
          line + wanted.length !== text.lines.length
        )
          continue;
        return { line, skipped, fuzz, old: wanted };
      }
    }
  }
  return undefined;
}

function fits(text: Text, wanted: readonly PatchLine[], line: number): boolean {
  return wanted.every((one, at) => one.text === text.lines[line + at]);
}

function replaced(text: Text, hunk: Hunk, { line, skipped, old }: Match): Text {
  const lines: string[] = [];
  let taken = 0;
  let passed = 0;
  let ended = text.ended;
  let openEnd: boolean | undefined;
  for (const one of hunk.lines) {
    if (one.kind === '+') {
      lines.push(one.text);
      openEnd = one.open === true;
      continue;
    }
    if (passed++ < skipped) continue;
    if (taken >= old.length) continue;
    taken++;
    if (one.kind === ' ') {
      lines.push(one.text);
      openEnd = one.open === true;
    }
  }
  const isLast = line + old.length >= text.lines.length;
  if (isLast && openEnd !== undefined) ended = !openEnd;
  return { lines: [...text.lines.slice(0, line), ...lines, ...text.lines.slice(line + old.length)], ended };
}
