import { decode, joined } from '../io.ts';
import { parseJson, type Json } from './json.ts';

const MARKS = /["\\{}[\]\n]/g;

/** Finds the whole values at the front of JSON that comes in pieces: what is left waits for the next piece. */
export class ValuesSoFar {
  #bytes: Uint8Array = new Uint8Array();
  #text = '';
  /** How far the text has been looked at, and where the last whole value ends. */
  #at = 0;
  #whole = 0;
  #depth = 0;
  #inString = false;

  *more(piece: Uint8Array): Generator<Json, void, undefined> {
    // A character may be cut in two between pieces: everything else ends with a line or a bracket.
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
          // What it stands before is no mark; it may not have come yet.
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
