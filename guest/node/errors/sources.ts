import type { MappedCode, Position } from '../loader/edits.ts';

/** Stands for a space: the engine ignores a source name with spaces in it. */
const SPACE = '\ue000';

/** Encodes a source's name for the engine. */
export const nameToEngine = (name: string): string => name.replaceAll(' ', SPACE);

/** Puts the real names of sources back into a text of the engine. */
export const sourceName = (text: string): string => text.replaceAll(SPACE, ' ');

/** The loaded sources, keyed by their name in stacks: a path, a URL or `[eval]`. */
export class Sources {
  readonly #texts = new Map<string, { readonly source: string; readonly edited: MappedCode }>();

  add(name: string, source: string, edited: MappedCode): void {
    this.#texts.set(name, { source, edited });
  }

  has(name: string): boolean {
    return this.#texts.has(name);
  }

  /** Maps a place in the code that runs to its place in the original source. */
  original(name: string, place: Position): Position {
    return this.#texts.get(name)?.edited.original(place) ?? place;
  }

  /** Returns the name of the source loaded last that matches `pattern` on that line. */
  latestWith(line: number, pattern: RegExp): string | undefined {
    return [...this.#texts.keys()].reverse().find((name) => pattern.test(this.line(name, line) ?? ''));
  }

  text(name: string): string | undefined {
    return this.#texts.get(name)?.source;
  }

  line(name: string, line: number): string | undefined {
    return this.#texts.get(name)?.source.split(/\r?\n/)[line - 1];
  }
}
