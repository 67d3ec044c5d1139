import type { Key, KeyName } from './keys.ts';

/**
 * A line that the person is typing. `cursor` counts UTF-16 units and never stands inside a grapheme; Ctrl-Y
 * inserts `killed` again.
 */
export interface Line {
  readonly text: string;
  readonly cursor: number;
  readonly killed: string;
}

export const EMPTY_LINE: Line = { text: '', cursor: 0, killed: '' };

/** Actions that the line cannot do by itself. */
export type Request =
  'submit' | 'complete' | 'older' | 'newer' | 'interrupt' | 'end-of-input' | 'clear' | 'search' | 'leave';

export interface Edited {
  readonly line: Line;
  readonly request?: Request;
}

const REQUESTS: Partial<Record<KeyName, Request>> = {
  enter: 'submit',
  tab: 'complete',
  up: 'older',
  down: 'newer',
  interrupt: 'interrupt',
  clear: 'clear',
  search: 'search',
  leave: 'leave',
};

export function editLine(line: Line, key: Key): Edited {
  if (key.type !== 'key') return { line: insert(line, key.text) };
  const request = REQUESTS[key.name];
  if (request) return { line, request };
  if (key.name === 'end-of-input') {
    return line.text === ''
      ? { line, request: 'end-of-input' }
      : { line: remove(line, line.cursor, next(line)) };
  }
  return { line: applyKey(line, key.name) };
}

export function insert(line: Line, text: string): Line {
  return {
    ...line,
    text: line.text.slice(0, line.cursor) + text + line.text.slice(line.cursor),
    cursor: line.cursor + text.length,
  };
}

export function lineOf(text: string, killed = ''): Line {
  return { text, cursor: text.length, killed };
}

function applyKey(line: Line, name: KeyName): Line {
  switch (name) {
    case 'left':
      return { ...line, cursor: previous(line) };
    case 'right':
      return { ...line, cursor: next(line) };
    case 'home':
      return { ...line, cursor: rowStart(line) };
    case 'end':
      return { ...line, cursor: rowEnd(line) };
    case 'word-left':
      return { ...line, cursor: wordStart(line) };
    case 'word-right':
      return { ...line, cursor: wordEnd(line) };
    case 'backspace':
      return remove(line, previous(line), line.cursor);
    case 'delete':
      return remove(line, line.cursor, next(line));
    case 'kill-to-start':
      return kill(line, rowStart(line), line.cursor);
    case 'kill-to-end':
      return kill(line, line.cursor, rowEnd(line));
    case 'kill-word':
      return kill(line, spaceWordStart(line), line.cursor);
    case 'kill-word-right':
      return kill(line, line.cursor, wordEnd(line));
    case 'yank':
      return insert(line, line.killed);
    default:
      return line;
  }
}

function remove(line: Line, from: number, to: number): Line {
  return { ...line, text: line.text.slice(0, from) + line.text.slice(to), cursor: from };
}

function kill(line: Line, from: number, to: number): Line {
  const killed = line.text.slice(from, to);
  return { ...remove(line, from, to), killed: killed || line.killed };
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function next({ text, cursor }: Line): number {
  const here = graphemes.segment(text).containing(cursor);
  return here ? here.index + here.segment.length : text.length;
}

function previous({ text, cursor }: Line): number {
  return cursor === 0 ? 0 : (graphemes.segment(text).containing(cursor - 1)?.index ?? 0);
}

/** Home and End move within a row, since one command may have several. */
function rowStart({ text, cursor }: Line): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

function rowEnd({ text, cursor }: Line): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

function wordStart({ text, cursor }: Line): number {
  return cursor - (/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u.exec(text.slice(0, cursor))?.[0].length ?? 0);
}

function wordEnd({ text, cursor }: Line): number {
  return cursor + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(cursor))?.[0].length ?? 0);
}

function spaceWordStart({ text, cursor }: Line): number {
  return cursor - (/\S*\s*$/u.exec(text.slice(0, cursor))?.[0].length ?? 0);
}
