import { fromRoot, isInside } from '../../src/workspace/paths.ts';
import type { JournalChange, NodeMeta } from '../../src/workspace/journal.ts';
import { ROOT, type FileChange } from '../../src/workspace/workspace.ts';
import { EMPTY, namesOf, nodeAt, type DirectoryNode, type Node } from './nodes.ts';

/** So much goes in one message: the page takes each in one piece, and answers nobody meanwhile. */
const MESSAGE = { changes: 1000, bytes: 16_000_000 };
const MAX_PAUSE_MS = 500;
const BYTES_PER_MS = 10_000;

/**
 * Gathers what changed below the root and hands it to the app in batches, one at a time: while one is being stored,
 * changes gather, so that a file appended to in a loop is not sent anew for every line.
 */
export class ChangeJournal {
  readonly #top: DirectoryNode;
  readonly #send: (changes: readonly JournalChange[], transfer: ArrayBuffer[]) => void;
  readonly #dirty = new Set<string>();
  readonly #removed = new Set<string>();
  #scheduled = false;
  #underway = 0;
  #sentBytes = 0;

  constructor(
    top: DirectoryNode,
    send: (changes: readonly JournalChange[], transfer: ArrayBuffer[]) => void,
  ) {
    this.#top = top;
    this.#send = send;
  }

  note(path: string, change: FileChange['change']): void {
    if (!isInside(path, ROOT) || path === ROOT) return;
    if (change === 'removed') this.#removed.add(path);
    this.#dirty.add(path);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setTimeout(() => {
      this.#scheduled = false;
      if (this.#underway === 0) this.flush();
    });
  }

  /** Sends now what has gathered. */
  flush(): void {
    if (this.#dirty.size === 0) return;
    let changes: JournalChange[] = [];
    let transfer: ArrayBuffer[] = [];
    let bytesOfMessage = 0;
    this.#sentBytes = 0;
    const send = () => {
      this.#underway++;
      this.#send(changes, transfer);
      [changes, transfer, bytesOfMessage] = [[], [], 0];
    };
    // Removals first: what was made anew below a removed path is dirty itself and follows.
    for (const path of this.#removed) changes.push({ op: 'remove', path: fromRoot(path) });
    for (const path of [...this.#dirty].sort()) {
      const node = nodeAt(this.#top, path);
      if (!node || node.type === 'device') continue;
      const bytes = node.type === 'file' ? node.content.slice() : new Uint8Array(EMPTY);
      transfer.push(bytes.buffer);
      changes.push({ op: 'put', node: metaOf(fromRoot(path), node), bytes });
      bytesOfMessage += bytes.byteLength;
      this.#sentBytes += bytes.byteLength;
      if (changes.length >= MESSAGE.changes || bytesOfMessage >= MESSAGE.bytes) send();
    }
    this.#removed.clear();
    this.#dirty.clear();
    if (changes.length > 0) send();
  }

  /** The app has taken one message, and is ready for the next batch once it has taken all. */
  ready(): void {
    if (this.#underway > 1) return void this.#underway--;
    // A large file that is being appended to is sent whole each time: the larger, the less often.
    setTimeout(
      () => {
        this.#underway = 0;
        this.flush();
      },
      Math.min(MAX_PAUSE_MS, this.#sentBytes / BYTES_PER_MS),
    );
  }
}

function metaOf(path: string, node: Exclude<Node, { type: 'device' }>): NodeMeta {
  const { type, mode, modified } = node;
  const twin = node.type === 'file' && namesOf(node) > 1 ? node.twin : undefined;
  return {
    path,
    type,
    mode,
    modified,
    ...(node.type === 'symlink' && { target: node.target }),
    ...(twin !== undefined && { twin }),
  };
}
