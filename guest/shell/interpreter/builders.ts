import { quotePattern } from './patterns.ts';

/** Receives the pieces of a word and puts them together. */
export interface Builder {
  /** Takes unquoted characters of the word itself. */
  literal(text: string): void;
  quoted(text: string): void;
  /** Takes the result of an unquoted expansion. */
  expanded(text: string): void;
  /** Called for quotes, which make a word even when they are empty. */
  open(): void;
  /** Called between the values of `$@`, and of `$*` where `isStar`. */
  separate(isStar: boolean, isQuoted: boolean): void;
}

export interface Field {
  text: string;
  /** The same text as a pattern, with quoted characters escaped. */
  pattern: string;
  isMagic: boolean;
}

const MAGIC = /[*?[]|[+@!]\(/;

/** Builds fields, which end where an unquoted expansion contains a separator. */
export class Fields implements Builder {
  readonly done: Field[] = [];
  #field: Field | undefined;
  #afterBlank = false;
  readonly #blanks: string;
  readonly #separators: string;
  readonly #isDefault: boolean;

  constructor(separators: string) {
    this.#separators = separators;
    this.#blanks = [...separators].filter((char) => ' \t\n'.includes(char)).join('');
    this.#isDefault = separators === ' \t\n';
  }

  #current(): Field {
    return (this.#field ??= { text: '', pattern: '', isMagic: false });
  }

  literal(text: string): void {
    const field = this.#current();
    field.text += text;
    field.pattern += text;
    if (!field.isMagic && MAGIC.test(text)) field.isMagic = true;
  }

  quoted(text: string): void {
    const field = this.#current();
    field.text += text;
    field.pattern += /[^\w/.:, ]/.test(text) ? quotePattern(text) : text;
  }

  open(): void {
    this.#current();
  }

  expanded(text: string): void {
    if (text === '') return;
    if (this.#isDefault ? !/[ \t\n]/.test(text) : this.#separators === '') return this.#piece(text);
    let start = 0;
    for (let at = 0; at <= text.length; at++) {
      const char = at < text.length ? text.charAt(at) : '';
      if (char !== '' && !this.#separators.includes(char)) continue;
      if (at > start) this.#piece(text.slice(start, at));
      start = at + 1;
      if (char === '') break;
      if (this.#blanks.includes(char)) {
        if (this.#field) {
          this.#end();
          this.#afterBlank = true;
        }
      } else {
        if (this.#field) this.#end();
        else if (!this.#afterBlank) this.done.push({ text: '', pattern: '', isMagic: false });
        this.#afterBlank = false;
      }
    }
  }

  #piece(text: string): void {
    const field = this.#current();
    this.#afterBlank = false;
    field.text += text;
    field.pattern += text.includes('\\') ? text.replaceAll('\\', '\\\\') : text;
    if (!field.isMagic && MAGIC.test(text)) field.isMagic = true;
  }

  #end(): void {
    if (this.#field) this.done.push(this.#field);
    this.#field = undefined;
  }

  separate(_isStar: boolean, isQuoted: boolean): void {
    this.#end();
    if (isQuoted) this.open();
  }

  finish(): Field[] {
    this.#end();
    return this.done;
  }
}

/** Builds one text without cutting it into fields. */
export class OneText implements Builder {
  text = '';
  readonly #between: string;

  /** `between` is the text that joins the values of `$*`. */
  constructor(between: string) {
    this.#between = between;
  }

  literal(text: string): void {
    this.text += text;
  }
  quoted(text: string): void {
    this.text += text;
  }
  expanded(text: string): void {
    this.text += text;
  }
  open(): void {}
  separate(isStar: boolean): void {
    this.text += isStar ? this.#between : ' ';
  }
}

/** Builds a pattern in which quoted characters match themselves. */
export class PatternText implements Builder {
  text = '';
  readonly #quote: (text: string) => string;

  constructor(quote: (text: string) => string = quotePattern) {
    this.#quote = quote;
  }

  literal(text: string): void {
    this.text += text;
  }
  quoted(text: string): void {
    this.text += this.#quote(text);
  }
  expanded(text: string): void {
    this.text += text;
  }
  open(): void {}
  separate(): void {
    this.text += ' ';
  }
}
