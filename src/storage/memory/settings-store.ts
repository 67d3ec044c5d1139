import type { Json } from '../../base/json.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { SettingsStore } from '../../base/settings-store.ts';

export class MemorySettingsStore implements SettingsStore {
  readonly #values = new Map<string, Json>();
  readonly #changes = new Listeners<string>();

  async get(name: string): Promise<Json | undefined> {
    return this.#values.get(name);
  }

  async set(name: string, value: Json): Promise<void> {
    this.#values.set(name, structuredClone(value));
    this.#changes.emit(name);
  }

  async remove(name: string): Promise<void> {
    this.#values.delete(name);
    this.#changes.emit(name);
  }

  onChange(listener: (name: string) => void): Unlisten {
    return this.#changes.add(listener);
  }
}
