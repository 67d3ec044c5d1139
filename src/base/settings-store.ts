import type { Json } from './json.ts';
import type { Unlisten } from './listeners.ts';

/**
 * A few settings by name, each one JSON value. The owner of a name must parse the value, since another version of the
 * app may have written it. Implementations: IndexedDB, memory.
 */
export interface SettingsStore {
  get(name: string): Promise<Json | undefined>;
  /** Resolves when it is stored. */
  set(name: string, value: Json): Promise<void>;
  remove(name: string): Promise<void>;
  /** Called with the name of each setting that this tab sets or removes. */
  onChange(listener: (name: string) => void): Unlisten;
}
