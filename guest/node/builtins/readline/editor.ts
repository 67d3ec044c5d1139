import { stripVTControlCharacters } from '../util/style.ts';
import type { Key } from './keys.ts';
import { clearScreenDown, cursorTo, moveCursor, type Output } from './terminal.ts';

/** The fields of a reader that keys change. Programs read and set them too. */
export interface Edited {
  readonly output: Output | null | undefined;
  readonly columns: number;
  readonly historySize: number;
  readonly crlfDelay: number;
  /** Off while a piece that was pasted is read: a tab in it is one. */
  isCompletionEnabled: boolean;
  history: string[];
  line: string;
  cursor: number;
  getPrompt(): string;
  emit(name: string, ...args: unknown[]): boolean;
  listenerCount(name: string): number;
  close(): void;
}

export interface EditorOptions {
  readonly tabSize: number;
  readonly removesDuplicates: boolean;
  /** The terminal knows no cursor: what is typed is put at the end. */
  readonly isPlain: boolean;
  /** Calls back with what a line could go on with, and the part of it that this stands for. */
  readonly complete: ((line: string, done: (error: unknown, found?: unknown) => void) => void) | undefined;
  readonly given: (line: string) => void;
}

type Completions = readonly [readonly string[], string];

const WORD_LEFT = /(?:[^\w\s]+|\w+|)\s*$/;
const WORD_RIGHT = /^(?:\s+|[^\w\s]+|\w+)\s*/;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

const widthOf = (char: string) => (/^[\p{M}\p{Cf}]$/u.test(char) ? 0 : WIDE.test(char) ? 2 : 1);

/** A line that is edited by keys, drawn below its prompt. */
export class LineEditor {
  readonly #reader: Edited;
  readonly #options: EditorOptions;
  #rows = 0;
  /** The position of the line in the history; -1 for a new line. */
  #at = -1;
  /** The start of the history lines that are searched. */
  #search: string | undefined;
  #returned = 0;
  #wasTab = false;
  #killed = '';

