import type { Terminal } from '../../program.ts';
import { posixSource } from '../../kit/posix-regex.ts';
import type { Document } from './document.ts';
import { actionOf, isPrefix, type Action } from './keys.ts';
import { plainText, rowsOf, type RowStyle } from './rows.ts';

export interface ViewOptions {
  chops: boolean;
  numbers: boolean;
  colours: boolean;
  ignoresCase: boolean;
  readonly squeezes: boolean;
  readonly pattern: string | undefined;
  /** The text about other files in the prompt. */
  readonly others: string;
}

/** Why a view ends. */
export type End = 'quit' | 'help' | 'next-file' | 'previous-file';

interface Position {
  readonly line: number;
  /** The index among the rows of the line. */
  readonly row: number;
}

/** The number of lines searched between two checks for typed keys. */
const SEARCHED_AT_ONCE = 2_000;
const NUMBER_WIDTH = 8;

/** Shows a document on the screen: keeps the position, draws, and handles keys. */
export class View {
  readonly #document: Document;
  readonly #terminal: Terminal;
  readonly #print: (text: string) => void | Promise<void>;
  readonly #options: ViewOptions;
  #top: Position = { line: 0, row: 0 };
  #shift = 0;
  #found: RegExp | undefined;
  #isBackwards = false;
  #isMarked = true;
  /** True while the view has to jump to the last line once it is known. */
  #toEnd = false;
  #isNew = true;
  /** A message in place of the prompt, until the next key. */
  #message = '';
  /** The text being typed in the last row, with its first character. */
  #asked: string | undefined;
  #count = '';
  #pending = '';
  #drawing: Promise<void> = Promise.resolve();
  #isDue = false;
  #isOn = false;

  constructor(
    document: Document,
    terminal: Terminal,
    print: (text: string) => void | Promise<void>,
    options: ViewOptions,
  ) {
    this.#document = document;
    this.#terminal = terminal;
    this.#print = print;
    this.#options = { ...options };
    if (options.pattern !== undefined) this.#compile(options.pattern);
  }

  /**
   * Shows the document until a key ends the view. `read` returns the next key, or null where no more will
   * come.
   */
  async run(read: () => Promise<string | null>): Promise<End> {
    this.#isOn = true;
    this.changed();
    try {
      if (this.#isNew && this.#found) await this.#search(false, -1);
      for (;;) {
        const key = await read();
        if (key === null) return 'quit';
        this.#isNew = false;
        const end = await this.#take(key);
        if (end) return end;
        this.changed();
      }
    } finally {
      this.#isOn = false;
      await this.#drawing;
    }
  }

  /**
   * Call it when more lines have arrived or the screen size has changed: redraws once for many such calls.
   */
  changed(): void {
    if (!this.#isOn || this.#isDue) return;
    this.#isDue = true;
    this.#drawing = this.#drawing.then(async () => {
      this.#isDue = false;
      await this.#print(this.#screen());
    });
  }

