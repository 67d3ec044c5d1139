import type { Hash } from '../base/hash.ts';
import type { IgnoreRules } from '../protocol/ignore-rules.ts';
import { Ignored, ignoreRules, isIgnoreFile } from '../protocol/ignored.ts';
import { ROOT, type SnapshotEntry } from './workspace.ts';

/** Replaces each ignored file or folder, and everything below it, with one entry of the type `ignored`. */
export function withoutIgnored(
  entries: readonly SnapshotEntry[],
  contents: (hashes: readonly Hash[]) => Promise<readonly Uint8Array[]>,
): Promise<readonly SnapshotEntry[]> {
  return new Unignored().entries(entries, contents);
}

/** Does so for lists that follow each other. What is known of an entry holds as long as no ignore file changes. */
export class Unignored {
  #rules: { readonly key: string; readonly rules: IgnoreRules } | null = null;
  /** The entry of the list that stands for a file; `null` where a folder above it is ignored. */
  #known = new WeakMap<SnapshotEntry, SnapshotEntry | null>();

  async entries(
    entries: readonly SnapshotEntry[],
    contents: (hashes: readonly Hash[]) => Promise<readonly Uint8Array[]>,
  ): Promise<readonly SnapshotEntry[]> {
    // The folders that it remembers hold for one list only.
    const ignored = new Ignored(await this.#rulesIn(entries, contents));
    return entries.flatMap((entry) => {
      let shown = this.#known.get(entry);
      if (shown === undefined) {
        shown = shownFor(entry, ignored);
        this.#known.set(entry, shown);
      }
      return shown ?? [];
    });
  }

  async #rulesIn(
    entries: readonly SnapshotEntry[],
    contents: (hashes: readonly Hash[]) => Promise<readonly Uint8Array[]>,
  ): Promise<IgnoreRules> {
    const files = entries.flatMap((entry) =>
      entry.type === 'file' && isIgnoreFile(`${ROOT}/${entry.path}`) ? entry : [],
    );
    const key = JSON.stringify(files.map(({ path, hash }) => [path, hash]));
    if (this.#rules?.key === key) return this.#rules.rules;
    const read = await contents(files.map(({ hash }) => hash));
    const texts = files.map(({ path }, index) => ({
      path: `${ROOT}/${path}`,
      text: new TextDecoder().decode(read[index]),
    }));
    const rules = ignoreRules(texts);
    this.#rules = { key, rules };
    this.#known = new WeakMap();
    return rules;
  }
}

function shownFor(entry: SnapshotEntry, ignored: Ignored): SnapshotEntry | null {
  const path = `${ROOT}/${entry.path}`;
  if (!ignored.has(path, entry.type === 'directory')) return entry;
  const isBelow = ignored.has(path.slice(0, path.lastIndexOf('/')), true);
  return isBelow ? null : { path: entry.path, type: 'ignored' };
}
