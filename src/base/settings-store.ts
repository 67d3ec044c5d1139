import type { Json } from './json.ts';
import type { Unlisten } from './listeners.ts';

/**
 * A few settings by name, each one JSON value. Whoever owns a name parses what it gets: another version of the app
 * may have written it. Implementations: IndexedDB, memory.
 */
export interface SettingsStore {
  get(name: string): Promise<Json | undefined>;
  /** Resolves when it is stored. */
  set(name: string, value: Json): Promise<void>;
  remove(name: string): Promise<void>;
  /** The name of a setting that this tab has set or removed. */
  onChange(listener: (name: string) => void): Unlisten;
}
