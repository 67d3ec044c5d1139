import { joined } from './kit/io.ts';
import type { ByteSource, Keyboard, KeyboardMode, Terminal } from './program.ts';

const LINES: KeyboardMode = { raw: false, echo: true };

/**
 * The input that a person types into a terminal. It never closes: Ctrl-D ends the input of one reader only.
 */
export class TypedInput implements Keyboard {
  /** The typed pieces, with `'end'` for each Ctrl-D. */
  #pieces: (Uint8Array | 'end')[] = [];
  /** The present reader has reached an end; another reader may go on. */
  #atEnd = false;
  #wake = (): void => {};
  #mode = LINES;
  readonly #modeSet: (mode: KeyboardMode) => void;

  hasControlKeys = false;
  readonly #taken: (bytes: number) => void;

  /** `taken` is called with the number of bytes that a reader has taken. */
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

  /**
   * Call it when a command line is over: returns the input that nobody read, and sets the keyboard back to
   * lines.
   */
  rest(): Uint8Array {
    const left = joined(this.#pieces.filter((piece) => piece !== 'end'));
    this.#pieces = [];
    this.#atEnd = false;
    // A reader that still waits has been ended, and must not take input that is typed later.
    this.#wake = () => {};
    this.setMode(LINES);
    this.hasControlKeys = false;
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
