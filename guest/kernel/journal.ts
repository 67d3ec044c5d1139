import { fromRoot, isInside } from '../../src/protocol/paths.ts';
import type { JournalChange, NodeMeta } from '../../src/protocol/journal.ts';
import { ROOT } from '../../src/base/places.ts';
import type { FileChange } from '../../src/protocol/workspace-values.ts';
import { EMPTY, namesOf, nodeAt, type DirectoryNode, type Node } from './nodes.ts';

/** The most that goes into one message. The page handles a message in one go, and can do nothing else meanwhile. */
const MAX_MESSAGE = { changes: 1000, bytes: 16_000_000 };
const MAX_PAUSE_MS = 500;
const BYTES_PER_MS = 10_000;

/**
 * Sends changes below the root to the app in batches, one at a time. Changes that happen while a batch is being stored
 * wait for the next one, so that a file that grows in a loop is not sent again for every line.
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

  /** Sends all waiting changes now. */
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
    // Removals go first: anything created again below a removed path is dirty itself and follows.
    for (const path of this.#removed) changes.push({ op: 'remove', path: fromRoot(path) });
    for (const path of [...this.#dirty].sort()) {
      const node = nodeAt(this.#top, path);
      if (!node || node.type === 'device') continue;
      const bytes = node.type === 'file' ? node.content.slice() : new Uint8Array(EMPTY);
      transfer.push(bytes.buffer);
      changes.push({ op: 'put', node: metaOf(fromRoot(path), node), bytes });
      bytesOfMessage += bytes.byteLength;
      this.#sentBytes += bytes.byteLength;
      if (changes.length >= MAX_MESSAGE.changes || bytesOfMessage >= MAX_MESSAGE.bytes) send();
    }
    this.#removed.clear();
    this.#dirty.clear();
    if (changes.length > 0) send();
  }

  /** Called when the app has stored one message. The next batch may follow once it has stored all of this one. */
  ready(): void {
    if (this.#underway > 1) return void this.#underway--;
    // A growing file is sent whole each time, so the larger the batch was, the longer the pause.
    setTimeout(
      () => {
        this.#underway = 0;
        this.flush();
      },
      Math.min(MAX_PAUSE_MS, this.#sentBytes / BYTES_PER_MS),
    );
  }
}

export function metaOf(path: string, node: Exclude<Node, { type: 'device' }>): NodeMeta {
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
