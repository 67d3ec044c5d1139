import type * as diff from 'diff';
import { lazily } from '../../base/lazily.ts';

/** Imported once: the page looks through its document with each import, and a thousand texts may be compared in a row. */
const loadLibrary = lazily(() => import('diff'));

/** How long an exact diff may take, in milliseconds. */
const MAX_DIFF_MS = 500;

/** A piece of a changed text, with the unchanged lines around it. */
export interface Hunk {
  /** A unified diff of this piece alone. */
  readonly patch: string;
  readonly added: number;
  readonly removed: number;
}

/** The changed pieces of a text, from its start to its end. */
export class TextChange {
  readonly hunks: readonly Hunk[];
  readonly #after: string;
  readonly #patch: diff.StructuredPatch;
  readonly #library: typeof diff;

  private constructor(library: typeof diff, patch: diff.StructuredPatch, after: string) {
    this.#library = library;
    this.#patch = patch;
    this.#after = after;
    this.hunks = patch.hunks.map((hunk) => ({
      patch: library.formatPatch({ ...patch, hunks: [hunk] }, library.OMIT_HEADERS),
      added: hunk.lines.filter((line) => line.startsWith('+')).length,
      removed: hunk.lines.filter((line) => line.startsWith('-')).length,
    }));
  }

  /** Compares two texts; `null` if that takes too long. */
  static async between(before: string, after: string): Promise<TextChange | null> {
    const library = await loadLibrary();
    const options = { context: 3, timeout: MAX_DIFF_MS };
    const patch = library.structuredPatch('', '', before, after, undefined, undefined, options);
    return patch ? new TextChange(library, patch, after) : null;
  }

  get added(): number {
    return this.hunks.reduce((sum, hunk) => sum + hunk.added, 0);
  }

  get removed(): number {
    return this.hunks.reduce((sum, hunk) => sum + hunk.removed, 0);
  }

  /** The changed text without one of its changes. */
  without(hunk: Hunk): string {
    const given = this.#patch.hunks[this.hunks.indexOf(hunk)];
    if (!given) throw new Error('This hunk belongs to another change.');
    const undone = this.#library.reversePatch({ ...this.#patch, hunks: [given] });
    const text = this.#library.applyPatch(this.#after, undone);
    if (text === false) throw new Error('The hunk does not fit its own text.');
    return text;
  }
}
