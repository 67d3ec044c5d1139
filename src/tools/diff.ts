import { oneLine } from './text.ts';

export interface FileDiff {
  /** A unified patch with file headers; a file that does not exist is `/dev/null`. */
  readonly patch: string;
  readonly additions: number;
  readonly deletions: number;
}

/** How long an exact diff may take, in milliseconds. */
const MAX_DIFF_MS = 500;

/**
 * The whole change to a file, without byte order marks. Where the exact diff takes too long, everything between the
 * first and the last change counts as replaced.
 */
export async function diffOf(
  path: string,
  before: string | null,
  after: string | null,
  /** The path before a move. */
  formerPath = path,
): Promise<FileDiff> {
  const { structuredPatch, formatPatch, FILE_HEADERS_ONLY } = await import('diff');
  const name = after === null ? '/dev/null' : oneLine(path);
  const from = before === null ? '/dev/null' : oneLine(formerPath);
  const options = { context: 3, timeout: MAX_DIFF_MS };
  const [old, now] = [withoutByteOrderMark(before), withoutByteOrderMark(after)];
  const patch =
    structuredPatch(from, name, old, now, undefined, undefined, options) ?? coarse(from, name, old, now);
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    patch: formatPatch(patch, FILE_HEADERS_ONLY),
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
  };
}

function withoutByteOrderMark(text: string | null): string {
  return text?.replace(/^\uFEFF/, '') ?? '';
}

function coarse(from: string, path: string, before: string, after: string) {
  const old = before.split('\n');
  const now = after.split('\n');
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  return {
    oldFileName: from,
    newFileName: path,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [
      {
        oldStart: start + 1,
        oldLines: removed.length,
        newStart: start + 1,
        newLines: added.length,
        lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
      },
    ],
  };
}
