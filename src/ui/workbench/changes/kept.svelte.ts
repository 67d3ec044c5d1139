/* eslint-disable svelte/prefer-svelte-reactivity -- the sets are replaced whole, and never changed */
import type { ChangedPath } from '../../../workspace/changes/compare.ts';
import type { Hunk } from '../../../workspace/changes/text-hunks.ts';
import { keyOf } from './changes-state.svelte.ts';

/**
 * The changes that the person has looked at and keeps. A file is kept until it changes again; a hunk of it until its
 * own lines change.
 */
export class Kept {
  #files = $state.raw<ReadonlySet<string>>(new Set());
  #hunks = $state.raw<ReadonlySet<string>>(new Set());

  hasFile(change: ChangedPath): boolean {
    return this.#files.has(keyOf(change));
  }

  hasHunk(change: ChangedPath, hunk: Hunk): boolean {
    return this.#hunks.has(hunkKey(change, hunk));
  }

  toggleFile(change: ChangedPath): void {
    this.#files = toggled(this.#files, keyOf(change));
  }

  /** `hunks` are all hunks of the file: once each of them is kept, the file is. */
  toggleHunk(change: ChangedPath, hunk: Hunk, hunks: readonly Hunk[]): void {
    this.#hunks = toggled(this.#hunks, hunkKey(change, hunk));
    const isWhole = hunks.every((each) => this.hasHunk(change, each));
    if (isWhole !== this.hasFile(change)) this.toggleFile(change);
  }
}

function toggled(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return new Set(set.has(key) ? [...set].filter((each) => each !== key) : [...set, key]);
}

/** The numbers of the lines do not count: they move with every change above. */
function hunkKey({ path }: ChangedPath, { patch }: Hunk): string {
  return JSON.stringify([path, patch.replace(/^@@.*$/gm, '')]);
}
