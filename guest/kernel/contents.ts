import type { Hash } from '../../src/base/hash.ts';
import { FsError } from './errors.ts';
import { lengthOf, type FileNode } from './nodes.ts';

/** How many bytes of what is stored apart are kept in memory, beside files that are open. */
const MAX_BYTES = 32_000_000;

type Ask = (hashes: readonly Hash[]) => Promise<readonly (Uint8Array | null)[]>;

/**
 * The contents that the app stores apart from the tree. Those used last are in memory, any other is fetched when a file is
 * opened. Only an answer to the app or the end of a task removes one, so that an operation never loses what it waited for.
 */
export class Contents {
  readonly #ask: Ask;
  readonly #isOpen: (node: FileNode) => boolean;
  readonly #limit: number;
  /** The files whose content is in memory, the one used last at the end. */
  readonly #here = new Map<FileNode, number>();
  #bytes = 0;
  #isSweeping = false;
  readonly #fetches = new Map<Hash, Promise<Uint8Array | null>>();

  constructor(ask: Ask, isOpen: (node: FileNode) => boolean, limit = MAX_BYTES) {
    this.#ask = ask;
    this.#isOpen = isOpen;
    this.#limit = limit;
  }

  /** Notes that the content of a file is stored and may leave memory. */
  stored(node: FileNode): void {
    this.#use(node);
  }

  /** Fetches the contents of these files. Undefined where all of them are there. Rejects where one is missing. */
  fetch(nodes: readonly FileNode[]): Promise<void> | undefined {
    const away = nodes.filter((node) => {
      if (node.stored && node.content) this.#use(node);
      return node.content === null;
    });
    return away.length === 0 ? undefined : this.#fetchAll(away);
  }

  /** The contents of these files, without keeping them in the tree. */
  async read(nodes: readonly Pick<FileNode, 'content' | 'stored'>[]): Promise<Uint8Array[]> {
    const hashes = nodes.flatMap(({ content, stored }) => (!content && stored ? stored.hash : []));
    const fetched = await this.#asked(hashes);
    return nodes.map(({ content, stored }) => {
      const found = content ?? (stored && fetched.get(stored.hash));
      if (!found) throw missing();
      return found;
    });
  }

  async #fetchAll(nodes: readonly FileNode[]): Promise<void> {
    const fetched = await this.#asked(nodes.flatMap(({ stored }) => stored?.hash ?? []));
    for (const node of nodes) {
      // Another call may have fetched or written it meanwhile.
      if (node.content || !node.stored) continue;
      const content = fetched.get(node.stored.hash);
      if (!content) throw missing();
      node.content = content;
      this.#use(node);
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
    if (this.#bytes <= this.#limit || this.#isSweeping) return;
    this.#isSweeping = true;
    setTimeout(() => this.#sweep());
  }

  #sweep(): void {
    this.#isSweeping = false;
    for (const [node, bytes] of this.#here) {
      if (this.#bytes <= this.#limit) return;
      if (this.#isOpen(node)) continue;
      this.#here.delete(node);
      this.#bytes -= bytes;
      // What was written since then is not stored yet, and comes back when it is.
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
