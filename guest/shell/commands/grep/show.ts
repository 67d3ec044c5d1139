import type { ByteSource } from '../../program.ts';
import { decode, encode, linesIn, NEWLINE, wholeLines, type Writer } from '../../kit/io.ts';
import type { Matcher } from './pattern.ts';

export interface Showing {
  readonly matcher: Matcher;
  readonly invert: boolean;
  readonly mode: 'lines' | 'count' | 'files' | 'filesWithout' | 'quiet';
  readonly only: boolean;
  readonly numbers: boolean;
  readonly offsets: boolean;
  readonly names: boolean;
  readonly before: number;
  readonly after: number;
  readonly limit: number;
  readonly binary: 'text' | 'note' | 'skip';
  /** Ends a file name with NUL for `-Z`; otherwise a colon follows it. */
  readonly nul: boolean;
  readonly colors: boolean;
  readonly tabs: boolean;
  /** The byte that ends a line. */
  readonly end: number;
  /** Flushes after every line, for `--line-buffered`. */
  readonly flushes: boolean;
}

export interface Outcome {
  readonly matched: boolean;
  /** True where the file is binary and matches, which is reported on standard error. */
  readonly binary: boolean;
}

const COLOR = {
  match: '\x1b[01;31m\x1b[K',
  name: '\x1b[35m\x1b[K',
  number: '\x1b[32m\x1b[K',
  mark: '\x1b[36m\x1b[K',
  end: '\x1b[m\x1b[K',
} as const;

/** The position in one file. */
interface State {
  /** The number of lines before the present position. */
  line: number;
  /** The number of bytes before the present position. */
  offset: number;
  /** Preceding lines that may be shown as context. */
  held: string[];
  trailing: number;
  lastShown: number;
  count: number;
  readonly width: number;
  readonly name: string;
}

/** Remembers whether anything has been shown, so that groups of lines are separated. */
export interface Groups {
  any: boolean;
}

export async function searchOne(
  source: ByteSource,
  name: string,
  size: number | undefined,
  showing: Showing,
  out: Writer,
  groups: Groups,
): Promise<Outcome> {
  const state: State = {
    line: 0,
    offset: 0,
    held: [],
    trailing: 0,
    lastShown: 0,
    count: 0,
    width: size === undefined ? 19 : String(size).length,
    name,
  };
  const { mode, limit } = showing;
  let isBinary = false;
  for await (const bytes of wholeLines(source, out, showing.end)) {
    if (showing.end === NEWLINE && showing.binary !== 'text' && !isBinary && bytes.includes(0)) {
      if (showing.binary === 'skip') return { matched: false, binary: false };
      isBinary = true;
    }
    const shows = mode === 'lines' && !isBinary;
    const enough = shows || mode === 'count' ? limit : 1;
    if (state.count < enough || state.trailing > 0) {
      const text = searchPiece(decode(bytes), bytes.length, { showing, state, groups, shows, enough });
      const waits = text === '' ? undefined : out.write(text);
      if (waits) await waits;
    }
    if (showing.flushes) await out.flush();
    if (state.count >= enough && state.trailing === 0) break;
  }
  if (limit === 0) return { matched: false, binary: false };
  source.close();
  const matched = state.count > 0;
  if (mode === 'count') await out.write(`${prefix(showing, name, ':')}${state.count}\n`);
  else if (mode === 'files' ? matched : mode === 'filesWithout' && !matched)
    await out.write(colored(showing, 'name', name) + (showing.nul ? '\0' : '\n'));
  return { matched, binary: mode === 'lines' && isBinary && matched };
}

function colored(showing: Showing, kind: keyof typeof COLOR, text: string): string {
  return showing.colors ? COLOR[kind] + text + COLOR.end : text;
}

function prefix(showing: Showing, name: string, mark: string, numbers = ''): string {
  const named = showing.names
    ? colored(showing, 'name', name) + (showing.nul ? '\0' : colored(showing, 'mark', mark))
    : '';
  return named + numbers;
}

/** The search in one piece of a file. */
interface Search {
  readonly showing: Showing;
  readonly state: State;
  readonly groups: Groups;
  /** Whether lines are shown, and not only counted. */
  readonly shows: boolean;
  /** The count of matching lines at which the search ends. */
  readonly enough: number;
}

/** Searches whole lines of `size` bytes, and returns what is shown of them. */
function searchPiece(text: string, size: number, search: Search): string {
  const { showing, shows } = search;
  const { regex } = showing.matcher;
  const wantsContext = shows && (showing.before > 0 || showing.after > 0);
  regex.lastIndex = 0;
  const byLine = showing.invert || wantsContext || showing.end !== NEWLINE || regex.test('');
  return byLine ? searchLines(text, search) : searchMatches(text, size, search);
}

