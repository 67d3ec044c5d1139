import { fileError, textOf, type Call } from './command.ts';
import { matchingLines, withContext, type Line } from './match.ts';
import { readAhead, type Readable } from './walk.ts';

/** How matches are shown. */
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
  /** Group by file, under its name. */
  readonly headings: boolean;
}

export interface Candidate {
  readonly shown: string;
  readonly path: string;
}

interface SearchResult {
  readonly stdout: string;
  readonly matched: boolean;
}

/** Searches files in their order and shows what matches. */
export async function search(
  call: Call,
  candidates: AsyncIterable<Candidate>,
  showing: Showing,
  complain: (name: string, reason: string) => void,
): Promise<SearchResult> {
  const stdout: string[] = [];
  let matched = false;
  const files: Readable = {
    readFileBuffer: (path) =>
      path === '-' ? Promise.resolve(call.stdin()) : call.files.readFileBuffer(path),
  };
  for await (const { item, content } of readAhead(files, candidates)) {
    if (call.host.aborted()) break;
    if (content instanceof Error) {
      complain(item.shown, fileError(content));
      continue;
    }
    const found = show(item.shown, content, showing, stdout);
    matched ||= found;
    if (found && showing.mode === 'quiet') break;
  }
  return { stdout: stdout.join(''), matched };
}

function show(name: string, content: Uint8Array, showing: Showing, stdout: string[]): boolean {
  if (showing.binary === 'skip' && content.subarray(0, 8192).includes(0)) return false;
  const text = textOf(content);
  const { mode } = showing;
  const limit = mode === 'lines' || mode === 'count' ? showing.limit : 1;
  const lines = matchingLines(text, showing.regexp, showing.invert, limit);
  if (mode === 'lines') return showLines(name, text, lines, showing, stdout);
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
): boolean {
  const hasContext = (showing.before > 0 || showing.after > 0) && !showing.only;
  let found = false;
  const prefix = (line: Line, column: number) => {
    const mark = line.matched ? ':' : '-';
    const named = showing.names && !showing.headings ? name + (showing.afterName === '\0' ? '\0' : mark) : '';
    return `${named}${showing.numbers ? line.number + mark : ''}${showing.columns ? column + mark : ''}`;
  };
  const shown = hasContext ? withContext(text, lines, showing.before, showing.after) : lines;
  for (const line of shown) {
    if (!found) {
      if (hasContext && stdout.length > 0 && !showing.headings) stdout.push('--\n');
      if (showing.headings) stdout.push(`${stdout.length > 0 ? '\n' : ''}${name}\n`);
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
