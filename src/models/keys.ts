import { Listeners, type Unlisten } from '../base/listeners.ts';

/** Stores keys by scope: for this tab, for this device, or in memory. Rejections carry a fault. */
export interface KeyPort {
  load(): Promise<Readonly<Record<string, string>>>;
  save(scope: string, key: string): Promise<void>;
  remove(scope: string): Promise<void>;
}

/** Keys shorter than this are not redacted, as they would match ordinary words. */
const SECRET_LENGTH = 8;

/**
 * Holds the API keys. They stay in this tab unless the person chooses to remember one on the device. A key is used
 * only for the requests it belongs to; it never gets into events, logs, exports or the automation interface.
 */
export class KeyStore {
  readonly #tab: KeyPort;
  readonly #device: KeyPort;
  readonly #keys = new Map<string, { readonly key: string; readonly remembered: boolean }>();
  /** Every key seen since the page was loaded: forgotten keys must be redacted as well. */
  readonly #secrets = new Set<string>();
  readonly #changed = new Listeners<void>();

  private constructor(tab: KeyPort, device: KeyPort) {
    this.#tab = tab;
    this.#device = device;
  }

  /** A port that cannot be read counts as empty. */
  static async open(tab: KeyPort, device: KeyPort): Promise<KeyStore> {
    const store = new KeyStore(tab, device);
    const [here, remembered] = await Promise.all([readOrNothing(tab), readOrNothing(device)]);
    for (const [scope, key] of Object.entries(remembered)) store.#hold(scope, key, true);
    for (const [scope, key] of Object.entries(here)) store.#hold(scope, key, false);
    return store;
  }

  get(scope: string): string | undefined {
    return this.#keys.get(scope)?.key;
  }

  isRemembered(scope: string): boolean {
    return this.#keys.get(scope)?.remembered ?? false;
  }

  /** Rejects when the key could not be stored; it is then usable until the page is closed. */
  async set(scope: string, key: string, options: { readonly remember: boolean }): Promise<void> {
    const text = key.trim();
    if (text === '') return await this.forget(scope);
    this.#hold(scope, text, options.remember);
    this.#changed.emit();
    const [into, outOf] = options.remember ? [this.#device, this.#tab] : [this.#tab, this.#device];
    // Removed first, so that a key is no longer remembered even if storing it for the tab fails.
    await outOf.remove(scope);
    await into.save(scope, text);
  }

  /** Tries every port, and rejects when one of them could not remove the key. */
  async forget(scope: string): Promise<void> {
    this.#keys.delete(scope);
    this.#changed.emit();
    const removed = await Promise.allSettled([this.#tab.remove(scope), this.#device.remove(scope)]);
    for (const result of removed) if (result.status === 'rejected') throw result.reason;
  }

  /** Replaces every key that this page has seen. */
  redact(text: string): string {
    let clean = text;
    // Longest first, because a key may be part of another one.
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length))
      for (const form of new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]))
        clean = clean.replaceAll(form, '[redacted key]');
    return clean;
  }

  /** Adds a secret to redact, such as one that is part of a key or derived from it. */
  conceal(secret: string): void {
    if (secret.length >= SECRET_LENGTH) this.#secrets.add(secret);
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  #hold(scope: string, key: string, remembered: boolean): void {
    this.#keys.set(scope, { key, remembered });
    this.conceal(key);
  }
}

/** Keys in memory only. */
export function memoryKeys(): KeyPort {
  const keys = new Map<string, string>();
  return {
    load: async () => Object.fromEntries(keys),
    save: async (scope, key) => void keys.set(scope, key),
    remove: async (scope) => void keys.delete(scope),
  };
}

const PREFIX = 'vitrine.key.';

/** `sessionStorage` for this tab, `localStorage` for this device. Rejects where the browser forbids it. */
export function webStorageKeys(storage: () => Storage): KeyPort {
  return {
    load: async () => {
      const keys: Record<string, string> = {};
      const store = storage();
      for (let index = 0; index < store.length; index++) {
        const name = store.key(index);
        const key = name?.startsWith(PREFIX) ? store.getItem(name) : null;
        if (name && key) keys[name.slice(PREFIX.length)] = key;
      }
      return keys;
    },
    save: async (scope, key) => storage().setItem(PREFIX + scope, key),
    remove: async (scope) => storage().removeItem(PREFIX + scope),
  };
}

async function readOrNothing(port: KeyPort): Promise<Readonly<Record<string, string>>> {
  try {
    return await port.load();
  } catch {
    return {};
  }
}
