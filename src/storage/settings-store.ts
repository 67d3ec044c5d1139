import type { Json } from '../base/json.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import type { Database } from './database.ts';

/** Settings in IndexedDB. Values are returned as stored: the owner of the name parses them. */
export class IdbSettingsStore implements SettingsStore {
  readonly #database: Database;
  readonly #changes = new Listeners<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  get(name: string): Promise<Json | undefined> {
    return this.#database.run(['settings'], 'readonly', (tx) => tx.objectStore('settings').get(name));
  }

  async set(name: string, value: Json): Promise<void> {
    await this.#database.run(['settings'], 'readwrite', (tx) => tx.objectStore('settings').put(value, name));
    this.#changes.emit(name);
  }

  async remove(name: string): Promise<void> {
    await this.#database.run(['settings'], 'readwrite', (tx) => tx.objectStore('settings').delete(name));
    this.#changes.emit(name);
  }

  onChange(listener: (name: string) => void): Unlisten {
    return this.#changes.add(listener);
  }
}
