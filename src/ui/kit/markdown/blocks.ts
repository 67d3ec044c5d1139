import type { Token, Tokens } from 'marked';

/** A piece of a message: code has a component of its own, everything else is sanitised HTML. */
export type Block =
  | HTMLBlock
  | TableBlock
  /** Markdown that the parser cannot handle, for example quotes nested thousands of levels deep. */
  | { readonly key: number; readonly kind: 'plain'; readonly text: string }
  | {
      readonly key: number;
      readonly kind: 'code';
      readonly language: string;
      readonly text: string;
      /** True while the fence is not closed. */
      readonly open: boolean;
    };

export interface HTMLBlock {
  readonly key: number;
  readonly kind: 'html';
  readonly html: TrustedHTML | string;
  /** True while it may still grow. */
  readonly growing: boolean;
}

export interface TableBlock extends Omit<HTMLBlock, 'kind'> {
  readonly kind: 'table';
  readonly markdown: string;
}

export interface MarkdownParser {
  lex(markdown: string): readonly Token[];
  /** Returns HTML that is safe to show, whatever the tokens contain. */
  render(tokens: readonly Token[]): TrustedHTML | string;
}

/**
 * Parses Markdown while it streams. Blocks that can no longer change are rendered once, and only the last
 * block is parsed again, so that a delta costs one block and not the whole message. At the end the text is
 * parsed once more as a whole, because a list may continue after a blank line and a link may be defined below
 * its use.
 */
export class MarkdownStream {
  readonly #parser: MarkdownParser;
  #closed: Block[] = [];
  #sources: string[] = [];
  #closedTo = 0;
  #text = '';

  constructor(parser: MarkdownParser) {
    this.#parser = parser;
  }

  update(text: string, ended: boolean): readonly Block[] {
    try {
      return this.#read(text, ended);
    } catch {
      this.#reset();
      return [{ key: 0, kind: 'plain', text }];
    }
  }

  #read(text: string, ended: boolean): readonly Block[] {
    if (!text.startsWith(this.#text.slice(0, this.#closedTo))) this.#reset();
    this.#text = text;
    if (ended) return this.#finish();
    const tokens = this.#parser.lex(text.slice(this.#closedTo));
    const open = lastReal(tokens);
    for (const token of tokens.slice(0, open)) {
      this.#closedTo += token.raw.length;
      if (token.type !== 'space' && token.type !== 'def') this.#close(token);
    }
    const last = tokens[open];
    return last ? [...this.#closed, this.#block(last, this.#closed.length, true)] : [...this.#closed];
  }

  #finish(): readonly Block[] {
    const tokens = this.#parser.lex(this.#text).filter(({ type }) => type !== 'space' && type !== 'def');
    const blocks = tokens.map((token, i) => {
      const known = this.#closed[i];
      const stays = known && this.#sources[i] === token.raw && !token.raw.includes('[');
      return stays ? known : this.#block(token, i);
    });
    this.#closed = blocks;
    this.#sources = tokens.map((token) => token.raw);
    this.#closedTo = this.#text.length;
    return blocks;
  }

  #close(token: Token): void {
    this.#closed.push(this.#block(token, this.#closed.length));
    this.#sources.push(token.raw);
  }

  #block(token: Token, key: number, growing = false): Block {
    if (!isCode(token)) {
      const html = this.#parser.render([token]);
      if (token.type !== 'table') return { key, kind: 'html', html, growing };
      return { key, kind: 'table', html, growing, markdown: token.raw.trimEnd() };
    }
    const language = /^[\w+#.-]+/.exec(token.lang ?? '')?.[0] ?? '';
    return { key, kind: 'code', language, text: token.text, open: !isClosedFence(token.raw) };
  }

  #reset(): void {
    this.#closed = [];
    this.#sources = [];
    this.#closedTo = 0;
  }
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}

/** Index of the last token that may still grow. */
function lastReal(tokens: readonly Token[]): number {
  return tokens.findLastIndex((token) => token.type !== 'space');
}

function isClosedFence(raw: string): boolean {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
  return fence === undefined || new RegExp(`\\n {0,3}${fence}\\s*$`).test(raw);
}