function searchLines(text: string, { showing, state, groups, shows, enough }: Search): string {
  const { regex } = showing.matcher;
  const end = String.fromCharCode(showing.end);
  let result = '';
  for (const line of linesIn(text, end).lines) {
    state.line++;
    regex.lastIndex = 0;
    const hit = state.count < enough && regex.test(line) !== showing.invert;
    if (hit) {
      state.count++;
      if (shows) result += groupBefore(showing, state, groups) + shown(line, ':', showing, state, end);
      if (shows) state.trailing = showing.after;
    } else if (shows && state.trailing > 0) {
      state.trailing--;
      if (!showing.only) result += shown(line, '-', showing, state, end);
      else state.lastShown = state.line;
    } else if (shows && showing.before > 0) {
      state.held.push(line);
      if (state.held.length > showing.before) state.held.shift();
    }
    if (showing.offsets) state.offset += encode(line).length + 1;
    if (state.count >= enough && state.trailing === 0) break;
  }
  return result;
}

/** Goes from match to match, which is faster than testing each line. */
function searchMatches(text: string, size: number, { showing, state, shows, enough }: Search): string {
  const isPlain = shows && showsLinesAlone(showing);
  let result = '';
  let counted = 0;
  let offsetAt = 0;
  const countLines = (until: number) => {
    for (
      let next = text.indexOf('\n', counted);
      next >= 0 && next < until;
      next = text.indexOf('\n', counted)
    ) {
      state.line++;
      counted = next + 1;
    }
  };
  for (let from = 0; from < text.length && state.count < enough;) {
    const line = nextLine(text, from, showing.matcher);
    if (!line) break;
    const { start, stop } = line;
    from = stop + 1;
    if (!line.matches) continue;
    state.count++;
    if (isPlain) result += stop === text.length ? `${text.slice(start)}\n` : text.slice(start, stop + 1);
    else if (shows) {
      if (showing.numbers) {
        countLines(start);
        state.line++;
      }
      if (showing.offsets) state.offset += encode(text.slice(offsetAt, start)).length;
      result += shown(text.slice(start, stop), ':', showing, state, '\n');
      if (showing.numbers) state.line--;
      if (showing.offsets) offsetAt = start;
    }
  }
  if (showing.numbers) countLines(Infinity);
  if (showing.offsets) state.offset += offsetAt === 0 ? size : encode(text.slice(offsetAt)).length;
  return result;
}

function showsLinesAlone({ only, colors, names, numbers, offsets, tabs }: Showing): boolean {
  return !only && !colors && !names && !numbers && !offsets && !tabs;
}

/** The line with the next match from a position on. It may turn out not to match by itself. */
function nextLine(
  text: string,
  from: number,
  { regex, text: literal }: Matcher,
): { readonly start: number; readonly stop: number; readonly matches: boolean } | undefined {
  let at: number;
  let to: number;
  if (literal !== undefined) {
    at = text.indexOf(literal, from);
    to = at + literal.length;
  } else {
    regex.lastIndex = from;
    const hit = regex.exec(text);
    at = hit ? hit.index : -1;
    to = hit ? at + hit[0].length : -1;
  }
  if (at < 0) return undefined;
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const found = text.indexOf('\n', at);
  const stop = found < 0 ? text.length : found;
  if (start >= from && to <= stop) return { start, stop, matches: true };
  // A match that spans several lines may not match within the line, so the line is tested alone.
  regex.lastIndex = 0;
  return { start, stop, matches: regex.test(text.slice(start, stop)) };
}

/** Returns the mark between groups that do not touch, and the context before a match. */
function groupBefore(showing: Showing, state: State, groups: Groups): string {
  if (showing.before === 0 && showing.after === 0) return '';
  const held = state.held;
  state.held = [];
  const first = state.line - held.length;
  let text = '';
  if ((groups.any && state.lastShown === 0) || (state.lastShown > 0 && first > state.lastShown + 1))
    text = `${colored(showing, 'mark', '--')}\n`;
  groups.any = true;
  if (showing.only) return text;
  const at = state.line;
  for (const [i, line] of held.entries()) {
    state.line = first + i;
    text += shown(line, '-', showing, state, '\n');
  }
  state.line = at;
  return text;
}

function shown(line: string, mark: string, showing: Showing, state: State, end: string): string {
  state.lastShown = state.line;
  const pad = (number: number) => (showing.tabs ? String(number).padStart(state.width) : String(number));
  const head = (offset: number) => {
    let numbers = '';
    if (showing.numbers)
      numbers += colored(showing, 'number', pad(state.line)) + colored(showing, 'mark', mark);
    if (showing.offsets) numbers += colored(showing, 'number', pad(offset)) + colored(showing, 'mark', mark);
    const text = prefix(showing, state.name, mark, numbers);
    return showing.tabs && text !== '' ? `${text}\t` : text;
  };
  const { regex } = showing.matcher;
  if (showing.only && mark === ':') {
    if (showing.invert) return '';
    let text = '';
    regex.lastIndex = 0;
    for (const hit of line.matchAll(regex)) {
      if (hit[0] === '') continue;
      const offset = showing.offsets ? state.offset + encode(line.slice(0, hit.index)).length : 0;
      text += head(offset) + colored(showing, 'match', hit[0]) + end;
    }
    return text;
  }
  const body =
    showing.colors && mark === ':' && !showing.invert
      ? line.replace(regex, (hit) => (hit === '' ? '' : COLOR.match + hit + COLOR.end))
      : line;
  return head(state.offset) + body + end;
}
