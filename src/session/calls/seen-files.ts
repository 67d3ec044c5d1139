import type { Hash } from '../../base/hash.ts';
import type { ReadRegistry } from '../../tools/tool.ts';

/** Lives as long as the session is open: after a reload, files must be read again before they are changed. */
export class SeenFiles implements ReadRegistry {
  readonly #seen = new Map<string, Hash>();

  seen(path: string): Hash | undefined {
    return this.#seen.get(path);
  }

  /** Files must be read again before they are changed. */
  forget(): void {
    this.#seen.clear();
  }

  record(path: string, hash: Hash): void {
    this.#seen.set(path, hash);
  }
}
