import * as z from 'zod/mini';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';

const SETTING = 'containers';
const storedSchema = z.object({ allowed: z.boolean(), key: z.string() });

export interface ContainerChoice {
  /** Whether StackBlitz may be asked for a container. */
  readonly allowed: boolean;
  /** Whether the owner of this site has switched containers off, whatever the person's settings say. */
  readonly offBySite: boolean;
  /**
   * The key that identifies the site to StackBlitz. It is part of an address and not a secret. Empty if there is
   * none.
   */
  readonly key: string;
}

/** Whether the page's owner has switched WebContainers off, in the head of index.html (docs/hosting.md). */
export function containersOffBySite(page: Document): boolean {
  const meta = page.querySelector<HTMLMetaElement>('meta[name="vitrine-webcontainers"]');
  return meta?.content.trim().toLowerCase() === 'off';
}

/** The settings of whether, and with which key, this page gets WebContainers. */
export class ContainerSettings {
  readonly #settings: SettingsStore;
  readonly #changed = new Listeners<void>();
  readonly #offBySite: boolean;
  #stored = { allowed: true, key: '' };

  constructor(settings: SettingsStore, offBySite: boolean) {
    this.#settings = settings;
    this.#offBySite = offBySite;
  }

  async load(): Promise<void> {
    const stored = storedSchema.safeParse(await this.#settings.get(SETTING));
    if (stored.success) this.#stored = stored.data;
    this.#changed.emit();
  }

  current(): ContainerChoice {
    const { allowed, key } = this.#stored;
    return { allowed: allowed && !this.#offBySite, offBySite: this.#offBySite, key };
  }

  async set(change: { readonly allowed?: boolean; readonly key?: string }): Promise<void> {
    this.#stored = { ...this.#stored, ...change };
    this.#changed.emit();
    await this.#settings.set(SETTING, { ...this.#stored });
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}
