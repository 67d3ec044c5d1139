import { isInside } from '../../src/workspace/paths.ts';
import { ROOT, type FileChange, type GlobResult, type GrepResult } from '../../src/workspace/workspace.ts';
import type { FromSearch, ReplicaFile, SearchAsked, ToSearch, WorkerPeer } from '../protocol.ts';
import { FsError } from './errors.ts';
import { nodeAt, walk, type DirectoryNode } from './nodes.ts';

/** Files are sent in messages of about this size: one clone of everything would hold the kernel up. */
const CHUNK_BYTES = 4_000_000;
const IDLE_FEED_MS = 50;

interface Asked {
  readonly id: number;
  readonly search: SearchAsked;
  readonly resolve: (result: GlobResult | GrepResult) => void;
  readonly reject: (error: FsError) => void;
  partial?: GlobResult | GrepResult;
}

/**
 * The search worker seen from the kernel: keeps its replica up to date, gives it one search at a time, and ends it,
 * for a fresh one, when a search hangs: an expression can run for ever.
 */
export class SearchHost {
  readonly #top: DirectoryNode;
  readonly #start: () => WorkerPeer<ToSearch, FromSearch>;
  #worker: WorkerPeer<ToSearch, FromSearch> | undefined;
  readonly #dirty = new Set<string>();
  readonly #removed = new Set<string>();
  #feeding = false;
  readonly #waiting: Asked[] = [];
  #active: Asked | undefined;
  #nextId = 1;

  constructor(top: DirectoryNode, start: () => WorkerPeer<ToSearch, FromSearch>) {
    this.#top = top;
    this.#start = start;
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

  /** Resolves at the latest after `timeoutMs`, with what was found by then. Rejects with EINVAL for a bad pattern. */
  search(search: SearchAsked, signal: AbortSignal): Promise<GlobResult | GrepResult> {
    return new Promise((resolve, reject) => {
      const asked: Asked = { id: this.#nextId++, search, resolve: settle(resolve), reject: settle(reject) };
      const timer = setTimeout(() => {
        const found = asked.partial ?? nothing(search.kind);
        asked.resolve({ ...found, timedOut: true });
        this.#drop(asked);
      }, search.query.timeoutMs);
      const cancel = () => {
        asked.reject(new FsError('ECANCELED', search.query.path));
        this.#drop(asked);
      };
      function settle<T>(done: (value: T) => void): (value: T) => void {
        return (value) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', cancel);
          done(value);
        };
      }
      signal.addEventListener('abort', cancel);
      this.#waiting.push(asked);
      this.#next();
    });
  }

  /** The search is over for its caller; a worker still busy with it is ended. */
  #drop(asked: Asked): void {
    const index = this.#waiting.indexOf(asked);
    if (index !== -1) this.#waiting.splice(index, 1);
    if (this.#active !== asked) return;
    this.#active = undefined;
    this.#renew();
    this.#next();
  }

  #next(): void {
    if (this.#active || !this.#worker) return;
    this.#active = this.#waiting.shift();
    if (!this.#active) return;
    this.#feed();
    const { id, search } = this.#active;
    this.#worker.post({ ...search, id });
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
      for (const asked of failed)
        asked.reject(new FsError('EIO', asked.search.query.path, `search: ${reason}`));
    });
    this.#removed.clear();
    this.#dirty.clear();
    const root = nodeAt(this.#top, ROOT);
    if (root) for (const [path, node] of walk(ROOT, root)) if (node.type === 'file') this.#dirty.add(path);
    this.#feed();
  }

  #hear(message: FromSearch): void {
    const asked = this.#active;
    if (!asked || message.id !== asked.id) return;
    if (message.kind === 'partial') {
      asked.partial = message.result;
      return;
    }
    this.#active = undefined;
    if (message.kind === 'answer') asked.resolve(message.result);
    else asked.reject(new FsError('EINVAL', asked.search.query.path, message.message));
    this.#next();
  }

  /** Brings the replica up to date. Symlinks are not followed and `.git` is not searched: neither is sent. */
  #feed(): void {
    if (!this.#worker) return;
    if (this.#removed.size > 0) this.#worker.post({ kind: 'remove', paths: [...this.#removed] });
    this.#removed.clear();
    let files: ReplicaFile[] = [];
    let bytes = 0;
    for (const path of this.#dirty) {
      const node = nodeAt(this.#top, path);
      if (node?.type !== 'file' || path.includes('/.git/')) continue;
      const copy = node.content.slice();
      files.push({ path, modified: node.modified, bytes: copy });
      bytes += copy.byteLength;
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
      files.map(({ bytes }) => bytes.buffer).filter((buffer) => buffer instanceof ArrayBuffer),
    );
  }
}

function nothing(kind: SearchAsked['kind']): GlobResult | GrepResult {
  const none = { truncated: false, timedOut: false, hidden: 0 };
  return kind === 'glob' ? { ...none, paths: [] } : { ...none, matches: [] };
}
