/* eslint-disable svelte/prefer-svelte-reactivity -- the maps here are bookkeeping: what is shown is in the `$state` fields */
import { faultOf } from '../../../base/fault.ts';
import { digestBytes, type Hash } from '../../../base/hash.ts';
import type { ChangedPath } from '../../../workspace/changes/compare.ts';
import type { Hunk } from '../../../workspace/changes/text-hunks.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { bytes as sizeText } from '../../format.ts';
import type { Toasts } from '../../state/toasts.svelte.ts';
import { showName } from '../show-name.ts';
import { changesWords as words } from './changes-words.ts';
import { Versions, type ShownChange } from './versions.ts';

/** Several writes in a row are compared once, after this time in milliseconds. */
const SETTLE_MS = 250;

/** While many files are counted, the counts are shown this often, in milliseconds. */
const SHOW_COUNTS_MS = 100;

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** The files of a workspace that differ from one of its snapshots, kept up to date while they are shown. */
export class ChangesState {
  readonly versions: Versions;
  readonly #workspace: Workspace;
  readonly #toasts: Pick<Toasts, 'show' | 'attempt'>;
  #manifest: Hash | null = null;
  #files = $state.raw<readonly ChangedPath[] | null>(null);
  #counts = $state.raw<ReadonlyMap<string, LineCounts>>(new Map());
  #problem = $state.raw('');
  #comparing: Promise<void> | null = null;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch: (() => void) | null = null;

  constructor(
    workspace: Workspace,
    stored: (hash: Hash) => Promise<Uint8Array | undefined>,
    toasts: Pick<Toasts, 'show' | 'attempt'>,
  ) {
    this.#workspace = workspace;
    this.#toasts = toasts;
    this.versions = new Versions(workspace, stored);
  }

  /** `null` until the files have been compared. */
  get files(): readonly ChangedPath[] | null {
    return this.#files;
  }

  /** The sentence why the changes cannot be shown; empty if they can. */
  get problem(): string {
    return this.#problem;
  }

  /** The lines of a text file, once they are counted. */
  linesOf(change: ChangedPath): LineCounts | undefined {
    return this.#counts.get(keyOf(change));
  }

  /** Shows the changes since this snapshot from now on, until `hide` is called. */
  show(manifest: Hash): void {
    if (manifest !== this.#manifest) this.#files = null;
    this.#manifest = manifest;
    this.#unwatch ??= this.#workspace.watch(() => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.refresh(), SETTLE_MS);
    });
    void this.refresh();
  }

  /** Compares no more. What was shown stays. */
  hide(): void {
    clearTimeout(this.#timer);
    this.#unwatch?.();
    this.#unwatch = null;
  }

  /** Compares again. A call while files are compared lets that begin anew. */
  refresh(): Promise<void> {
    if (this.#comparing) {
      this.#again = true;
      return this.#comparing;
    }
    this.#comparing = this.#compare().finally(() => (this.#comparing = null));
    return this.#comparing;
  }

  async #compare(): Promise<void> {
    const { changesSince } = await import('../../../workspace/changes/since.ts');
    do {
      this.#again = false;
      const manifest = this.#manifest;
      if (manifest === null) return;
      try {
        const files = await changesSince(this.#workspace, manifest, this.versions.content);
        if (manifest !== this.#manifest) continue;
        // An entry that has not changed since the last comparison keeps its identity, so that it is not drawn again.
        const known = new Map(this.#files?.map((change) => [keyOf(change), change]));
        this.#files = files.map((change) => known.get(keyOf(change)) ?? change);
        this.#problem = '';
        await this.#count(this.#files);
      } catch (error) {
        if (manifest === this.#manifest) this.#problem = faultOf(error).what;
      }
    } while (this.#again);
  }

  /** Counts the lines of each file that is not counted yet. Ends early if the files are to be compared again. */
  async #count(files: readonly ChangedPath[]): Promise<void> {
    const counts = new Map<string, LineCounts>();
    const uncounted: ChangedPath[] = [];
    for (const change of files) {
      const known = this.#counts.get(keyOf(change));
      if (known) counts.set(keyOf(change), known);
      else uncounted.push(change);
    }
    let shown = performance.now();
    for (const change of uncounted) {
      if (this.#again || !this.#unwatch) break;
      const content = await this.shown(change).catch(() => null);
      if (content?.kind === 'text') {
        const { added, removed } = content.change;
        counts.set(keyOf(change), { added, removed });
      }
      if (performance.now() - shown < SHOW_COUNTS_MS) continue;
      this.#counts = new Map(counts);
      shown = performance.now();
    }
    this.#counts = counts;
  }

  shown(change: ChangedPath): Promise<ShownChange> {
    return this.versions.shown(change, sizeText);
  }

  /** Makes a file as it was, unless it was changed again. The notice offers to undo that. */
  putBack(change: ChangedPath): Promise<void> {
    return this.#toasts.attempt(async () => {
      const { putBack } = await import('../../../workspace/changes/put-back.ts');
      const { path, from, before, after } = change;
      const left = after && (await this.versions.now(after));
      await putBack(this.#workspace, change, this.versions.before);
      await this.refresh();
      const undone: ChangedPath = {
        path: from ?? path,
        ...(from !== undefined && { from: path }),
        before: after,
        after: before,
      };
      this.#toasts.show(words.didPutBack(showName(from ?? path)), {
        undo: () =>
          void this.#toasts.attempt(async () => {
            await putBack(this.#workspace, undone, async () => left ?? new Uint8Array());
            await this.refresh();
          }),
      });
    });
  }

  /** Puts one hunk of a text file back. The notice offers to undo that. */
  putBackHunk(change: ChangedPath, shown: ShownChange & { kind: 'text' }, hunk: Hunk): Promise<void> {
    const { path, after } = change;
    return this.#toasts.attempt(async () => {
      if (after?.type !== 'file') return;
      const text = new TextEncoder().encode(shown.change.without(hunk));
      await this.#replace(path, text, after.hash);
      this.#toasts.show(words.didPutBackHunk(showName(path)), {
        undo: () =>
          void this.#toasts.attempt(async () =>
            this.#replace(path, new TextEncoder().encode(shown.after), await digestBytes(text)),
          ),
      });
    });
  }

  async #replace(path: string, content: Uint8Array<ArrayBuffer>, expect: Hash): Promise<void> {
    const { replaceFile } = await import('../../../workspace/changes/put-back.ts');
    await replaceFile(this.#workspace, path, content, expect);
    await this.refresh();
  }

  /** A patch of all changes, for `git apply`. */
  async patch(): Promise<Blob> {
    const { gitPatch } = await import('../../../workspace/changes/git-patch.ts');
    const files = this.#files ?? [];
    const stored = new Set(files.map(({ before }) => before));
    const text = await gitPatch(files, (version) =>
      stored.has(version) ? this.versions.before(version) : this.versions.now(version),
    );
    return new Blob([text], { type: 'text/x-patch' });
  }
}

/** Names a change so that the next comparison recognizes it. */
export function keyOf({ path, before, after }: ChangedPath): string {
  const version = (each: ChangedPath['before']) => (each?.type === 'file' ? each.hash : (each?.target ?? ''));
  return JSON.stringify([path, version(before), version(after)]);
}
