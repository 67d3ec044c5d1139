import { hashBytes, type Hash } from '../base/hash.ts';
import { ROOT } from '../base/places.ts';
import type { Unlisten } from '../base/listeners.ts';
import { visibilityTest } from '../protocol/visibility.ts';
import type { FileChange, Visibility, Workspace } from '../workspace/workspace.ts';
import type { ToWorker } from './protocol.ts';
import { isInsideAny } from './is-inside.ts';

/** The maximum number of files; the services do not know any further ones. */
const MAX_FILES = 50_000;
const LIST_MS = 20_000;
/** The maximum size of a file in bytes; larger files are usually generated. */
const MAX_BYTES = 4 * 1024 * 1024;
const PARALLEL_READS = 16;

/** Whether the services handle files with this name. */
export function isCovered(path: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx|jsonc?)$/.test(path);
}

/** Keeps the worker's copy of a workspace's files up to date. It never sends files that may not be read. */
export class SyncedFiles {
  readonly #workspace: Workspace;
  readonly #send: (message: ToWorker) => void;
  readonly #unwatch: Unlisten;
  readonly #names = new Set<string>();
  readonly #hashes = new Map<string, Hash>();
  #dirty = new Map<string, FileChange['change']>();
  /** The visibility that the names were listed for; `null` where they must be listed again. */
  #listed: string | null = null;
  hidden = 0;

  constructor(workspace: Workspace, send: (message: ToWorker) => void) {
    this.#workspace = workspace;
    this.#send = send;
    this.#unwatch = workspace.watch((changes) => {
      for (const { path, change } of changes) this.#dirty.set(path, change);
    });
  }

  /** Brings the copy up to date with what `visibility` shows. Also checks `paths`, whose changes may not be reported yet. */
  async update(visibility: Visibility, paths: readonly string[]): Promise<void> {
    const key = JSON.stringify(visibility);
    const isVisible = visibilityTest(visibility);
    const dirty = this.#dirty;
    this.#dirty = new Map();
    const resend = new Set<string>();
    for (const [changed, change] of dirty) {
      if (change === 'removed') this.#remove([changed]);
      else if (this.#hashes.has(changed)) resend.add(changed);
      else if (isCovered(changed) && isVisible(changed)) this.#name([changed]);
      // It may be a folder that was created with its contents.
      else if (change === 'created' && !isCovered(changed)) this.#listed = null;
    }
    if (this.#listed !== key) await this.#list(visibility, key);
    await this.#bring([...new Set([...resend, ...paths])].filter(isVisible));
  }

  /** Sends the texts of those of these files that are known, and removes files that cannot be read. */
  async bring(paths: readonly string[]): Promise<void> {
    await this.#bring(paths.filter((path) => this.#names.has(path)));
  }

  async #bring(paths: readonly string[]): Promise<void> {
    const remaining = [...paths];
    await Promise.all(
      Array.from({ length: PARALLEL_READS }, async () => {
        for (let path = remaining.pop(); path !== undefined; path = remaining.pop())
          await this.#bringOne(path);
      }),
    );
  }

  stop(): void {
    this.#unwatch();
  }

  async #bringOne(path: string): Promise<void> {
    try {
      // Links are not followed, as they may lead to hidden files.
      const bytes = await this.#workspace.files.read(path, { real: true });
      const hash = hashBytes(bytes);
      if (this.#hashes.get(path) === hash) return;
      if (bytes.length > MAX_BYTES) return this.#remove([path]);
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      this.#names.add(path);
      this.#hashes.set(path, hash);
      this.#send({ kind: 'files', files: [{ path, text, hash }] });
    } catch {
      // The services must not know files that are gone, not text, or not reachable.
      this.#remove([path]);
    }
  }

  async #list(visibility: Visibility, key: string): Promise<void> {
    const found = await this.#workspace.search.glob({
      pattern: '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,json,jsonc}',
      path: ROOT,
      limit: MAX_FILES,
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
    // A known name is a file, so nothing is below it.
    const folders = new Set(paths.filter((path) => !this.#names.has(path)));
    const below = folders.size > 0 ? [...this.#names].filter((name) => isInsideAny(folders, name)) : [];
    for (const name of [...paths, ...below]) {
      this.#names.delete(name);
      this.#hashes.delete(name);
    }
    this.#send({ kind: 'removed', paths });
  }
}
