import type { Keyboard, KeyboardMode, Terminal } from './program.ts';

/** The terminal of a program, lent to a process that the program started. */
export class LentTerminal {
  readonly #terminal: Terminal;
  readonly #keyboard: Keyboard | undefined;
  readonly #isInFront: () => boolean;
  #unlisten: (() => void) | undefined;
  /** The mode that this process set the keyboard to, and the mode before that. */
  #set: { readonly mode: KeyboardMode; readonly before: KeyboardMode } | undefined;

  /** The process can change the keyboard's mode only while `isInFront` answers true. */
  constructor(terminal: Terminal, keyboard: Keyboard | undefined, isInFront: () => boolean) {
    this.#terminal = terminal;
    this.#keyboard = keyboard;
    this.#isInFront = isInFront;
  }

  /** Reports each new size, in characters, until the terminal is given back. */
  onResize(listener: (columns: number, rows: number) => void): void {
    const terminal = this.#terminal;
    this.#unlisten = terminal.onResize?.(() => listener(terminal.columns, terminal.rows));
  }

  /**
   * Sets raw mode, in which each key arrives as it is pressed and without echo, or restores the mode before.
   */
  setRaw(raw: boolean): void {
    if (!raw) return this.#restore();
    const keyboard = this.#keyboard;
    if (!keyboard || this.#set || !this.#isInFront()) return;
    const mode = { raw: true, echo: false };
    this.#set = { mode, before: keyboard.mode };
    keyboard.setMode(mode);
    keyboard.hasControlKeys = true;
  }

  /** Call it when the process is over. */
  giveBack(): void {
    this.#unlisten?.();
    this.#restore();
  }

  #restore(): void {
    const set = this.#set;
    this.#set = undefined;
    if (set && this.#keyboard) this.#keyboard.hasControlKeys = false;
    // A mode that has changed since then was set by another process and has to stay.
    if (set && this.#keyboard?.mode === set.mode) this.#keyboard.setMode(set.before);
  }
}