  constructor(reader: Edited, options: EditorOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  /** Where a text of this reader ends on the screen, from where it begins. */
  place(text: string): { cols: number; rows: number } {
    const { columns } = this.#reader;
    let [cols, rows] = [0, 0];
    for (const char of stripVTControlCharacters(text)) {
      if (char === '\n') {
        rows += Math.ceil(cols / columns) || 1;
        cols = 0;
      } else if (char === '\t') cols += this.#options.tabSize - (cols % this.#options.tabSize);
      else cols += widthOf(char);
    }
    const rest = Number.isFinite(columns) ? cols % columns : cols;
    return { cols: rest, rows: rows + (Number.isFinite(columns) ? (cols - rest) / columns : 0) };
  }

  cursorPlace(): { cols: number; rows: number } {
    const { line, cursor } = this.#reader;
    return this.place(this.#reader.getPrompt() + line.slice(0, cursor));
  }

  /** Prompt and line, anew. */
  draw(): void {
    const { output, line } = this.#reader;
    if (!output) return;
    const whole = this.#reader.getPrompt() + line;
    const end = this.place(whole);
    const cursor = this.cursorPlace();
    if (this.#rows > 0) moveCursor(output, 0, -this.#rows);
    cursorTo(output, 0);
    clearScreenDown(output);
    output.write(whole);
    if (end.cols === 0) output.write(' ');
    cursorTo(output, cursor.cols);
    if (end.rows > cursor.rows) moveCursor(output, 0, cursor.rows - end.rows);
    this.#rows = cursor.rows;
  }

  /** Goes to the next row, with an empty line. */
  clear(): void {
    this.#move(Infinity);
    this.#reader.output?.write('\r\n');
    this.#reader.line = '';
    this.#reader.cursor = 0;
    this.#rows = 0;
  }

  press(text: string | undefined, key: Partial<Key>): void {
    const { name = '', ctrl = false, meta = false, shift = false } = key;
    const reader = this.#reader;
    const goesThrough = (name === 'up' || name === 'down') && !ctrl && !meta && !shift;
    if (!goesThrough && !(ctrl && (name === 'p' || name === 'n'))) {
      this.#search = undefined;
      if (this.#at === reader.history.length) this.#at = -1;
    } else this.#search ??= reader.line.slice(0, reader.cursor);
    if (name !== 'enter') this.#returned = 0;
    if (this.#options.isPlain) return this.#type(text, key);
    const wasTab = this.#wasTab;
    this.#wasTab = name === 'tab' && !ctrl && !meta;
    if (name === 'escape') return;
    if (ctrl) return this.#pressControl(name, shift);
    if (meta) return this.#pressMeta(name);
    switch (name) {
      case 'return':
        this.#returned = Date.now();
        return this.#end();
      case 'enter':
        if (this.#returned === 0 || Date.now() - this.#returned > reader.crlfDelay) this.#end();
        this.#returned = 0;
        return;
      case 'backspace':
        return this.#cut(this.#before(1), reader.cursor);
      case 'delete':
        return this.#cut(reader.cursor, this.#after(1));
      case 'left':
        return this.#move(this.#before(1) - reader.cursor);
      case 'right':
        return this.#move(this.#after(1) - reader.cursor);
      case 'home':
        return this.#move(-Infinity);
      case 'end':
        return this.#move(Infinity);
      case 'up':
        return this.#through(1);
      case 'down':
        return this.#through(-1);
      case 'tab':
        if (this.#options.complete && reader.isCompletionEnabled) return this.#complete(wasTab);
    }
    if (!text) return;
    for (const [at, part] of text.split(/\r\n|\n|\r/).entries()) {
      if (at > 0) this.#end();
      this.#insert(part);
    }
  }

  #type(text: string | undefined, { name = '', ctrl = false }: Partial<Key>): void {
    if (name === 'escape') return;
    if (ctrl && name === 'c') return this.#pressControl(name, false);
    if (ctrl && name === 'd') return this.#reader.close();
    if (name === 'return') {
      this.#returned = Date.now();
      return this.#end();
    }
    if (name === 'enter') {
      if (this.#returned === 0 || Date.now() - this.#returned > this.#reader.crlfDelay) this.#end();
      this.#returned = 0;
      return;
    }
    if (!text) return;
    this.#reader.line += text;
    this.#reader.cursor += text.length;
    this.#reader.output?.write(text);
  }

  #pressControl(name: string, shift: boolean): void {
    const reader = this.#reader;
    const { line, cursor } = reader;
    switch (name) {
      case 'c':
        if (reader.listenerCount('SIGINT') > 0) reader.emit('SIGINT');
        else reader.close();
        return;
      case 'd':
        if (line === '') reader.close();
        else this.#cut(cursor, this.#after(1));
        return;
      case 'z':
        if (reader.listenerCount('SIGTSTP') > 0) reader.emit('SIGTSTP');
        return;
      case 'h':
        return this.#cut(this.#before(1), cursor);
      case 'u':
        return this.#kill(0, cursor);
      case 'k':
        return this.#kill(cursor, line.length);
      case 'a':
        return this.#move(-Infinity);
      case 'e':
        return this.#move(Infinity);
      case 'b':
        return this.#move(this.#before(1) - cursor);
      case 'f':
        return this.#move(this.#after(1) - cursor);
      case 'l':
        if (!reader.output) return;
        cursorTo(reader.output, 0, 0);
        clearScreenDown(reader.output);
        this.#rows = 0;
        return this.draw();
      case 'n':
        return this.#through(-1);
      case 'p':
        return this.#through(1);
      case 'y':
        return this.#insert(this.#killed);
      case 'w':
      case 'backspace':
        return shift ? this.#kill(0, cursor) : this.#cut(this.#wordLeft(), cursor);
      case 'delete':
        return shift ? this.#kill(cursor, line.length) : this.#cut(cursor, this.#wordRight());
      case 'left':
        return this.#move(this.#wordLeft() - cursor);
      case 'right':
        return this.#move(this.#wordRight() - cursor);
    }
  }

  #pressMeta(name: string): void {
    const { cursor } = this.#reader;
    if (name === 'b') this.#move(this.#wordLeft() - cursor);
    else if (name === 'f') this.#move(this.#wordRight() - cursor);
    else if (name === 'd' || name === 'delete') this.#cut(cursor, this.#wordRight());
    else if (name === 'backspace') this.#cut(this.#wordLeft(), cursor);
  }

  #insert(text: string): void {
    if (text === '') return;
    const reader = this.#reader;
    const { line, cursor } = reader;
    reader.line = line.slice(0, cursor) + text + line.slice(cursor);
    reader.cursor = cursor + text.length;
    // Pasted text is written as it is, because redrawing the line for each character would take too long.
    if (!reader.isCompletionEnabled) reader.output?.write(text);
    else if (cursor < line.length || this.cursorPlace().cols === 0) this.draw();
    else reader.output?.write(text);
  }

  #cut(from: number, to: number): void {
    const reader = this.#reader;
    if (from >= to) return;
    reader.line = reader.line.slice(0, from) + reader.line.slice(to);
    reader.cursor = from;
    this.draw();
  }

  #kill(from: number, to: number): void {
    this.#killed = this.#reader.line.slice(from, to);
    const reader = this.#reader;
    reader.line = reader.line.slice(0, from) + reader.line.slice(to);
    reader.cursor = from;
    this.draw();
  }

  #move(by: number): void {
    const reader = this.#reader;
    const before = this.cursorPlace();
    reader.cursor = Math.min(reader.line.length, Math.max(0, reader.cursor + by));
    const now = this.cursorPlace();
    if (before.rows !== now.rows) this.draw();
    else if (reader.output && before.cols !== now.cols) moveCursor(reader.output, now.cols - before.cols, 0);
  }

  /** Characters of two halves are one step. */
  #before(steps: number): number {
    const { line, cursor } = this.#reader;
    return cursor - [...line.slice(0, cursor)].slice(-steps).join('').length;
  }

