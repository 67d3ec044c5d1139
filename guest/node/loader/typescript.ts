import { nodeError } from '../builtins/internal/errors.ts';
import { setArrow } from '../uncaught.ts';
import { EditedText, type Mapped } from './edits.ts';
import { languageOf } from './syntax.ts';
import type { ReadTypes } from './typescript/read.ts';

/** Of `--experimental-strip-types` and `--experimental-transform-types`. */
export type TypesMode = 'none' | 'strip' | 'transform';

/** A text as the JavaScript that it is, or means. */
export interface Reading {
  readonly text: string;
  /** What stacks and errors show lines of. */
  readonly shown: string;
  /** The code that was made of `text`, with its places in what is shown. */
  placed(code: EditedText): Mapped;
}

export function asIs(text: string): Reading {
  return { text, shown: text, placed: (code) => code };
}

/** Makes JavaScript of TypeScript. */
export class TypeScript {
  readonly mode: TypesMode;
  readonly #types: () => ReadTypes;
  readonly #transforming: () => void;
  readonly #read = new Map<string, { readonly source: string; readonly reading: Reading }>();

  /** `types` is asked for with the first use; `transforming` is told once that more is done than to leave types out. */
  constructor(mode: TypesMode, types: () => ReadTypes, transforming: () => void) {
    this.mode = mode;
    this.#types = types;
    let isTold = false;
    this.#transforming = () => {
      if (!isTold) transforming();
      isTold = true;
    };
  }

  isFor(path: string): boolean {
    return this.mode !== 'none' && languageOf(path) === 'typescript';
  }

  /** Throws a SyntaxError with node's code, which shows its place in the text of this name. */
  read(source: string, name: string): Reading {
    const known = this.#read.get(name);
    if (known?.source === source) return known.reading;
    const reading =
      this.mode === 'transform' ? this.#transformed(source, name) : asIs(this.stripped(source, name));
    this.#read.set(name, { source, reading });
    return reading;
  }

  /** How it was read, if this is JavaScript that was made of TypeScript. */
  readingOf(name: string, text: string): Reading {
    const known = this.#read.get(name)?.reading;
    return known?.text === text ? known : asIs(text);
  }

  #transformed(source: string, name: string): Reading {
    this.#transforming();
    const made = this.#edited(source, name, true);
    return {
      text: made.code,
      shown: source,
      placed: (code) => ({ code: code.code, original: (place) => made.original(code.original(place)) }),
    };
  }

  /** The text with blanks for its types. */
  stripped(source: string, name: string): string {
    return this.#edited(source, name, false).code;
  }

  /** The text as JavaScript, line by line. */
  transformed(source: string, name: string): string {
    return this.#edited(source, name, true).code;
  }

  #edited(source: string, name: string, transforms: boolean): EditedText {
    const read = this.#types()(source, name, transforms);
    if ('edits' in read) return new EditedText(source, read.edits);
    const { code, message, snippet } = read.problem;
    const told = nodeError(code, message, SyntaxError);
    setArrow(told, snippet);
    throw told;
  }
}
