import type { IMarker, Terminal } from '@xterm/xterm';
import type { TerminalSize } from '../../../workspace/typed-shell.ts';
import type { EditedLine, Screen } from './screen.ts';

/** The number of characters that are parsed in one go, during which the page is busy and shows no key. */
const PIECE = 16_384;
/**
 * The number of characters of output that are kept while the screen lags behind. Only the end is kept, since
 * text that cannot be scrolled back to is not worth waiting for.
 */
const MOST = 512 * 1024;

interface Anchor {
  readonly marker: IMarker;
  readonly column: number;
}

/**
 * Draws the edited line from an anchor: a column and a marker, which the terminal moves when lines scroll
 * away or wrap differently. So only the terminal needs to know the widths of characters. One task runs at a
 * time, since the cursor's place is known only when everything written has been parsed.
 */
export class XtermScreen implements Screen {
  readonly #terminal: Terminal;
  #tasks: Promise<void> = Promise.resolve();
  /** The newest task, if it is an edit that has not begun. A newer edit replaces it. */
  #waiting: { line: EditedLine } | null = null;
  #edited: EditedLine | null = null;
  #drawn: { readonly line: EditedLine; readonly anchor: Anchor } | null = null;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    terminal.onResize(() => void this.#do(() => this.#redraw()));
  }

  print(text: string): Promise<void> {
    return this.#do(() => this.#above(lastOf(text)));
  }

  printLines(text: string): Promise<void> {
    return this.#do(() => {
      const column = this.#drawn?.anchor.column ?? this.#terminal.buffer.active.cursorX;
      return this.#above(text && column > 0 ? `\r\n${text}` : text);
    });
  }

  edit(line: EditedLine): void {
    if (this.#waiting) {
      this.#waiting.line = line;
      return;
    }
    const edit = { line };
    void this.#do(async () => {
      if (this.#waiting === edit) this.#waiting = null;
      this.#edited = edit.line;
      await this.#draw(edit.line);
    });
    this.#waiting = edit;
  }

  commit(): void {
    void this.#do(async () => {
      this.#edited = null;
      this.#forget();
      await this.#write('\r\n');
    });
  }

  drop(): void {
    void this.#do(async () => {
      this.#edited = null;
      await this.#write(this.#erasing());
    });
  }

  onResize(listener: () => void): void {
    this.#terminal.onResize(listener);
  }

  clear(): void {
    void this.#do(async () => {
      // The screen is scrolled rather than wiped, so that its text stays in the scrollback.
      await this.#write(`${this.#erasing()}${'\n'.repeat(this.#terminal.rows - 1)}\x1b[H\x1b[J`);
      await this.#redraw();
    });
  }

  size(): TerminalSize {
    return { columns: this.#terminal.cols, rows: this.#terminal.rows };
  }

  #do(task: () => Promise<void>): Promise<void> {
    this.#waiting = null;
    this.#tasks = this.#tasks.then(task);
    return this.#tasks;
  }

  async #above(text: string): Promise<void> {
    await this.#write(this.#erasing() + text);
    await this.#redraw();
  }

  async #redraw(): Promise<void> {
    await this.#write(this.#erasing());
    if (this.#edited) await this.#draw(this.#edited);
  }

  async #draw(line: EditedLine): Promise<void> {
    const added = this.#drawn && appended(this.#drawn.line, line);
    if (this.#drawn && added !== null) {
      // Most typing is at the end, and a screen reader does not read text again that is not drawn again.
      this.#drawn = { line, anchor: this.#drawn.anchor };
      await this.#write(shown(line, added));
      return;
    }
    await this.#write(this.#erasing());
    if (line.prompt && this.#terminal.buffer.active.cursorX > 0) await this.#write('\r\n');
    const anchor = this.#place();
    await this.#write(line.prompt + shown(line, line.text.slice(0, line.cursor)));
    if (line.cursor < line.text.length) {
      const caret = this.#place();
      await this.#write(shown(line, line.text.slice(line.cursor)));
      await this.#write(this.#moveTo(caret));
      caret.marker.dispose();
    }
    this.#drawn = { line, anchor };
  }

  /** The sequence that removes the edited line from the screen. */
  #erasing(): string {
    if (!this.#drawn) return '';
    const sequence = `${this.#moveTo(this.#drawn.anchor)}\x1b[J`;
    this.#forget();
    return sequence;
  }

  #forget(): void {
    this.#drawn?.anchor.marker.dispose();
    this.#drawn = null;
  }

  #place(): Anchor {
    return { marker: this.#terminal.registerMarker(), column: this.#terminal.buffer.active.cursorX };
  }

  #moveTo({ marker, column }: Anchor): string {
    const { baseY, cursorY } = this.#terminal.buffer.active;
    const up = baseY + cursorY - Math.max(marker.line, 0);
    const right = Math.min(column, this.#terminal.cols - 1);
    return `\r${up > 0 ? `\x1b[${up}A` : ''}${right > 0 ? `\x1b[${right}C` : ''}`;
  }

  async #write(text: string): Promise<void> {
    for (let at = 0; at < text.length; at += PIECE) {
      const piece = text.slice(at, at + PIECE);
      await new Promise<void>((resolve) => this.#terminal.write(piece, resolve));
    }
  }
}

function lastOf(text: string): string {
  if (text.length <= MOST) return text;
  const from = text.indexOf('\n', text.length - MOST) + 1 || text.length - MOST;
  const left = (from / 1e6).toFixed(1);
  return `\x1b[0m\x1b[2m… ${left} million characters went by faster than they can be shown …\x1b[0m\n${text.slice(from)}`;
}

function shown({ more }: EditedLine, text: string): string {
  return text.replaceAll('\n', `\n${more}`);
}

/** The text that `after` adds at the end of `before`; null if that is not the only difference. */
function appended(before: EditedLine, after: EditedLine): string | null {
  const atEnd = before.cursor === before.text.length && after.cursor === after.text.length;
  const grown =
    before.prompt === after.prompt && before.more === after.more && after.text.startsWith(before.text);
  return atEnd && grown ? after.text.slice(before.text.length) : null;
}
