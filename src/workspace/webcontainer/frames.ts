import type { GlobQuery, GrepQuery } from '../workspace.ts';

/** What the app asks the helper, one request a process. Paths are absolute. */
export type HelperRequest =
  /** Every node below the root; what is in a `node_modules` is left out, the folder itself is not. */
  | { readonly ask: 'scan' }
  /** What is at a path, wherever it leads. */
  | { readonly ask: 'stat' | 'list'; readonly path: string }
  | { readonly ask: 'glob'; readonly query: Asked<GlobQuery> }
  | { readonly ask: 'grep'; readonly query: Asked<GrepQuery> }
  /** Sets what the file system's own interface cannot. Nodes that are not there are passed over. */
  | {
      readonly ask: 'apply';
      readonly nodes: readonly { readonly path: string; readonly mode: number; readonly modified?: number }[];
    }
  /** The folder holds these files (base64), read-only, and nothing else. */
  | {
      readonly ask: 'keep';
      readonly folder: string;
      readonly files: readonly { readonly path: string; readonly content: string }[];
    }
  /** Names of the programs in these folders. */
  | { readonly ask: 'programs'; readonly folders: readonly string[] }
  /** Runs a command whose input and output are bytes: lines of base64 in, frames of base64 out. */
  | {
      readonly ask: 'run';
      readonly command: string;
      readonly env: Readonly<Record<string, string>>;
    };

type Asked<Query extends GlobQuery> = Omit<Query, 'signal' | 'path'> & { readonly path: string };

/** In a frame: an answer, a part of one (`partial`), or output (base64) and exit of what `run` runs. */
export type HelperMessage =
  | { readonly answer: unknown }
  | { readonly partial: unknown }
  | { readonly failed: { readonly code: string; readonly message: string } }
  | { readonly output: string }
  | { readonly exit: number };

/** Everything outside frames is the terminal's: echoes, warnings of Node, escape sequences. */
export function frame(nonce: string, message: HelperMessage): string {
  // ASCII alone, so that no chunk border, line discipline or decoder can hurt it.
  const json = JSON.stringify(message).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `@@${nonce}${json}${nonce}@@\n`;
}

/** Finds frames in a text that comes in pieces. */
export class FrameReader {
  readonly #start: string;
  readonly #end: string;
  #text = '';

  constructor(nonce: string) {
    this.#start = `@@${nonce}`;
    this.#end = `${nonce}@@`;
  }

  add(piece: string): unknown[] {
    // A terminal may break lines where it likes; a frame has none of its own.
    this.#text += piece.replace(/[\r\n]+/g, '');
    const messages: unknown[] = [];
    for (;;) {
      const start = this.#text.indexOf(this.#start);
      if (start < 0) {
        this.#text = this.#text.slice(-this.#start.length);
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
}
