import { isInLargeTree } from '../../src/protocol/large-trees.ts';
import { isIgnoreFile } from '../../src/protocol/ignored.ts';
import { isInside } from '../../src/protocol/paths.ts';
import { ROOT } from '../../src/base/places.ts';
import type { FileChange, GlobResult, GrepResult } from '../../src/protocol/workspace-values.ts';
import type { FromSearch, ReplicaFile, SearchRequest, ToSearch, WorkerPeer } from '../shared/protocol.ts';
import { FsError } from './errors.ts';
import { nodeAt, walk, type DirectoryNode, type FileNode } from './nodes.ts';

/** Files are sent in messages of about this size, because one message with everything would block the kernel. */
const CHUNK_BYTES = 4_000_000;
const IDLE_FEED_MS = 50;
/** About what a file without its content takes in a message. */
const NAME_BYTES = 200;
const LENT_AT_ONCE = 500;

interface PendingSearch {
  readonly id: number;
  readonly search: SearchRequest;
  readonly resolve: (result: GlobResult | GrepResult) => void;
  readonly reject: (error: FsError) => void;
  partial?: GlobResult | GrepResult;
}

/**
 * Runs searches in the search worker, one at a time, and keeps the worker's replica of the files up to date. A regular
 * expression can run forever, so a worker whose search hangs is replaced by a new one.
 */
export class SearchHost {
  readonly #top: DirectoryNode;
  readonly #start: () => WorkerPeer<ToSearch, FromSearch>;
  readonly #read: (files: readonly FileNode[]) => Promise<Uint8Array[]>;
  #worker: WorkerPeer<ToSearch, FromSearch> | undefined;
  readonly #dirty = new Set<string>();
  readonly #removed = new Set<string>();
  /** Files outside of large trees that were sent without their content, because only the app has it. */
  readonly #unread = new Set<string>();
  #feeding = false;
  readonly #waiting: PendingSearch[] = [];
  #active: PendingSearch | undefined;
  #nextId = 1;

  /** `read` fetches contents that only the app has. */
  constructor(
    top: DirectoryNode,
    start: () => WorkerPeer<ToSearch, FromSearch>,
    read: (files: readonly FileNode[]) => Promise<Uint8Array[]>,
  ) {
    this.#top = top;
    this.#start = start;
    this.#read = read;
    this.#renew();
  }

  note(path: string, change: FileChange['change']): void {
    if (!isInside(path, ROOT)) return;
    if (change === 'removed') {
      this.#removed.add(path);
      for (const each of this.#dirty) if (isInside(each, path)) this.#dirty.delete(each);
    } else this.#dirty.add(path);
    if (this.#feeding) return;
    this.#feeding = true;
    setTimeout(() => {
      this.#feeding = false;
      this.#feed();
    }, IDLE_FEED_MS);
  }

  /** Resolves after `timeoutMs` at the latest, with the results so far. Rejects with EINVAL for an invalid pattern. */
  search(search: SearchRequest, signal: AbortSignal): Promise<GlobResult | GrepResult> {
    return new Promise((resolve, reject) => {
      const pending: PendingSearch = {
        id: this.#nextId++,
        search,
        resolve: settle(resolve),
        reject: settle(reject),
      };
      const timer = setTimeout(() => {
        const found = pending.partial ?? nothing(search.kind);
        pending.resolve({ ...found, timedOut: true });
        this.#drop(pending);
      }, search.query.timeoutMs);
      const cancel = () => {
        pending.reject(new FsError('ECANCELED', search.query.path));
        this.#drop(pending);
      };
      function settle<T>(done: (value: T) => void): (value: T) => void {
        return (value) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', cancel);
          done(value);
        };
      }
      signal.addEventListener('abort', cancel);
      this.#waiting.push(pending);
      this.#next();
    });
  }

  /** Forgets a search that its caller no longer waits for. A worker that is busy with it is replaced. */
  #drop(pending: PendingSearch): void {
    const index = this.#waiting.indexOf(pending);
    if (index !== -1) this.#waiting.splice(index, 1);
    if (this.#active !== pending) return;
    this.#active = undefined;
    this.#renew();
    this.#next();
  }

  #next(): void {
    if (this.#active || !this.#worker) return;
    this.#active = this.#waiting.shift();
    if (!this.#active) return;
    void this.#ask(this.#active);
  }

  /** Sends the search, and before it the contents that it reads and only the app has. */
  async #ask(pending: PendingSearch): Promise<void> {
    const { id, search } = pending;
    const worker = this.#worker;
    this.#feed();
    const lent = readsLargeTrees(search) ? this.#largeFiles(search.query.path) : [];
    const moved = search.kind === 'grep' ? this.#unreadFiles() : [];
    const files = [...lent, ...moved];
    const isOver = () => this.#active !== pending || this.#worker !== worker;
    try {
      for (let at = 0; at < files.length && !isOver(); at += LENT_AT_ONCE)
        await this.#lend(files.slice(at, at + LENT_AT_ONCE), isOver);
      if (isOver()) return;
      for (const { path } of moved) this.#unread.delete(path);
    } catch (error) {
      if (this.#active !== pending) return;
      this.#active = undefined;
      pending.reject(error instanceof FsError ? error : new FsError('EIO', search.query.path));
      return this.#next();
    }
    worker?.post({ ...search, id });
    // Messages come in order, so the search reads them before they are taken back.
    if (lent.length > 0)
      this.#put(lent.map(({ path, node }) => ({ path, modified: node.modified, bytes: null })));
  }

  async #lend(files: readonly { path: string; node: FileNode }[], isOver: () => boolean): Promise<void> {
    const contents = await this.#read(files.map(({ node }) => node));
    if (isOver()) return;
    this.#put(
      files.map(({ path, node }, index) => ({
        path,
        modified: node.modified,
        bytes: contents[index]?.slice() ?? null,
      })),
    );
  }

