import { encode } from '../../kit/io.ts';

/** Writes lines. The line end that the last line of a file lacked is added only when more follows. */
export class LineTarget {
  readonly #write: (text: string) => Promise<void> | undefined;
  readonly #end: string;
  #owed = '';

  constructor(write: (text: string) => Promise<void> | undefined, end: string) {
    this.#write = write;
    this.#end = end;
  }

  line(text: string, ended: boolean): Promise<void> | undefined {
    const owed = this.#owed;
    this.#owed = ended ? '' : this.#end;
    return this.#write(owed + text + (ended ? this.#end : ''));
  }

  text(text: string): Promise<void> | undefined {
    if (text === '') return undefined;
    const owed = this.#owed;
    this.#owed = '';
    return this.#write(owed + text);
  }
}

const NAMED: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  92: '\\\\',
};

/** Shows a text like the command l: unprintable bytes in octal, in lines of at most `width` characters. */
export function visible(text: string, width: number): string {
  const pieces = Array.from(encode(text), (byte) => {
    const named = NAMED[byte];
    if (named !== undefined) return named;
    return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  let [result, line] = ['', ''];
  for (const piece of pieces) {
    if (width > 1 && line.length + piece.length > width - 1) {
      result += `${line}\\\n`;
      line = '';
    }
    line += piece;
  }
  return `${result}${line}$\n`;
}
