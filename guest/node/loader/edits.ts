/** Replaces a part of a source text in the code that runs. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A position in a text. Lines and columns are counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Code that can map its positions back to its source. */
export interface MappedCode {
  readonly code: string;
  original(place: Position): Position;
}

/** A source text with edits. No edit may change the number of lines, so that each line keeps its number. */
export class EditedText implements MappedCode {
  readonly code: string;
  readonly #source: string;
  /** In the order of their positions. */
  readonly edits: readonly Edit[];

  constructor(source: string, edits: readonly Edit[]) {
    this.#source = source;
    this.edits = edits
      .map((edit, index) => ({ edit, index }))
      .sort((a, b) => a.edit.start - b.edit.start || a.index - b.index)
      .map(({ edit }) => edit);
    let code = '';
    let at = 0;
    for (const { start, end, text } of this.edits) {
      code += source.slice(at, start) + text;
      at = Math.max(at, end);
    }
    this.code = code + source.slice(at);
  }

  /** Maps a position in the code to the position in the source. */
  original({ line, column }: Position): Position {
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
    for (const { start, end, text } of this.edits) {
      const from = start + moved;
      if (offset < from) break;
      // A call of an imported function maps to the start of its name.
      if (offset < from + text.length || (offset === from + text.length && text.startsWith('(0,')))
        return start;
      moved += text.length - (end - start);
    }
    return offset - moved;
  }
}

/** The position of an offset in a text. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Replaces everything except line breaks with spaces. */
export function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ');
}