  #after(steps: number): number {
    const { line, cursor } = this.#reader;
    return cursor + [...line.slice(cursor)].slice(0, steps).join('').length;
  }

  #wordLeft(): number {
    const before = this.#reader.line.slice(0, this.#reader.cursor);
    return before.length - (WORD_LEFT.exec(before)?.[0].length ?? 0);
  }

  #wordRight(): number {
    const { line, cursor } = this.#reader;
    return cursor + (WORD_RIGHT.exec(line.slice(cursor))?.[0].length ?? 0);
  }

  /** Further into the past with 1, back with -1. */
  #through(by: 1 | -1): void {
    const reader = this.#reader;
    const search = this.#search ?? '';
    if (by < 0 ? this.#at < 0 : this.#at >= reader.history.length) return;
    let at = this.#at + by;
    const fits = (text: string | undefined) => text?.startsWith(search) && text !== reader.line;
    while (at >= 0 && at < reader.history.length && !fits(reader.history[at])) at += by;
    this.#at = at;
    reader.line = reader.history[at] ?? search;
    reader.cursor = reader.line.length;
    this.draw();
  }

  #end(): void {
    const reader = this.#reader;
    const { line } = reader;
    this.#remember(line);
    this.clear();
    this.#options.given(line);
  }

  #remember(line: string): void {
    const reader = this.#reader;
    if (reader.historySize <= 0 || line.trim() === '') return;
    this.#at = -1;
    if (reader.history[0] !== line) {
      const others = this.#options.removesDuplicates
        ? reader.history.filter((each) => each !== line)
        : reader.history;
      reader.history = [line, ...others].slice(0, reader.historySize);
    }
    reader.emit('history', reader.history);
  }

  #complete(isSecond: boolean): void {
    const reader = this.#reader;
    this.#options.complete?.(reader.line.slice(0, reader.cursor), (error, found) => {
      if (error) return void reader.output?.write(`Tab completion error: ${String(error)}`);
      const [all, on] = found as Completions;
      if (all.length === 0) return;
      const common = commonStart(all.filter((each) => each !== ''));
      if (common.startsWith(on) && common.length > on.length) return this.#insert(common.slice(on.length));
      if (!on.startsWith(common)) {
        const start = reader.cursor - on.length;
        reader.line = reader.line.slice(0, start) + common + reader.line.slice(reader.cursor);
        reader.cursor = start + common.length;
        return this.draw();
      }
      if (!isSecond) return;
      reader.output?.write(this.#listed(all));
      this.draw();
    });
  }

  #listed(all: readonly string[]): string {
    const { columns } = this.#reader;
    const lengths = all.map((each) => this.place(each).cols);
    const width = Math.max(...lengths) + 2;
    const most = Number.isFinite(columns) ? Math.floor(columns / width) || 1 : 1;
    let text = '\r\n';
    let inRow = 0;
    let gap = 0;
    for (const [at, each] of all.entries()) {
      if (each === '' || inRow === most) {
        text += '\r\n';
        inRow = gap = 0;
      } else text += ' '.repeat(gap);
      if (each === '') text += '\r\n';
      else {
        text += each;
        gap = width - (lengths[at] ?? 0);
        inRow++;
      }
    }
    return inRow === 0 ? text : `${text}\r\n\r\n`;
  }
}

function commonStart(texts: readonly string[]): string {
  const [first = ''] = texts;
  let length = first.length;
  for (const text of texts) while (!text.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
