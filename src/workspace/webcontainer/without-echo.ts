/** The key that ends a terminal's input (Ctrl-D). */
export const END_OF_INPUT = '\x04';

/** Matches the echo of that key in a terminal. */
const SHOWN = /\x04|\^D(?:\x08\x08)?/;

/** Finds the echo in the output of a process that was sent the key and does not print it itself. */
export function echoIn(printed: string): string {
  return SHOWN.exec(printed)?.[0] ?? '';
}

/** Removes the first echo from the output of a process. The echo may be cut in two, and be anywhere in the output. */
export class WithoutEcho {
  #echo: string;
  #held = '';

  constructor(echo: string) {
    this.#echo = echo;
  }

  add(piece: string): string {
    if (this.#echo === '') return piece;
    const text = this.#held + piece;
    const at = text.indexOf(this.#echo);
    if (at >= 0) {
      const shown = text.slice(0, at) + text.slice(at + this.#echo.length);
      this.#echo = this.#held = '';
      return shown;
    }
    let length = Math.min(this.#echo.length - 1, text.length);
    while (!this.#echo.startsWith(text.slice(text.length - length))) length--;
    this.#held = text.slice(text.length - length);
    return text.slice(0, text.length - length);
  }

  /** Returns text that was held back as the possible start of an echo. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}