  /** Counts the rows of the whole document, up to `most`. */
  rowCount(most: number): number {
    let count = 0;
    for (let line = 0; line < this.#document.lines.length && count < most; line++)
      count += this.#rows(line).length;
    return count;
  }

  async #take(key: string): Promise<End | undefined> {
    this.#message = '';
    if (this.#asked !== undefined) return void (await this.#ask(this.#asked, key));
    if (this.#pending === '-') return void this.#switch(key);
    if (/^\d$/.test(key) && this.#pending === '') return void (this.#count += key);
    const typed = this.#pending + key;
    this.#pending = '';
    if (isPrefix(typed)) return void (this.#pending = typed);
    const action = actionOf(typed);
    if (action === undefined) return void (this.#count = '');
    if (action === 'quit' || action === 'help' || action === 'next-file' || action === 'previous-file')
      return action;
    const count = this.#count === '' ? undefined : Number(this.#count);
    this.#count = '';
    await this.#do(action, count);
    return undefined;
  }

  async #do(action: Exclude<Action, End>, count: number | undefined): Promise<void> {
    const page = this.#page;
    this.#toEnd = false;
    switch (action) {
      case 'forward':
        return this.#move(count ?? page);
      case 'back':
        return this.#move(-(count ?? page));
      case 'down':
        return this.#move(count ?? 1);
      case 'up':
        return this.#move(-(count ?? 1));
      case 'half-forward':
        return this.#move(count ?? Math.ceil(page / 2));
      case 'half-back':
        return this.#move(-(count ?? Math.ceil(page / 2)));
      case 'first':
        return this.#goTo((count ?? 1) - 1);
      case 'last':
        if (count !== undefined) return this.#goTo(count - 1);
        this.#toEnd = true;
        return this.#document.want(Infinity);
      case 'search':
      case 'search-back':
        this.#asked = action === 'search' ? '/' : '?';
        return;
      case 'next':
      case 'previous':
        if (!this.#found) return void (this.#message = 'No previous regular expression');
        this.#isMarked = true;
        return this.#search(this.#isBackwards !== (action === 'previous'), this.#top.line);
      case 'unmark':
        this.#isMarked = !this.#isMarked;
        return;
      case 'right':
      case 'left': {
        const by = count ?? Math.ceil(this.#terminal.columns / 2);
        this.#shift = Math.max(0, this.#shift + (action === 'right' ? by : -by));
        this.#top = { line: this.#top.line, row: 0 };
        return;
      }
      case 'option':
        this.#pending = '-';
        return;
      case 'where':
        this.#message = this.#where();
        return;
      case 'redraw':
        return;
    }
  }

  #switch(letter: string): void {
    this.#pending = '';
    const options = this.#options;
    if (letter === 'S') options.chops = !options.chops;
    else if (letter === 'N' || letter === 'n') options.numbers = !options.numbers;
    else if (letter === 'i' || letter === 'I') options.ignoresCase = !options.ignoresCase;
    else if (letter === 'R' || letter === 'r') options.colours = !options.colours;
    else {
      this.#message = `There is no -${letter} option`;
      return;
    }
    this.#top = { line: this.#top.line, row: 0 };
    if (letter === 'i' || letter === 'I')
      this.#message = `Searches ${options.ignoresCase ? 'ignore' : 'heed'} case`;
  }

  /** Handles a key while a pattern is being typed. */
  async #ask(asked: string, key: string): Promise<void> {
    if (key === '\n' || key === '\r') {
      this.#asked = undefined;
      this.#isBackwards = asked.startsWith('?');
      const pattern = asked.slice(1);
      if (pattern !== '' && !this.#compile(pattern)) return;
      if (!this.#found) return void (this.#message = 'No previous regular expression');
      this.#isMarked = true;
      await this.#search(this.#isBackwards, this.#top.line - (this.#isBackwards ? 0 : 1));
    } else if (key === '\x7f' || key === '\b') {
      this.#asked = asked.length > 1 ? [...asked].slice(0, -1).join('') : undefined;
    } else if (key === '\x15') this.#asked = asked.charAt(0);
    else if (key.startsWith('\x1b') || key === '\x07') this.#asked = undefined;
    else if (key >= ' ') this.#asked = asked + key;
  }

  #compile(pattern: string): boolean {
    try {
      // With the option, a pattern without capitals matches both cases.
      const ignoresCase = this.#options.ignoresCase && !/\p{Lu}/u.test(pattern);
      const source = posixSource(pattern, { extended: true, escapes: 'grep' });
      this.#found = new RegExp(source, ignoresCase ? 'giu' : 'gu');
      return true;
    } catch {
      this.#message = 'Invalid pattern';
      return false;
    }
  }

  /** Goes to the next matching line after `from`, or before it. */
  async #search(backwards: boolean, from: number): Promise<void> {
    const { lines } = this.#document;
    const matches = (line: number) => {
      if (this.#found) this.#found.lastIndex = 0;
      return this.#found?.test(plainText(lines[line] ?? '', this.#options.colours)) === true;
    };
    const step = backwards ? -1 : 1;
    for (let line = from + step; line >= 0; line += step) {
      if (line >= lines.length) {
        if (this.#document.ended) break;
        await this.#document.have(line + SEARCHED_AT_ONCE);
        if (line >= lines.length) break;
      }
      if (matches(line)) return void (this.#top = { line, row: 0 });
    }
    this.#message = 'Pattern not found';
  }

  async #goTo(line: number): Promise<void> {
    await this.#document.have(line + 1);
    this.#top = { line: Math.max(0, Math.min(line, this.#document.lines.length - 1)), row: 0 };
  }

  /** Moves by this many rows, forwards or backwards. */
  async #move(by: number): Promise<void> {
    let { line, row } = this.#top;
    if (by > 0) await this.#document.have(line + by + this.#page);
    const last = this.#lastTop();
    for (let left = Math.abs(by); left > 0; left--) {
      if (by < 0) {
        if (row > 0) row--;
        else if (line > 0) row = Math.max(0, this.#rows(--line).length - 1);
      } else if (line > last.line || (line === last.line && row >= last.row)) break;
      else if (row + 1 < this.#rows(line).length) row++;
      else {
        line++;
        row = 0;
      }
    }
    this.#top = { line, row };
  }

  /** The last position at which the screen is still full; past the end where the end is not known yet. */
  #lastTop(): Position {
    const { lines, ended } = this.#document;
    if (!ended) return { line: lines.length, row: 0 };
    let left = this.#page;
    for (let line = lines.length - 1; line >= 0; line--) {
      const rows = this.#rows(line).length;
      if (rows >= left) return { line, row: rows - left };
      left -= rows;
    }
    return { line: 0, row: 0 };
  }

  get #page(): number {
    return Math.max(1, this.#terminal.rows - 1);
  }

  #rows(line: number): string[] {
    const { columns } = this.#terminal;
    const { chops, numbers, colours } = this.#options;
    const style: RowStyle = {
      columns: numbers ? Math.max(1, columns - NUMBER_WIDTH) : columns,
      colours,
      chops: chops || this.#shift > 0,
      shift: this.#shift,
      found: this.#isMarked ? this.#found : undefined,
    };
    const text = this.#document.lines[line] ?? '';
    if (this.#options.squeezes && text === '' && this.#document.lines[line - 1] === '') return [];
    const rows = rowsOf(text, style);
    if (!numbers) return rows;
    return rows.map(
      (row, index) =>
        (index === 0 ? `${String(line + 1).padStart(NUMBER_WIDTH - 1)} ` : ' '.repeat(NUMBER_WIDTH)) + row,
    );
  }

  #screen(): string {
    const { lines, ended } = this.#document;
    if (this.#toEnd && ended) {
      this.#toEnd = false;
      this.#top = this.#lastTop();
    }
    this.#document.want(this.#top.line + this.#page + 1);
    const shown: string[] = [];
    let { line, row } = this.#top;
    for (; shown.length < this.#page && line < lines.length; line++, row = 0)
      shown.push(...this.#rows(line).slice(row, row + this.#page - shown.length));
    const isAtEnd = ended && line >= lines.length;
    while (shown.length < this.#page) shown.push(ended || shown.length > 0 ? '~' : '');
    const drawn = shown.map((text, index) => `\x1b[${index + 1};1H${text}\x1b[K`).join('');
    return `\x1b[?25l${drawn}\x1b[${this.#page + 1};1H${this.#prompt(isAtEnd)}\x1b[K\x1b[?25h`;
  }

  #prompt(isAtEnd: boolean): string {
    const inverse = (text: string) => `\x1b[7m${text}\x1b[27m`;
    if (this.#asked !== undefined) return this.#asked;
    if (this.#message !== '') return inverse(this.#message);
    if (this.#toEnd) return inverse('Reading to the end… (Ctrl-C stops it)');
    if (this.#pending !== '') return this.#pending;
    if (this.#count !== '') return `:${this.#count}`;
    const { name } = this.#document;
    const named =
      this.#isNew && name !== undefined
        ? `${name}${this.#options.others && ` (${this.#options.others})`} `
        : '';
    if (isAtEnd) return inverse(`${named}(END)`);
    return named === '' ? ':' : inverse(named.trimEnd());
  }

  #where(): string {
    const { name, lines, ended } = this.#document;
    const last = Math.min(this.#top.line + this.#page, lines.length);
    return `${name ?? 'standard input'} lines ${this.#top.line + 1}-${last}/${ended ? lines.length : '?'} ${this.#options.others}`.trimEnd();
  }
}
