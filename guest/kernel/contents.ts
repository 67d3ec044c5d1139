import type { Hash } from '../../src/base/hash.ts';
import type { Unlisten } from '../../src/base/listeners.ts';
import { timeoutTimer, type Timer } from '../../src/base/timer.ts';
import { FsError } from './errors.ts';
import { lengthOf, type FileNode, type KeptContent } from './nodes.ts';

/** How many bytes of what is stored apart are kept in memory, beside files that are open: while programs run, and at rest. */
const MAX_BYTES = { atWork: 128_000_000, atRest: 32_000_000 };
/** How long nothing runs before the workspace is at rest: builds and tests are often run one after the other. */
const REST_AFTER_MS = 20_000;

type Ask = (hashes: readonly Hash[]) => Promise<readonly (Uint8Array | null)[]>;

/**
 * The contents that the app stores apart from the tree. Those used last are in memory, any other is fetched when a file is
 * opened. Only an answer to the app or the end of a task removes one, so that an operation never loses what it waited for.
 */
export class Contents {
  readonly #ask: Ask;
  readonly #isOpen: (node: FileNode) => boolean;
  readonly #limits: typeof MAX_BYTES;
  readonly #timer: Timer;
  #limit: number;
  #cancelRest: Unlisten = () => {};
  /** The files whose content is in memory, the one used last at the end. */
  readonly #here = new Map<FileNode, number>();
  #bytes = 0;
  #isSweepDue = false;
  readonly #fetches = new Map<Hash, Promise<Uint8Array | null>>();

  constructor(
    ask: Ask,
    isOpen: (node: FileNode) => boolean,
    { limits = MAX_BYTES, timer = timeoutTimer } = {},
  ) {
    this.#ask = ask;
    this.#isOpen = isOpen;
    this.#limits = limits;
    this.#timer = timer;
    this.#limit = limits.atRest;
  }

  /** Called when a program starts. */
  work(): void {
    this.#cancelRest();
    this.#limit = this.#limits.atWork;
  }

  /** Called when no program runs any more. */
  rest(): void {
    this.#cancelRest();
    this.#cancelRest = this.#timer.after(REST_AFTER_MS, () => {
      this.#limit = this.#limits.atRest;
      this.#sweep();
    });
  }

  /** Notes that the content of a file is stored and may leave memory. */
  stored(node: FileNode): void {
    this.#use(node);
  }

  /**
   * Fetches the contents of these files, and in the same request those of files that `nearby` names. Undefined where all of
   * `nodes` are there. Rejects where one of them is missing.
   */
  fetch(nodes: readonly FileNode[], nearby: () => readonly FileNode[] = () => []): Promise<void> | undefined {
    const away = nodes.filter((node) => {
      if (node.stored && node.content) this.#use(node);
      return node.content === null;
    });
    return away.length === 0 ? undefined : this.#fetchAll(away, nearby());
  }

  /** The contents of these files, without keeping them in the tree. */
  async read(nodes: readonly KeptContent[]): Promise<Uint8Array[]> {
    const hashes = nodes.flatMap(({ content, stored }) => (!content && stored ? stored.hash : []));
    const fetched = await this.#asked(hashes);
    return nodes.map(({ content, stored }) => {
      const found = content ?? (stored && fetched.get(stored.hash));
      if (!found) throw missing();
      return found;
    });
  }

  async #fetchAll(nodes: readonly FileNode[], nearby: readonly FileNode[]): Promise<void> {
    // Nearby files are used before the wanted ones, so they leave memory before them.
    const all = [...nearby, ...nodes];
    const fetched = await this.#asked(all.flatMap(({ stored }) => stored?.hash ?? []));
    for (const node of all) {
      // Another call may have fetched or written it meanwhile.
      if (node.content || !node.stored) continue;
      const content = fetched.get(node.stored.hash);
      if (content) {
        node.content = content;
        this.#use(node);
      } else if (nodes.includes(node)) throw missing();
    }
  }

  async #asked(hashes: readonly Hash[]): Promise<Map<Hash, Uint8Array>> {
    const wanted = [...new Set(hashes)].filter((hash) => !this.#fetches.has(hash));
    if (wanted.length > 0) {
      const answer = this.#ask(wanted);
      for (const [index, hash] of wanted.entries()) {
        const one = answer.then((contents) => contents[index] ?? null);
        const done = () => void this.#fetches.delete(hash);
        one.then(done, done);
        this.#fetches.set(hash, one);
      }
    }
    const found = await Promise.all(
      [...new Set(hashes)].map(async (hash) => [hash, await this.#fetches.get(hash)] as const),
    );
    return new Map(found.flatMap(([hash, content]) => (content ? [[hash, content]] : [])));
  }

  #use(node: FileNode): void {
    const before = this.#here.get(node) ?? 0;
    this.#here.delete(node);
    this.#here.set(node, lengthOf(node));
    this.#bytes += lengthOf(node) - before;
    if (this.#bytes <= this.#limit || this.#isSweepDue) return;
    this.#isSweepDue = true;
    this.#timer.after(0, () => this.#sweep());
  }

  #sweep(): void {
    this.#isSweepDue = false;
    for (const [node, bytes] of this.#here) {
      if (this.#bytes <= this.#limit) return;
      if (this.#isOpen(node)) continue;
      this.#here.delete(node);
      this.#bytes -= bytes;
      // A file that was written since then is not stored yet. It comes back here once it is.
      if (node.stored) Object.assign(node, { content: null, buffer: undefined });
    }
  }
}

function missing(): FsError {
  return new FsError(
    'EIO',
    '',
    'its content is missing from the storage of the app; install the packages again',
  );
}
