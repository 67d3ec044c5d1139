import { browserPreferences, type Preferences } from './preferences.ts';

/** The keys that the person gave to commands on this device, by the commands' ids. */
export class OwnKeys {
  readonly #preferences: Preferences;
  #keys = $state.raw<Readonly<Record<string, string>>>({});

  constructor(preferences: Preferences) {
    this.#preferences = preferences;
    this.#keys = read(preferences.get('keys'));
  }

  /** `undefined` where the command has its usual keys, an empty text where it has none any more. */
  get(id: string): string | undefined {
    return Object.hasOwn(this.#keys, id) ? this.#keys[id] : undefined;
  }

  get isEmpty(): boolean {
    return Object.keys(this.#keys).length === 0;
  }

  /** `undefined` gives the command its usual keys again. */
  set(id: string, keys: string | undefined): void {
    const { [id]: _, ...others } = this.#keys;
    this.#keep(keys === undefined ? others : { ...others, [id]: keys });
  }

  clear(): void {
    this.#keep({});
  }

  #keep(keys: Readonly<Record<string, string>>): void {
    this.#keys = keys;
    this.#preferences.set('keys', JSON.stringify(keys));
  }
}

function read(text: string | null): Readonly<Record<string, string>> {
  try {
    const found: unknown = JSON.parse(text ?? '{}');
    if (typeof found !== 'object' || found === null) return {};
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    // Whoever wrote this was not the page. The usual keys hold.
    return {};
  }
}

export const ownKeys = new OwnKeys(browserPreferences());
