import type { GlobQuery, GrepQuery } from './workspace-values.ts';

/** A request of the app to the helper, which runs as one process for each. Paths are absolute. */
export type HelperRequest =
  /** Lists every node below the root, including `node_modules` folders, but nothing inside those. */
  | { readonly ask: 'scan' }
  /** Looks up a path, symlinks followed. */
  | { readonly ask: 'stat' | 'list'; readonly path: string }
  | { readonly ask: 'glob'; readonly query: HelperQuery<GlobQuery> }
  | { readonly ask: 'grep'; readonly query: HelperQuery<GrepQuery> }
  /** Sets modes and times, which the client's file system API cannot. Missing files are skipped. */
  | {
      readonly ask: 'apply';
      readonly nodes: readonly { readonly path: string; readonly mode: number; readonly modified?: number }[];
    }
  /** Replaces the folder's content with these files (base64), read-only. */
  | {
      readonly ask: 'keep';
      readonly folder: string;
      readonly files: readonly { readonly path: string; readonly content: string }[];
    }
  /** Lists the names of the programs in these folders. */
  | { readonly ask: 'programs'; readonly folders: readonly string[] }
  /** Runs a command whose input and output are bytes: lines of base64 in, frames of base64 out. */
  | {
      readonly ask: 'run';
      readonly command: string;
      readonly env: Readonly<Record<string, string>>;
      /** Whether to report the shell's last directory with its exit code. */
      readonly tellsDirectory?: boolean;
    };

type HelperQuery<Query extends GlobQuery> = Omit<Query, 'signal' | 'path'> & { readonly path: string };

/** The content of a frame: an answer, a part of one (`partial`), or output (base64) or exit of the command of `run`. */
export type HelperMessage =
  | { readonly answer: unknown }
  | { readonly partial: unknown }
  | { readonly failed: { readonly code: string; readonly message: string } }
  | { readonly output: string }
  | { readonly exit: number; readonly cwd?: string };

/** Wraps a message in a frame. Everything outside frames comes from the terminal: echoes, warnings, escape sequences. */
export function frame(nonce: string, message: HelperMessage): string {
  // Only ASCII, so that no chunk boundary, line discipline or decoder can damage it, and without the marks of typed lines.
  const json = JSON.stringify(message).replace(
    /[^\x20-\x7e]|[<>]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `@@${nonce}${json}${nonce}@@\n`;
}

/** A line of input for `run`: base64, `.` for the end of input, or `!` to kill. Marks make it recognizable in an echo. */
export function typedLine(text: string): string {
  return `<${text}>\n`;
}

/** Finds the complete input lines in a text. `rest` is the incomplete last one. */
export function typedLines(text: string): { readonly lines: readonly string[]; readonly rest: string } {
  const lines = [...text.matchAll(TYPED)].map(([, line = '']) => line);
  return { lines, rest: text.slice(text.lastIndexOf('>') + 1) };
}

const TYPED = /<([A-Za-z0-9+/=.!]*)>/g;
const UNFINISHED = /^<[A-Za-z0-9+/=.!]*$/;

/** Finds frames in text that arrives in pieces. */
export class FrameReader {
  readonly #start: string;
  readonly #end: string;
  #text = '';

  constructor(nonce: string) {
    this.#start = `@@${nonce}`;
    this.#end = `${nonce}@@`;
  }

  add(piece: string): unknown[] {
    // A terminal may add line breaks anywhere. A frame itself has none.
    this.#text += piece.replace(/[\r\n]+/g, '');
    // The terminal may echo typed lines inside a frame. The frame itself contains no such marks.
    if (piece.includes('>')) this.#text = this.#text.replace(TYPED, '');
    const messages: unknown[] = [];
    for (;;) {
      const start = this.#text.indexOf(this.#start);
      if (start < 0) {
        this.#text = this.#text.slice(Math.max(0, this.#typed() - this.#start.length));
        return messages;
      }
      const from = start + this.#start.length;
      const end = this.#text.indexOf(this.#end, from);
      if (end < 0) {
        this.#text = this.#text.slice(start);
        return messages;
      }
      messages.push(JSON.parse(this.#text.slice(from, end)));
      this.#text = this.#text.slice(end + this.#end.length);
    }
  }

  /** The start of an echoed line that is incomplete, after which a frame may continue. Otherwise the end of the text. */
  #typed(): number {
    const at = this.#text.lastIndexOf('<');
    return at >= 0 && UNFINISHED.test(this.#text.slice(at)) ? at : this.#text.length;
  }
}
