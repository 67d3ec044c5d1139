/**
 * A file's content in a form that can be shown. `columns` is the width of its longest line; wide characters
 * count twice.
 */
export type FileContent =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly lines: number;
      readonly columns: number;
      readonly large: boolean;
    }
  | { readonly kind: 'image'; readonly mediaType: string }
  | { readonly kind: 'binary' };

/** Larger texts, and texts with longer lines, are shown only on request. */
const LARGE_BYTES = 1_000_000;
const LONG_LINE = 20_000;
const SNIFFED_BYTES = 8_000;

const IMAGES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
};

/**
 * Decides by the bytes; the name only says which kind of image it is. SVG counts as text, since an image of
 * it could show anything.
 */
export function contentOf(path: string, bytes: Uint8Array): FileContent {
  const mediaType = IMAGES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
  if (!isText(bytes)) return mediaType ? { kind: 'image', mediaType } : { kind: 'binary' };
  const text = new TextDecoder().decode(bytes);
  const { lines, longest, columns } = measure(text);
  return { kind: 'text', text, lines, columns, large: bytes.length > LARGE_BYTES || longest > LONG_LINE };
}

/** True if the start has no zero byte and is UTF-8, apart from a character that is cut at its end. */
function isText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  if (head.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: bytes.length > SNIFFED_BYTES });
    return true;
  } catch {
    return false;
  }
}

/** The columns of a tab, as in the style sheet. */
const TAB = 4;

function measure(text: string): { lines: number; longest: number; columns: number } {
  const rows = splitLines(text);
  let longest = 0;
  let columns = 0;
  for (const row of rows) {
    longest = Math.max(longest, row.length);
    if (row.length * TAB > columns) columns = Math.max(columns, columnsOf(row));
  }
  return { lines: rows.length, longest, columns };
}

function columnsOf(row: string): number {
  const tabs = row.split('\t').length - 1;
  const wide = row.match(/[\u1100-\uffff]/g)?.length ?? 0;
  return row.length + tabs * (TAB - 1) + wide;
}

/** Splits a text into lines. A line end at the end of the text does not begin another line. */
export function splitLines(text: string): readonly string[] {
  const rows = text.split('\n');
  return rows.length > 1 && rows.at(-1) === '' ? rows.slice(0, -1) : rows;
}

/**
 * The one stretch of lines that differs, from 0, end exclusive, found by comparing from both ends; null if
 * none differs.
 */
export function changedLines(before: string, after: string): { from: number; to: number } | null {
  if (before === after) return null;
  const old = splitLines(before);
  const now = splitLines(after);
  let from = 0;
  while (from < now.length && from < old.length && now[from] === old[from]) from += 1;
  let tail = 0;
  while (
    tail < Math.min(now.length, old.length) - from &&
    now[now.length - 1 - tail] === old[old.length - 1 - tail]
  ) {
    tail += 1;
  }
  return { from, to: now.length - tail };
}
