import type { Fault } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Storage } from '../storage/storage.ts';
import type { AppStorage } from '../ui/app.ts';

/** The state of storage that the person must know: whether anything survives this tab, and what is wrong. */
export class StorageNotice implements AppStorage {
  readonly #changed = new Listeners<void>();
  #storage: Storage | undefined;
  /** Maps the source of each problem to the problem, oldest first. */
  readonly #problems = new Map<object, Fault>();

  /** True until storage is opened in memory only. */
  get persistent(): boolean {
    return this.#storage?.persistent ?? true;
  }

  get problem(): Fault | null {
    const [first = null] = this.#problems.values();
    return first;
  }

  opened(storage: Storage): void {
    this.#storage = storage;
    this.#changed.emit();
  }

  /**
   * `null` means that the problem of `source` is over: the storage itself, or a session that writes to it. Other
   * sources may still have theirs.
   */
  tell(problem: Fault | null, source: object = this): void {
    if (problem) this.#problems.set(source, problem);
    else this.#problems.delete(source);
    this.#changed.emit();
  }

  async usage(): Promise<{ used: number; quota: number } | null> {
    return (await this.#storage?.usage()) ?? null;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}
