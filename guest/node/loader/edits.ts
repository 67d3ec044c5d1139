/** One place in a source text where something else stands in what is run. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A place in a text: lines and columns are counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Code, and where its source has what it has at a place. */
export interface Mapped {
  readonly code: string;
  original(place: Place): Place;
}

/** A source text with edits. No edit may change how many lines there are: a line of the result is a line of the source. */
export class EditedText implements Mapped {
  readonly code: string;
  readonly #source: string;
  readonly #edits: readonly Edit[];

  constructor(source: string, edits: readonly Edit[]) {
    this.#source = source;
    this.#edits = edits
      .map((edit, index) => ({ edit, index }))
      .sort((a, b) => a.edit.start - b.edit.start || a.index - b.index)
      .map(({ edit }) => edit);
    let code = '';
    let at = 0;
    for (const { start, end, text } of this.#edits) {
      code += source.slice(at, start) + text;
      at = Math.max(at, end);
    }
    this.code = code + source.slice(at);
  }

  /** Where the source has what the code has at this place. */
  original({ line, column }: Place): Place {
    let lineStart = 0;
    for (let n = 1; n < line; n++) {
      const next = this.code.indexOf('\n', lineStart);
      if (next < 0) return { line, column };
      lineStart = next + 1;
    }
    const offset = this.#originalOffset(lineStart + column - 1);
    const originalStart = this.#source.lastIndexOf('\n', offset - 1) + 1;
    return { line, column: Math.max(1, offset - originalStart + 1) };
  }

  #originalOffset(offset: number): number {
    let moved = 0;
    for (const { start, end, text } of this.#edits) {
      const from = start + moved;
      if (offset < from) break;
      // A call of what is imported begins with its name.
      if (offset < from + text.length || (offset === from + text.length && text.startsWith('(0,')))
        return start;
      moved += text.length - (end - start);
    }
    return offset - moved;
  }
}

/** Where a text has this offset. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** The same number of lines and nothing else. */
export function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ');
}
