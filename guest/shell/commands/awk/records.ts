import type { ByteSource } from '../../program.ts';
import { decode, joined, nextPiece, type Writer } from '../../kit/io.ts';
import { placeAfter } from '../../kit/matches.ts';

export interface Record {
  readonly text: string;
  /** The text of the separator after the record. */
  readonly end: string;
}

/** The number of bytes of an incomplete UTF-8 character at the end. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/** Reads records from a stream. RS may change between two records. */
export class RecordReader {
  readonly #source: ByteSource;
  readonly #out: Writer;
  #text = '';
  #at = 0;
  #over = false;
  #held: Uint8Array | undefined;

  constructor(source: ByteSource, out: Writer) {
    this.#source = source;
    this.#out = out;
  }

  /**
   * Returns undefined at the end. `end` is RS, as a regular expression where it is longer than one character.
   */
  next(end: string | RegExp): Record | undefined | Promise<Record | undefined> {
    const found = this.#take(end);
    if (found) return found;
    if (this.#over) return undefined;
    return this.#fill().then(() => this.next(end));
  }

  #take(end: string | RegExp): Record | undefined {
    if (this.#at >= this.#text.length) return undefined;
    if (end === '') return this.#paragraph();
    if (typeof end === 'string') {
      const at = this.#text.indexOf(end, this.#at);
      if (at >= 0) {
        const text = this.#text.slice(this.#at, at);
        this.#at = at + end.length;
        return { text, end };
      }
    } else {
      end.lastIndex = this.#at;
      let hit = end.exec(this.#text);
      while (hit && hit[0] === '') {
        end.lastIndex = placeAfter(this.#text, hit.index);
        hit = end.lastIndex > this.#text.length ? null : end.exec(this.#text);
      }
      // A match that reaches the end of the present text may continue in the next piece.
      if (hit && (this.#over || hit.index + hit[0].length < this.#text.length))
        return this.#cut(hit.index, hit.index + hit[0].length);
    }
    return this.#over ? this.#cut(this.#text.length, this.#text.length) : undefined;
  }

  #paragraph(): Record | undefined {
    while (this.#text[this.#at] === '\n') this.#at++;
    if (this.#at >= this.#text.length) return undefined;
    const found = /\n\n+/g;
    found.lastIndex = this.#at;
    const hit = found.exec(this.#text);
    if (hit && (this.#over || hit.index + hit[0].length < this.#text.length))
      return this.#cut(hit.index, hit.index + hit[0].length);
    if (!this.#over) return undefined;
    const length = this.#text.length;
    return this.#cut(this.#text.endsWith('\n') ? length - 1 : length, length);
  }

  #cut(to: number, next: number): Record {
    const text = this.#text.slice(this.#at, to);
    const end = this.#text.slice(to, next);
    this.#at = next;
    return { text, end };
  }

  async #fill(): Promise<void> {
    const piece = await nextPiece(this.#source, this.#out);
    let bytes = joined([...(this.#held ? [this.#held] : []), ...(piece ? [piece] : [])]);
    this.#held = undefined;
    if (!piece) this.#over = true;
    else {
      const cut = bytes.length - unfinished(bytes);
      if (cut < bytes.length) this.#held = bytes.subarray(cut);
      bytes = bytes.subarray(0, cut);
    }
    this.#text = this.#text.slice(this.#at) + decode(bytes);
    this.#at = 0;
  }
}
