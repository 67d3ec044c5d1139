import { hashBytes, type Hash } from '../base/hash.ts';
import { ROOT } from '../base/places.ts';
import type { Unlisten } from '../base/listeners.ts';
import { visibilityTest } from '../workspace/visibility.ts';
import type { FileChange, Visibility, Workspace } from '../workspace/workspace.ts';
import type { ToWorker } from './protocol.ts';
import { isWithin } from './within.ts';

/** Of names; code beyond that is not known to the services. */
const MOST_FILES = 50_000;
const LIST_MS = 20_000;
/** Larger files are made by machines. Bytes. */
const LARGEST = 4 * 1024 * 1024;
const AT_ONCE = 16;

/** Names of files that the services know. */
export function isCovered(path: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx|jsonc?)$/.test(path);
}

/** What the worker has been given of a workspace's files, and how that is kept true. Nothing is given that may not be read. */
export class GivenFiles {
  readonly #workspace: Workspace;
  readonly #send: (message: ToWorker) => void;
  readonly #unwatch: Unlisten;
  readonly #names = new Set<string>();
  readonly #hashes = new Map<string, Hash>();
  #dirty = new Map<string, FileChange['change']>();
  /** For which visibility the names were listed; `null`: they are to be listed. */
  #listed: string | null = null;
  hidden = 0;

  constructor(workspace: Workspace, send: (message: ToWorker) => void) {
    this.#workspace = workspace;
    this.#send = send;
    this.#unwatch = workspace.watch((changes) => {
      for (const { path, change } of changes) this.#dirty.set(path, change);
    });
  }

  /** Makes what was given equal to what there is and `visibility` shows; `paths` are looked at even if nothing was heard of them. */
  async update(visibility: Visibility, paths: readonly string[]): Promise<void> {
    const key = JSON.stringify(visibility);
    const isVisible = visibilityTest(visibility);
    const dirty = this.#dirty;
    this.#dirty = new Map();
    const again = new Set<string>();
    for (const [changed, change] of dirty) {
      if (change === 'removed') this.#remove([changed]);
      else if (this.#hashes.has(changed)) again.add(changed);
      else if (isCovered(changed) && isVisible(changed)) this.#name([changed]);
      // It may be a folder that came with all that is in it.
      else if (change === 'created' && !isCovered(changed)) this.#listed = null;
    }
    if (this.#listed !== key) await this.#list(visibility, key);
    await this.#bring([...new Set([...again, ...paths])].filter(isVisible));
  }

  /** Gives the texts of these files, as far as they were named and can be read; takes the names of others back. */
  async bring(paths: readonly string[]): Promise<void> {
    await this.#bring(paths.filter((path) => this.#names.has(path)));
  }

  async #bring(paths: readonly string[]): Promise<void> {
    const left = [...paths];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let path = left.pop(); path !== undefined; path = left.pop()) await this.#bringOne(path);
      }),
    );
  }

  stop(): void {
    this.#unwatch();
  }

  async #bringOne(path: string): Promise<void> {
    try {
      // Never through a link, which may lead to what is hidden.
      const bytes = await this.#workspace.files.read(path, { real: true });
      const hash = hashBytes(bytes);
      if (this.#hashes.get(path) === hash) return;
      if (bytes.length > LARGEST) return this.#remove([path]);
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      this.#names.add(path);
      this.#hashes.set(path, hash);
      this.#send({ kind: 'files', files: [{ path, text, hash }] });
    } catch {
      // Gone, not text, or not to be reached: to the services it is not there.
      this.#remove([path]);
    }
  }

  async #list(visibility: Visibility, key: string): Promise<void> {
    const found = await this.#workspace.search.glob({
      pattern: '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,json,jsonc}',
      path: ROOT,
      limit: MOST_FILES,
      visibility,
      timeoutMs: LIST_MS,
    });
    const now = new Set(found.paths);
    this.#remove([...this.#names].filter((name) => !now.has(name)));
    this.#name(found.paths);
    this.hidden = found.hidden;
    this.#listed = key;
  }

  #name(paths: readonly string[]): void {
    const fresh = paths.filter((path) => !this.#names.has(path));
    for (const path of fresh) this.#names.add(path);
    if (fresh.length > 0) this.#send({ kind: 'names', paths: fresh });
  }

  #remove(paths: readonly string[]): void {
    if (paths.length === 0) return;
    // What is a name is a file: nothing is below it.
    const folders = new Set(paths.filter((path) => !this.#names.has(path)));
    const below = folders.size > 0 ? [...this.#names].filter((name) => isWithin(folders, name)) : [];
    for (const name of [...paths, ...below]) {
      this.#names.delete(name);
      this.#hashes.delete(name);
    }
    this.#send({ kind: 'removed', paths });
  }
}
