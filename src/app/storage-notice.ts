import type { Fault } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Storage } from '../storage/storage.ts';
import type { AppStorage } from '../ui/app.ts';

/** What the person must know of storage: whether anything survives this tab, and what is wrong with it. */
export class StorageNotice implements AppStorage {
  readonly #changed = new Listeners<void>();
  #storage: Storage | undefined;
  #problem: Fault | null = null;

  /** Until told otherwise, everything is as it should be. */
  get persistent(): boolean {
    return this.#storage?.persistent ?? true;
  }

  get problem(): Fault | null {
    return this.#problem;
  }

  opened(storage: Storage): void {
    this.#storage = storage;
    this.#changed.emit();
  }

  /** `null`: it is mended. */
  tell(problem: Fault | null): void {
    this.#problem = problem;
    this.#changed.emit();
  }

  async usage(): Promise<{ used: number; quota: number } | null> {
    return (await this.#storage?.usage()) ?? null;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}
