import type { Keyboard, KeyboardMode, Terminal } from './program.ts';

/** What a process that a program started has of the program's terminal. */
export class LentTerminal {
  readonly #terminal: Terminal;
  readonly #keyboard: Keyboard | undefined;
  readonly #isInFront: () => boolean;
  #unlisten: (() => void) | undefined;
  /** What the keyboard was set to here, and what it was before. */
  #set: { readonly mode: KeyboardMode; readonly before: KeyboardMode } | undefined;

  /** Only the process that is in front may set the keyboard, where it has one. */
  constructor(terminal: Terminal, keyboard: Keyboard | undefined, isInFront: () => boolean) {
    this.#terminal = terminal;
    this.#keyboard = keyboard;
    this.#isInFront = isInFront;
  }

  /** Tells each new size, in characters, until it is given back. */
  onResize(listener: (columns: number, rows: number) => void): void {
    const terminal = this.#terminal;
    this.#unlisten = terminal.onResize?.(() => listener(terminal.columns, terminal.rows));
  }

  /** Each key as it is pressed, shown by nobody; or as it was before. */
  setRaw(raw: boolean): void {
    if (!raw) return this.#restore();
    const keyboard = this.#keyboard;
    if (!keyboard || this.#set || !this.#isInFront()) return;
    const mode = { raw: true, echo: false };
    this.#set = { mode, before: keyboard.mode };
    keyboard.setMode(mode);
  }

  /** The process is over. */
  giveBack(): void {
    this.#unlisten?.();
    this.#restore();
  }

  #restore(): void {
    const set = this.#set;
    this.#set = undefined;
    // Where it is something else by now, it is somebody else's.
    if (set && this.#keyboard?.mode === set.mode) this.#keyboard.setMode(set.before);
  }
}
