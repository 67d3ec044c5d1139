import type { ByteSource, ProgramCall } from '../program.ts';
import { fileError } from '../files.ts';
import { NEWLINE, readAll, textOf, wholeLines, type Writer } from './io.ts';
import { matchingLines, withContext, type Line } from './match.ts';
import { readAhead } from './walk.ts';

/** The settings that decide how matches are shown. */
export interface Showing {
  readonly regexp: RegExp;
  readonly invert: boolean;
  readonly only: boolean;
  readonly numbers: boolean;
  readonly columns: boolean;
  readonly names: boolean;
  readonly mode: 'lines' | 'count' | 'files' | 'filesWithout' | 'quiet';
  readonly before: number;
  readonly after: number;
  readonly limit: number;
  readonly binary: 'text' | 'skip';
  readonly afterName: string;
  readonly replacement?: string;
  /** With it, matches are grouped by file, below the file's name. */
  readonly headings: boolean;
}

export interface Candidate {
  readonly shown: string;
  readonly path: string;
}

/** The state of the output so far. */
interface Shown {
  readonly out: Writer;
  /** True once something has been shown, so that a separator goes before the next group. */
  any: boolean;
}

/** Searches files in order and shows the matches of each. Answers whether there are any. */
export async function search(
  call: ProgramCall,
  out: Writer,
  candidates: AsyncIterable<Candidate>,
  showing: Showing,
  complain: (name: string, reason: string) => Promise<void>,
): Promise<boolean> {
  const shown: Shown = { out, any: false };
  const isPlain = showing.mode === 'quiet' || (showing.mode === 'lines' && !hasContext(showing));
  let matched = false;
  const read = ({ path }: Candidate) => {
    if (path !== '-') return call.files.readFileBuffer(path);
    return isPlain ? Promise.resolve(new Uint8Array()) : readAll(call.stdin, out);
  };
  for await (const { item, content } of readAhead(read, candidates)) {
    if (call.signal.aborted) break;
    if (content instanceof Error) {
      await out.flush();
      await complain(item.shown, fileError(content));
      continue;
    }
    const found =
      item.path === '-' && isPlain
        ? await searchStream(item.shown, call.stdin, showing, shown)
        : await searchContent(item.shown, content, showing, shown);
    matched ||= found;
    if (found && showing.mode === 'quiet') break;
  }
  return matched;
}

async function searchContent(
  name: string,
  content: Uint8Array,
  showing: Showing,
  shown: Shown,
): Promise<boolean> {
  const lines: string[] = [];
  const found = show(name, content, showing, lines, shown.any);
  shown.any ||= lines.length > 0;
  for (const line of lines) {
    const waits = shown.out.write(line);
    if (waits) await waits;
  }
  return found;
}

/** Searches a stream as it arrives, and reads no further than it has to. */
async function searchStream(
  name: string,
  source: ByteSource,
  showing: Showing,
  shown: Shown,
): Promise<boolean> {
  let [count, before] = [0, 0];
  for await (const bytes of wholeLines(source, shown.out)) {
    const text = textOf(bytes);
    const from = before;
    const matches = [...matchingLines(text, showing.regexp, showing.invert, showing.limit - count)].map(
      (line) => ({
        ...line,
        number: line.number + from,
      }),
    );
    count += matches.length;
    if (showing.mode === 'quiet' && count > 0) return true;
    const lines: string[] = [];
    showLines(name, text, matches, { ...showing, headings: showing.headings && !shown.any }, lines, false);
    shown.any ||= lines.length > 0;
    for (const line of lines) await shown.out.write(line);
    if (count >= showing.limit) break;
    for (const byte of bytes) if (byte === NEWLINE) before++;
  }
  return count > 0;
}

function hasContext({ before, after, only }: Showing): boolean {
  return (before > 0 || after > 0) && !only;
}

function show(
  name: string,
  content: Uint8Array,
  showing: Showing,
  stdout: string[],
  isAfter: boolean,
): boolean {
  if (showing.binary === 'skip' && content.subarray(0, 8192).includes(0)) return false;
  const text = textOf(content);
  const { mode } = showing;
  const limit = mode === 'lines' || mode === 'count' ? showing.limit : 1;
  const lines = matchingLines(text, showing.regexp, showing.invert, limit);
  if (mode === 'lines') return showLines(name, text, lines, showing, stdout, isAfter);
  if (mode === 'count') {
    let count = 0;
    for (const _line of lines) count++;
    if (count > 0) stdout.push(`${showing.names ? name + showing.afterName : ''}${count}\n`);
    return count > 0;
  }
  const found = lines.next().done !== true;
  const counts = mode === 'filesWithout' ? !found : found;
  if (counts && mode !== 'quiet') stdout.push(name + (showing.afterName === '\0' ? '\0' : '\n'));
  return counts;
}

function showLines(
  name: string,
  text: string,
  lines: Iterable<Line>,
  showing: Showing,
  stdout: string[],
  isAfter: boolean,
): boolean {
  const isAround = hasContext(showing);
  let found = false;
  const prefix = (line: Line, column: number) => {
    const mark = line.matched ? ':' : '-';
    const named = showing.names && !showing.headings ? name + (showing.afterName === '\0' ? '\0' : mark) : '';
    return `${named}${showing.numbers ? line.number + mark : ''}${showing.columns ? column + mark : ''}`;
  };
  const shown = isAround ? withContext(text, lines, showing.before, showing.after) : lines;
  for (const line of shown) {
    if (!found) {
      if (isAround && isAfter && !showing.headings) stdout.push('--\n');
      if (showing.headings) stdout.push(`${isAfter ? '\n' : ''}${name}\n`);
      found = true;
    }
    if (line === null) stdout.push('--\n');
    else if (showing.only && !showing.invert) {
      for (const hit of line.text.matchAll(showing.regexp)) {
        if (hit[0] === '') continue;
        stdout.push(`${prefix(line, hit.index + 1)}${replaced(hit[0], showing)}\n`);
      }
    } else if (!showing.only) {
      stdout.push(`${prefix(line, columnOf(line, showing))}${replaced(line.text, showing)}\n`);
    }
  }
  return found;
}

function columnOf(line: Line, { columns, regexp }: Showing): number {
  if (!columns) return 0;
  regexp.lastIndex = 0;
  return (regexp.exec(line.text)?.index ?? 0) + 1;
}

function replaced(text: string, { regexp, replacement }: Showing): string {
  return replacement === undefined ? text : text.replace(regexp, replacement);
}
