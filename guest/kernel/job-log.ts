import { joined } from '../../src/base/bytes.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { Access } from './access.ts';
import type { FileTree } from './tree.ts';

/** How often output is written to the file. Whoever prints more than fits in its window waits that long. */
const WRITE_MS = 100;
const CUT_NOTE = new TextEncoder().encode('[vitrine: earlier output was dropped]\n');

/** The output of a job, whose newest part is kept in memory and, once it is open, in a file. */
export class JobLog {
  readonly path: string;
  readonly #tree: FileTree;
  readonly #access: Access;
  /** The newest output, at most twice the limit. It is replaced and never changed, because the file shares it. */
  #kept: Uint8Array = new Uint8Array();
  #pieces: Uint8Array[] = [];
  #waiting: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOpen = false;

  constructor(tree: FileTree, access: Access, path: string) {
    this.#tree = tree;
    this.#access = access;
    this.path = path;
  }

  /** `taken` is called once there is room for more. */
  add(bytes: Uint8Array, taken: () => void): void {
    this.#pieces.push(bytes);
    if (!this.#isOpen) {
      this.#gather();
      return taken();
    }
    this.#waiting.push(taken);
    this.#timer ??= setTimeout(() => this.#write(), WRITE_MS);
  }

  /** Writes what was kept so far to the file, and from now on everything. */
  open(): void {
    this.#isOpen = true;
    this.#write();
  }

  close(): void {
    if (this.#isOpen) this.#write();
  }

  /** The newest output. */
  get bytes(): Uint8Array {
    this.#gather();
    return this.#kept;
  }

  remove(): void {
    try {
      this.#tree.remove(this.#access, this.path, false);
    } catch {
      // A command has removed it already.
    }
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gather();
    try {
      this.#tree.write(this.#access, this.path, this.#kept, { parents: true });
    } catch {
      // The disk is full, or a command has put something else there. The page shows what is kept here.
    }
    for (const taken of this.#waiting.splice(0)) taken();
  }

  #gather(): void {
    if (this.#pieces.length === 0) return;
    const all = joined([this.#kept, ...this.#pieces]);
    this.#pieces = [];
    this.#kept =
      all.byteLength > 2 * LIMITS.jobLogBytes ? joined([CUT_NOTE, all.subarray(-LIMITS.jobLogBytes)]) : all;
  }
}
