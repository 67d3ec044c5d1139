import { folderOf } from './nodes.ts';
import { isInside } from '../../src/protocol/paths.ts';
import type { FileChange } from '../../src/protocol/workspace-values.ts';

interface Watch {
  /** The real path. */
  readonly path: string;
  readonly recursive: boolean;
}

interface Watcher {
  changed(watch: number, path: string, change: FileChange['change'], isWritten: boolean): void;
}

/** Tells node processes about changes in the paths that they watch. */
export class NodeWatches {
  readonly #watches = new Map<object, { readonly worker: Watcher; readonly own: Map<number, Watch> }>();

  add(worker: Watcher, id: number, watch: Watch): void {
    const entry = this.#watches.get(worker) ?? { worker, own: new Map<number, Watch>() };
    entry.own.set(id, watch);
    this.#watches.set(worker, entry);
  }

  remove(worker: Watcher, id: number): void {
    this.#watches.get(worker)?.own.delete(id);
  }

  drop(worker: object): void {
    this.#watches.delete(worker);
  }

  note(path: string, change: FileChange['change'], isWritten: boolean): void {
    for (const { worker, own } of this.#watches.values())
      for (const [id, watch] of own)
        if (
          path === watch.path ||
          (watch.recursive ? isInside(path, watch.path) : folderOf(path) === watch.path)
        )
          worker.changed(id, path, change, isWritten);
  }
}