  #unreadFiles(): { path: string; node: FileNode }[] {
    return [...this.#unread].flatMap((path) => {
      const node = nodeAt(this.#top, path);
      return node?.type === 'file' ? { path, node } : [];
    });
  }

  #largeFiles(base: string): { path: string; node: FileNode }[] {
    const top = nodeAt(this.#top, base);
    return [...(top ? walk(base, top) : [])].flatMap(([path, node]) =>
      node.type === 'file' && isInLargeTree(path) ? { path, node } : [],
    );
  }

  #renew(): void {
    this.#worker?.terminate();
    const worker = this.#start();
    this.#worker = worker;
    worker.onMessage((message) => {
      if (worker === this.#worker) this.#hear(message);
    });
    worker.onFailure((reason) => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      const failed = [...(this.#active ? [this.#active] : []), ...this.#waiting.splice(0)];
      this.#active = undefined;
      for (const pending of failed)
        pending.reject(new FsError('EIO', pending.search.query.path, `search: ${reason}`));
    });
    this.#removed.clear();
    this.#dirty.clear();
    this.#unread.clear();
    const root = nodeAt(this.#top, ROOT);
    if (root) for (const [path, node] of walk(ROOT, root)) if (node.type === 'file') this.#dirty.add(path);
    this.#feed();
  }

  #hear(message: FromSearch): void {
    const pending = this.#active;
    if (!pending || message.id !== pending.id) return;
    if (message.kind === 'partial') {
      pending.partial = message.result;
      return;
    }
    this.#active = undefined;
    if (message.kind === 'answer') pending.resolve(message.result);
    else pending.reject(new FsError('EINVAL', pending.search.query.path, message.message));
    this.#next();
  }

  /**
   * Brings the replica up to date. Symlinks and files in `.git` are not sent, because they are not searched. The one
   * exception is git's own list of ignored paths.
   */
  #feed(): void {
    if (!this.#worker) return;
    if (this.#removed.size > 0) this.#worker.post({ kind: 'remove', paths: [...this.#removed] });
    this.#removed.clear();
    let files: ReplicaFile[] = [];
    let bytes = 0;
    for (const path of this.#dirty) {
      const node = nodeAt(this.#top, path);
      if (node?.type !== 'file' || (path.includes('/.git/') && !isIgnoreFile(path))) continue;
      // A search rarely reads large trees, and then they are lent to it.
      const isLarge = isInLargeTree(path);
      const copy = isLarge ? null : (node.content?.slice() ?? null);
      if (copy || isLarge) this.#unread.delete(path);
      else this.#unread.add(path);
      files.push({ path, modified: node.modified, bytes: copy });
      bytes += copy?.byteLength ?? NAME_BYTES;
      if (bytes < CHUNK_BYTES) continue;
      this.#put(files);
      files = [];
      bytes = 0;
    }
    this.#dirty.clear();
    if (files.length > 0) this.#put(files);
  }

  #put(files: readonly ReplicaFile[]): void {
    this.#worker?.post(
      { kind: 'put', files },
      files.flatMap(({ bytes }) => (bytes?.buffer instanceof ArrayBuffer ? bytes.buffer : [])),
    );
  }
}

function nothing(kind: SearchRequest['kind']): GlobResult | GrepResult {
  const none = { truncated: false, timedOut: false, hidden: 0, ignored: false };
  return kind === 'glob' ? { ...none, paths: [] } : { ...none, matches: [] };
}

/** Whether a search looks into the contents of trees that are usually left out. */
function readsLargeTrees({ kind, query }: SearchRequest): boolean {
  if (kind !== 'grep' || query.texts) return false;
  return (
    !query.skipIgnored ||
    isInLargeTree(`${query.path}/`) ||
    (query.include?.includes('node_modules') ?? false)
  );
}
