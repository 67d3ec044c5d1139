import { faultOf } from '../base/fault.ts';
import { withCommas } from '../base/with-commas.ts';
import type { JsonObject } from '../base/json.ts';
import { plural } from './text.ts';
import type { FullOutput, Outputs } from './tool.ts';

export const MAX_LINES = 2000;
/** Counted in UTF-8. */
export const MAX_BYTES = 51_200;

export type Direction = 'head' | 'tail';

export interface Cut {
  readonly preview: string;
  readonly truncated: boolean;
  /** The lines of the whole text; a line break at the end starts no further line. */
  readonly lines: number;
  readonly bytes: number;
  readonly shownLines: number;
  readonly shownBytes: number;
}

const NEWLINE = 0x0a;

/**
 * Cuts a text to its start or end within both limits. It keeps whole lines, unless they would fill less than half of
 * the limit: then a long line is cut too, but never within a character.
 */
export function cut(text: string, direction: Direction): Cut {
  const bytes = new TextEncoder().encode(text);
  const lines = countLines(bytes);
  if (lines <= MAX_LINES && bytes.length <= MAX_BYTES) {
    return {
      preview: text,
      truncated: false,
      lines,
      bytes: bytes.length,
      shownLines: lines,
      shownBytes: bytes.length,
    };
  }
  const part = direction === 'head' ? headOf(bytes) : tailOf(bytes);
  const preview = new TextDecoder('utf-8', { ignoreBOM: true }).decode(part);
  return {
    preview,
    truncated: true,
    lines,
    bytes: bytes.length,
    shownLines: countLines(part),
    shownBytes: part.length,
  };
}

/** Cuts an output for the model, stores the full text, and adds a note about where it is and how to read it. */
export async function truncate(
  text: string,
  options: { readonly tool: string; readonly direction: Direction; readonly outputs: Outputs },
): Promise<{ readonly output: string; readonly metadata: JsonObject; readonly fullOutput?: FullOutput }> {
  const { tool, direction, outputs } = options;
  const result = cut(text, direction);
  if (!result.truncated) return { output: text, metadata: { truncated: false } };
  const sizes = { truncated: true, originalSize: result.bytes, truncatedSize: result.shownBytes };
  try {
    const saved = await outputs.save(tool, text);
    return {
      output: withHint(result, direction, saved.path),
      metadata: { ...sizes, outputPath: saved.path },
      fullOutput: { ...saved, bytes: result.bytes, lines: result.lines },
    };
  } catch (error) {
    const why = `[Output truncated: ${totals(result)} in all, and the rest could not be kept: ${faultOf(error).what}]`;
    return { output: join(result.preview, why, direction), metadata: sizes };
  }
}

/** The first lines of a list that fit the limits of an output. */
export function fittingLines(lines: readonly string[]): readonly string[] {
  let bytes = 0;
  const end = lines.findIndex((line, index) => {
    bytes += new TextEncoder().encode(line).length + 1;
    return index >= MAX_LINES || bytes > MAX_BYTES;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

function withHint(result: Cut, direction: Direction, path: string): string {
  const shown = plural(result.shownLines, 'line');
  const next =
    direction === 'head' ? result.shownLines + 1 : Math.max(1, result.lines - result.shownLines - 99);
  // A line that was cut must be read again from its start.
  const offset = direction === 'head' && !result.preview.endsWith('\n') ? result.shownLines : next;
  const hint = [
    `[Output truncated ${direction === 'head' ? `after ${shown}` : `to the last ${shown}`}. Full output (${totals(result)}) written to:`,
    path,
    '',
    'Use the read tool to view sections of it, or the grep tool to search it:',
    `  read(filePath="${path}", offset=${offset}, limit=100)`,
    ']',
  ].join('\n');
  return join(result.preview, hint, direction);
}

function join(preview: string, hint: string, direction: Direction): string {
  if (direction === 'tail') return `${hint}\n\n${preview}`;
  return `${preview}${preview.endsWith('\n') ? '' : '\n'}\n${hint}`;
}

function totals(result: Cut): string {
  return `${plural(result.lines, 'line')}, ${withCommas(Math.ceil(result.bytes / 1024))} KB`;
}

function headOf(bytes: Uint8Array): Uint8Array {
  let end = 0;
  for (let line = 0; line < MAX_LINES; line++) {
    const newline = bytes.indexOf(NEWLINE, end);
    const next = newline < 0 ? bytes.length : newline + 1;
    if (next > MAX_BYTES)
      return end >= MAX_BYTES / 2 ? bytes.subarray(0, end) : charactersUpTo(bytes, MAX_BYTES);
    end = next;
    if (end === bytes.length) break;
  }
  return bytes.subarray(0, end);
}

function tailOf(bytes: Uint8Array): Uint8Array {
  const limit = bytes.length - MAX_BYTES;
  let start = bytes.length;
  for (let line = 0; line < MAX_LINES && start > 0; line++) {
    // The line break before `start` belongs to the line that is taken now.
    const newline = start >= 2 ? bytes.lastIndexOf(NEWLINE, start - 2) : -1;
    if (newline + 1 < limit) {
      return bytes.length - start >= MAX_BYTES / 2 ? bytes.subarray(start) : charactersFrom(bytes, limit);
    }
    start = newline + 1;
  }
  return bytes.subarray(start);
}

function charactersUpTo(bytes: Uint8Array, end: number): Uint8Array {
  while (isContinuation(bytes[end])) end--;
  return bytes.subarray(0, end);
}

function charactersFrom(bytes: Uint8Array, start: number): Uint8Array {
  while (isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return bytes.length > 0 && bytes[bytes.length - 1] !== NEWLINE ? lines + 1 : lines;
}
