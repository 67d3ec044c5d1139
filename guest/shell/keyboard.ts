import { joined } from './commands/io.ts';
import type { ByteSource, Keyboard, KeyboardMode, Terminal } from './program.ts';

const LINES: KeyboardMode = { raw: false, echo: true };

/** What a person types into a terminal. It never closes: its end is that of one reader, as Ctrl-D is. */
export class TypedInput implements Keyboard {
  /** With what Ctrl-D sent. */
  #pieces: (Uint8Array | 'end')[] = [];
  /** The one who reads has come to an end; someone else may read on. */
  #atEnd = false;
  #wake = (): void => {};
  #mode = LINES;
  readonly #modeSet: (mode: KeyboardMode) => void;

  readonly #taken: (bytes: number) => void;

  /** `taken` is told how many bytes somebody has read. */
  constructor(modeSet: (mode: KeyboardMode) => void, taken: (bytes: number) => void = () => {}) {
    this.#modeSet = modeSet;
    this.#taken = taken;
  }

  readonly source: ByteSource = {
    read: () => (this.#atEnd ? null : this.#pieces.length > 0 ? this.#take() : this.#next()),
    unread: (bytes) => void (bytes.length > 0 && this.#pieces.unshift(bytes)),
    close() {},
    isUnpiped: true,
    again: () => void (this.#atEnd = false),
  };

  get mode(): KeyboardMode {
    return this.#mode;
  }

  setMode(mode: KeyboardMode): void {
    if (mode.raw === this.#mode.raw && mode.echo === this.#mode.echo) return;
    this.#mode = mode;
    this.#modeSet(mode);
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#wake();
  }

  end(): void {
    this.#pieces.push('end');
    this.#wake();
  }

  /** A line of the shell is over: what nobody read is handed out, and the keyboard is as it was. */
  rest(): Uint8Array {
    const left = joined(this.#pieces.filter((piece) => piece !== 'end'));
    this.#pieces = [];
    this.#atEnd = false;
    // Whoever still waits was ended, and takes nothing of what is typed later.
    this.#wake = () => {};
    this.setMode(LINES);
    return left;
  }

  async #next(): Promise<Uint8Array | null> {
    while (this.#pieces.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#take();
  }

  #take(): Uint8Array | null {
    const piece = this.#pieces.shift();
    this.#atEnd = piece === 'end';
    if (!(piece instanceof Uint8Array)) return null;
    this.#taken(piece.length);
    return piece;
  }
}

/** A terminal whose size changes. */
export class OpenTerminal implements Terminal {
  columns: number;
  rows: number;
  readonly keyboard: TypedInput;
  readonly #listeners = new Set<() => void>();

  constructor(columns: number, rows: number, keyboard: TypedInput) {
    this.columns = columns;
    this.rows = rows;
    this.keyboard = keyboard;
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    for (const listener of this.#listeners) listener();
  }

  onResize(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
