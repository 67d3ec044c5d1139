import { decode, joined } from '../../kit/io.ts';
import { parseJson, type Json } from './json.ts';

const MARKS = /["\\{}[\]\n]/g;

/**
 * Finds the complete values at the start of JSON that arrives in pieces; the rest waits for the next piece.
 */
export class ValuesSoFar {
  #bytes: Uint8Array = new Uint8Array();
  #text = '';
  /** The position up to which the text has been scanned, and the end of the last complete value. */
  #at = 0;
  #whole = 0;
  #depth = 0;
  #inString = false;

  *more(piece: Uint8Array): Generator<Json, void, undefined> {
    // A character may be split between two pieces: anything else ends with a line or a bracket.
    const all = joined([this.#bytes, piece]);
    let end = all.length;
    while (end > 0 && (all[end - 1] ?? 0) >= 0x80) end--;
    this.#bytes = all.subarray(end);
    this.#text += decode(all.subarray(0, end));
    this.#look();
    if (this.#whole === 0) return;
    const values = this.#text.slice(0, this.#whole);
    this.#text = this.#text.slice(this.#whole);
    this.#at -= this.#whole;
    this.#whole = 0;
    yield* parseJson(values);
  }

  *end(): Generator<Json, void, undefined> {
    yield* parseJson(this.#text + decode(this.#bytes));
  }

  #look(): void {
    MARKS.lastIndex = this.#at;
    for (let hit = MARKS.exec(this.#text); hit; hit = MARKS.exec(this.#text)) {
      const after = hit.index + 1;
      switch (hit[0]) {
        case '"':
          this.#inString = !this.#inString;
          break;
        case '\\':
          // The character after a backslash is no mark, and it may not have arrived yet.
          if (!this.#inString) break;
          if (after >= this.#text.length) {
            this.#at = hit.index;
            return;
          }
          MARKS.lastIndex = after + 1;
          break;
        case '{':
        case '[':
          if (!this.#inString) this.#depth++;
          break;
        case '}':
        case ']':
          if (!this.#inString && --this.#depth <= 0) [this.#depth, this.#whole] = [0, after];
          break;
        default:
          if (!this.#inString && this.#depth === 0) this.#whole = after;
      }
    }
    this.#at = this.#text.length;
  }
}
