/** Matches CSI, OSC (ended by BEL or ST), other strings, and escapes of two characters. */
const ESCAPES =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-OQ-WYZ\\`-~])/g;
/** Matches the start of an escape sequence whose end has not arrived. */
const UNFINISHED = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$/;
/** A longer unfinished sequence is treated as text. A terminal would wait for its end forever. */
const MAX_HELD = 4_096;

/**
 * Turns a terminal's output into plain text: without escape sequences, and with `\n` as line breaks. A lone carriage return,
 * with which programs rewrite a line, starts a new line. The result does not depend on how the output was cut.
 */
export class TerminalText {
  #held = '';
  /** A carriage return whose line feed may still come, even after escape sequences. */
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
