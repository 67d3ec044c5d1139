import * as z from 'zod';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';

const SETTING = 'containers';
const storedSchema = z.object({ allowed: z.boolean(), key: z.string() });

export interface ContainerChoice {
  /** StackBlitz may be asked for a container. */
  readonly allowed: boolean;
  /** Names the site to StackBlitz; not a secret, it stands in an address. Empty: none. */
  readonly key: string;
}

/** Whether, and under which name, this page gets WebContainers. */
export class ContainerSettings {
  readonly #settings: SettingsStore;
  readonly #changed = new Listeners<void>();
  #choice: ContainerChoice = { allowed: true, key: '' };

  constructor(settings: SettingsStore) {
    this.#settings = settings;
  }

  async load(): Promise<void> {
    const stored = storedSchema.safeParse(await this.#settings.get(SETTING));
    if (stored.success) this.#choice = stored.data;
    this.#changed.emit();
  }

  current(): ContainerChoice {
    return this.#choice;
  }

  async set(change: Partial<ContainerChoice>): Promise<void> {
    this.#choice = { ...this.#choice, ...change };
    this.#changed.emit();
    await this.#settings.set(SETTING, { ...this.#choice });
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}
