/** CSI, OSC (ended by BEL or ST), other strings, and escapes of two characters. */
const ESCAPES =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-OQ-WYZ\\`-~])/g;
/** The start of an escape whose end has not come. */
const UNFINISHED = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$/;
/** What never ends is no escape; a terminal would wait for ever. */
const MAX_HELD = 4_096;

/**
 * A terminal's output as plain text: no escape sequences, line breaks as `\n`; a lone carriage return, by which programs
 * write a line anew, begins a line. The same text comes out however it was cut.
 */
export class TerminalText {
  #held = '';
  /** A carriage return whose line feed may still come, behind escapes too. */
  #return = '';

  add(piece: string): string {
    const text = this.#held + piece;
    const start = UNFINISHED.exec(text)?.index ?? text.length;
    const cut = text.length - start > MAX_HELD ? text.length : start;
    this.#held = text.slice(cut);
    const shown = this.#return + text.slice(0, cut).replace(ESCAPES, '');
    this.#return = shown.endsWith('\r') ? '\r' : '';
    return withLineFeeds(shown.slice(0, shown.length - this.#return.length));
  }

  end(): string {
    const rest = withLineFeeds(this.#return + this.#held.replace(ESCAPES, ''));
    this.#held = this.#return = '';
    return rest;
  }
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
