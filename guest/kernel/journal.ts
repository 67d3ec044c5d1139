import type { Hash } from '../../src/base/hash.ts';
import { isInLargeTree } from '../../src/protocol/large-trees.ts';
import { fromRoot, isInside } from '../../src/protocol/paths.ts';
import type { JournalChange, NodeMeta } from '../../src/protocol/journal.ts';
import { ROOT } from '../../src/base/places.ts';
import { timeoutTimer, type Timer } from '../../src/base/timer.ts';
import type { FileChange } from '../../src/protocol/workspace-values.ts';
import {
  contentOf,
  EMPTY,
  namesOf,
  nodeAt,
  lengthOf,
  type DirectoryNode,
  type FileNode,
  type Node,
} from './nodes.ts';
import { FsError } from './errors.ts';

/** A message that the app has not answered yet. */
interface Message {
  /** For each change, the file whose content the app may store apart; null for a change that brings none. */
  readonly files: (SentFile | null)[];
  readonly bytes: number;
}

/** A file as it was sent to the app. */
export interface SentFile {
  readonly path: string;
  readonly node: FileNode;
  readonly content: Uint8Array;
}

/** The most that goes into one message. The page handles a message in one go, and can do nothing else meanwhile. */
const MAX_MESSAGE = { changes: 1000, bytes: 16_000_000 };
/** How much of the large trees may wait to be stored. */
const MAX_UNSTORED = 32_000_000;
const NOTHING_SENT: Message = { files: [], bytes: 0 };
const MAX_PAUSE_MS = 500;
const BYTES_PER_MS = 10_000;

/**
 * Sends changes below the root to the app in batches, one at a time. Changes that happen while a batch is being stored
 * wait for the next one, so that a file that grows in a loop is not sent again for every line.
 */
export class ChangeJournal {
  readonly #top: DirectoryNode;
  readonly #timer: Timer;
  readonly #send: (changes: readonly JournalChange[], transfer: ArrayBuffer[]) => void;
  /** The paths that were written or removed, and how many bytes of each belong to large trees and are to be stored. */
  readonly #dirty = new Map<string, number>();
  readonly #removed = new Set<string>();
  /** Oldest first. */
  readonly #sent: Message[] = [];
  /** How many bytes of large trees are not stored yet: those that wait to be sent, and those that were sent. */
  #unstored = 0;
  #waiting: (() => void)[] = [];
  /** Whether the storage of the app has no room. */
  #isFull = false;
  readonly #kept: (file: SentFile, hash: Hash) => void;
  #scheduled = false;
  /** Whether the next batch waits although the app has stored everything before it. */
  #pausing = false;
  #sentBytes = 0;

  constructor(
    top: DirectoryNode,
    send: (changes: readonly JournalChange[], transfer: ArrayBuffer[]) => void,
    kept: (file: SentFile, hash: Hash) => void = () => {},
    timer: Timer = timeoutTimer,
  ) {
    this.#timer = timer;
    this.#top = top;
    this.#send = send;
    this.#kept = kept;
  }

  /**
   * Waits while much of what an install wrote is not stored yet, so that it does not pile up in memory. Rejects with ENOSPC
   * if it cannot be stored. Undefined where there is nothing to wait for.
   */
  room(): Promise<void> | undefined {
    // Now and then one write is tried, which tells whether there is room again.
    if (this.#isFull && this.#isBusy)
      return Promise.reject(new FsError('ENOSPC', '', 'no space left in the storage of the browser'));
    if (this.#unstored < MAX_UNSTORED) return undefined;
    const room = new Promise<void>((resolve) => this.#waiting.push(resolve));
    // A pause would only hold up whoever waits.
    if (this.#sent.length === 0) this.flush();
    return room;
  }

  note(path: string, change: FileChange['change']): void {
    if (!isInside(path, ROOT) || path === ROOT) return;
    if (change === 'removed') this.#removed.add(path);
    const bytes = isInLargeTree(path) ? sizeAt(this.#top, path) : 0;
    this.#unstored += bytes - (this.#dirty.get(path) ?? 0);
    this.#dirty.set(path, bytes);
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#timer.after(0, () => {
      this.#scheduled = false;
      if (!this.#isBusy) this.flush();
    });
  }

  get #isBusy(): boolean {
    return this.#sent.length > 0 || this.#pausing;
  }

  /** Sends all waiting changes now. */
  flush(): void {
    if (this.#dirty.size === 0) return;
    let changes: JournalChange[] = [];
    let transfer: ArrayBuffer[] = [];
    let files: (SentFile | null)[] = [];
    let unstored = 0;
    let bytesOfMessage = 0;
    this.#sentBytes = 0;
    const send = () => {
      this.#sent.push({ files, bytes: unstored });
      this.#send(changes, transfer);
      [changes, transfer, files, unstored, bytesOfMessage] = [[], [], [], 0, 0];
    };
    // Removals go first: anything created again below a removed path is dirty itself and follows.
    for (const path of this.#removed) {
      changes.push({ op: 'remove', path: fromRoot(path) });
      files.push(null);
    }
    for (const path of [...this.#dirty.keys()].sort()) {
      const node = nodeAt(this.#top, path);
      unstored += this.#dirty.get(path) ?? 0;
      if (!node || node.type === 'device') continue;
      const bytes = node.type === 'file' && !node.stored ? contentOf(node).slice() : new Uint8Array(EMPTY);
      transfer.push(bytes.buffer);
      changes.push({ op: 'put', node: metaOf(fromRoot(path), node), bytes });
      files.push(node.type === 'file' && node.content ? { path, node, content: node.content } : null);
      bytesOfMessage += bytes.byteLength;
      this.#sentBytes += bytes.byteLength;
      if (changes.length >= MAX_MESSAGE.changes || bytesOfMessage >= MAX_MESSAGE.bytes) send();
    }
    this.#removed.clear();
    this.#dirty.clear();
    if (changes.length > 0) send();
    this.#unstored -= unstored;
    this.#letOn();
  }

  /**
   * Called when the app has stored one message, or could not. The next batch may follow once it has stored all of this one.
   * `hashes` names the contents that were stored apart, in the order in which they were sent.
   */
  ready(hashes: readonly (Hash | null)[] = [], isBehind = false): void {
    const { files, bytes } = this.#sent.shift() ?? NOTHING_SENT;
    this.#unstored -= bytes;
    this.#isFull = isBehind;
    if (!isBehind)
      for (const [index, file] of files.entries()) {
        const hash = hashes[index];
        if (file && hash && this.#isAsSent(file)) this.#kept(file, hash);
      }
    this.#letOn();
    if (this.#isBusy) return;
    if (this.#waiting.length > 0) return this.flush();
    this.#pausing = true;
    // A growing file is sent whole each time, so the larger the batch was, the longer the pause.
    this.#timer.after(Math.min(MAX_PAUSE_MS, this.#sentBytes / BYTES_PER_MS), () => {
      this.#pausing = false;
      if (!this.#isBusy) this.flush();
    });
  }

  /** Lets go on whoever waits for room, where there is some. */
  #letOn(): void {
    if (this.#unstored < MAX_UNSTORED || this.#isFull)
      for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #isAsSent({ path, node, content }: SentFile): boolean {
    return node.content === content && !node.stored && nodeAt(this.#top, path) === node;
  }
}

function sizeAt(top: DirectoryNode, path: string): number {
  const node = nodeAt(top, path);
  return node?.type === 'file' && !node.stored ? lengthOf(node) : 0;
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
    ...(node.type === 'file' && node.stored && { stored: node.stored }),
  };
}
