import type { Mapped, Place } from './loader/edits.ts';

/** Stands for a space: the engine takes no name of a source that has one. */
const SPACE = '\ue000';

/** A name as the engine is given it. */
export const nameToEngine = (name: string): string => name.replaceAll(' ', SPACE);

/** What the engine says of sources, with the names that they have. */
export const sourceName = (text: string): string => text.replaceAll(SPACE, ' ');

/** What was loaded, by the name that stacks have for it: a path, a URL or `[eval]`. */
export class Sources {
  readonly #texts = new Map<string, { readonly source: string; readonly edited: Mapped }>();

  add(name: string, source: string, edited: Mapped): void {
    this.#texts.set(name, { source, edited });
  }

  has(name: string): boolean {
    return this.#texts.has(name);
  }

  /** Where in the source what runs at this place stands. */
  original(name: string, place: Place): Place {
    return this.#texts.get(name)?.edited.original(place) ?? place;
  }

  /** The name of what was loaded last of all that has this on that line. */
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
