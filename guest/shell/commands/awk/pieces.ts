/** Splits a record into fields lazily, only as far as its fields are read. */
export class Pieces {
  readonly #text: string;
  readonly #next: () => string | undefined;
  readonly #found: string[] = [];
  #at = 0;
  #over = false;

  /** `separator` is one character; a space stands for any run of blanks, as in FS. */
  constructor(text: string, separator: string) {
    this.#text = text;
    const code = separator.charCodeAt(0);
    this.#next = separator === ' ' ? () => this.#word() : () => this.#upTo(code);
    if (text === '') this.#over = true;
  }

  at(index: number): string | undefined {
    while (!this.#over && this.#found.length <= index) this.#take();
    return this.#found[index];
  }

  all(): readonly string[] {
    while (!this.#over) this.#take();
    return this.#found;
  }

  #take(): void {
    const piece = this.#next();
    if (piece === undefined) this.#over = true;
    else this.#found.push(piece);
  }

  #word(): string | undefined {
    const text = this.#text;
    let start = this.#at;
    while (start < text.length && isBlank(text.charCodeAt(start))) start++;
    if (start === text.length) return undefined;
    let end = start + 1;
    while (end < text.length && !isBlank(text.charCodeAt(end))) end++;
    this.#at = end;
    return text.slice(start, end);
  }

  #upTo(code: number): string | undefined {
    const text = this.#text;
    const start = this.#at;
    // After a separator at the very end there is an empty piece.
    if (start > text.length) return undefined;
    let end = start;
    while (end < text.length && text.charCodeAt(end) !== code) end++;
    this.#at = end + 1;
    return text.slice(start, end);
  }
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10;
}
