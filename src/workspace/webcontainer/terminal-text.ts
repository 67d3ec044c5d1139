/** CSI, OSC (ended by BEL or ST), other strings, and escapes of two characters. */
const ESCAPES =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-OQ-WYZ\\`-~])/g;
/** The start of an escape whose end has not come. */

const UNFINISHED = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$|\r$/;
/** What never ends is no escape; a terminal would wait for ever. */
const MAX_HELD = 4_096;

/**
 * A terminal's output as plain text: no escape sequences, line breaks as `\n`; a lone carriage return, by which programs
 * write a line anew, begins a line. The same text comes out however it was cut.
 */
export class TerminalText {
  #held = '';

  add(piece: string): string {
    const text = this.#held + piece;
    const start = UNFINISHED.exec(text)?.index ?? text.length;
    const cut = text.length - start > MAX_HELD ? text.length : start;
    this.#held = text.slice(cut);
    return plain(text.slice(0, cut));
  }

  end(): string {
    const rest = plain(this.#held);
    this.#held = '';
    return rest;
  }
}

function plain(text: string): string {
  return text.replace(ESCAPES, '').replace(/\r\n?/g, '\n');
}
