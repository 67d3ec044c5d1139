/* eslint-disable svelte/prefer-svelte-reactivity -- the map is never changed, but replaced whole */
import type { Hash } from '../../../base/hash.ts';
import { kindOf, type ChangedPath } from '../../../workspace/changes/compare.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { absolute } from './paths.ts';

export const MARKS = ['added', 'changed', 'renamed'] as const;
export type Mark = (typeof MARKS)[number];

/** Several writes in a row are compared once, after this time in milliseconds. */
const SETTLE_MS = 600;

/** Marks files that changed since one of the workspace's snapshots. It is kept up to date while it is shown. */
export class TreeMarks {
  readonly #workspace: Workspace;
  readonly #stored: (hash: Hash) => Promise<Uint8Array | undefined>;
  #marks = $state.raw<ReadonlyMap<string, Mark>>(new Map());
  #running: Promise<void> | null = null;
  #again: Hash | null = null;

  constructor(workspace: Workspace, stored: (hash: Hash) => Promise<Uint8Array | undefined>) {
    this.#workspace = workspace;
    this.#stored = stored;
  }

  /** Keyed by absolute path. */
  get all(): ReadonlyMap<string, Mark> {
    return this.#marks;
  }

  /** Compares with this snapshot, now and after each change, until the returned function is called. */
  follow(manifest: Hash): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unwatch = this.#workspace.watch(() => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#refresh(manifest), SETTLE_MS);
    });
    this.#refresh(manifest);
    return () => {
      clearTimeout(timer);
      unwatch();
    };
  }

  #refresh(manifest: Hash): void {
    this.#again = manifest;
    this.#running ??= this.#compare().finally(() => (this.#running = null));
  }

  async #compare(): Promise<void> {
    const { changesSince } = await import('../../../workspace/changes/since.ts');
    while (this.#again !== null) {
      const manifest = this.#again;
      this.#again = null;
      try {
        this.#marks = marksOf(await changesSince(this.#workspace, manifest, (hash) => this.#content(hash)));
      } catch {
        // The tab Changes says why files cannot be compared. The tree then has no marks.
        this.#marks = new Map();
      }
    }
  }

  async #content(hash: Hash): Promise<Uint8Array> {
    const bytes = await this.#stored(hash);
    if (!bytes) throw new Error(`${hash} is no longer stored.`);
    return bytes;
  }
}

function marksOf(changes: readonly ChangedPath[]): ReadonlyMap<string, Mark> {
  return new Map(
    changes.flatMap((change) => {
      const kind = kindOf(change);
      return kind === 'removed' ? [] : [[absolute(change.path), kind] as const];
    }),
  );
}
