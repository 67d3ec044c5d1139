import type { Fault } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Storage } from '../storage/storage.ts';
import type { AppStorage } from '../ui/app.ts';

/** What the person must know of storage: whether anything survives this tab, and what is wrong with it. */
export class StorageNotice implements AppStorage {
  readonly #changed = new Listeners<void>();
  #storage: Storage | undefined;
  /** By who has it, the oldest first. */
  readonly #problems = new Map<object, Fault>();

  /** Until told otherwise, everything is as it should be. */
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

  /** `null`: it is mended for `source`, the storage itself or one that writes to it; for others it may not be. */
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
