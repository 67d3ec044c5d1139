import { nodeError } from '../builtins/internal/errors.ts';
import { setArrow } from '../errors/uncaught.ts';
import { EditedText, type MappedCode } from './edits.ts';
import { languageOf } from './syntax.ts';
import type { ReadTypes } from './typescript/read.ts';

/** Set by `--experimental-strip-types` and `--experimental-transform-types`. */
export type TypesMode = 'none' | 'strip' | 'transform';

/** The JavaScript of a file, which may have been made from TypeScript. */
export interface JavaScriptText {
  readonly text: string;
  /** The text whose lines stack traces and errors show. */
  readonly shown: string;
  /** Maps positions in code that was made from `text` to positions in `shown`. */
  placed(code: EditedText): MappedCode;
}

export function asIs(text: string): JavaScriptText {
  return { text, shown: text, placed: (code) => code };
}

/** Turns TypeScript into JavaScript. */
export class TypeScript {
  readonly mode: TypesMode;
  readonly #types: () => ReadTypes;
  readonly #transforming: () => void;
  readonly #read = new Map<string, { readonly source: string; readonly reading: JavaScriptText }>();

  /** `types` is called on first use. `transforming` is called once, when a file is more than stripped of its types. */
  constructor(mode: TypesMode, types: () => ReadTypes, transforming: () => void) {
    this.mode = mode;
    this.#types = types;
    let isReported = false;
    this.#transforming = () => {
      if (!isReported) transforming();
      isReported = true;
    };
  }

  isFor(path: string): boolean {
    return this.mode !== 'none' && languageOf(path) === 'typescript';
  }

  /** Turns a TypeScript file into JavaScript. Throws a SyntaxError with node's code, which shows the position in `name`. */
  read(source: string, name: string): JavaScriptText {
    const known = this.#read.get(name);
    if (known?.source === source) return known.reading;
    const reading =
      this.mode === 'transform' ? this.#transformed(source, name) : asIs(this.stripped(source, name));
    this.#read.set(name, { source, reading });
    return reading;
  }

  /** The earlier result for a file, if `text` is the JavaScript that was made from it. Otherwise the text itself. */
  readingOf(name: string, text: string): JavaScriptText {
    const known = this.#read.get(name)?.reading;
    return known?.text === text ? known : asIs(text);
  }

  #transformed(source: string, name: string): JavaScriptText {
    this.#transforming();
    const edited = this.#edited(source, name, true);
    return {
      text: edited.code,
      shown: source,
      placed: (code) => ({ code: code.code, original: (place) => edited.original(code.original(place)) }),
    };
  }

  /** The text with blanks in place of its types. */
  stripped(source: string, name: string): string {
    return this.#edited(source, name, false).code;
  }

  /** The text as JavaScript, with the same line numbers. */
  transformed(source: string, name: string): string {
    return this.#edited(source, name, true).code;
  }

  #edited(source: string, name: string, transforms: boolean): EditedText {
    const read = this.#types()(source, name, transforms);
    if ('edits' in read) return new EditedText(source, read.edits);
    const { code, message, snippet } = read.problem;
    const error = nodeError(code, message, SyntaxError);
    setArrow(error, snippet);
    throw error;
  }
}

/** Throws for files in packages, where node does not strip types. `name` is a path or a URL. */
export function refuseInPackages(name: string): void {
  if (name.includes('/node_modules/'))
    throw nodeError(
      'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
      `Stripping types is currently unsupported for files under node_modules, for "${name}"`,
    );
}
