import * as z from 'zod/mini';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import type { AppConversations, ConversationHelp } from '../ui/app.ts';

const SETTING = 'conversations';
const storedSchema = z.object({ titles: z.boolean(), summaries: z.boolean() });

/** Settings of the requests that the app makes for a conversation besides its turns, such as titles and summaries. */
export class ConversationSettings implements AppConversations {
  readonly #settings: SettingsStore;
  readonly #changed = new Listeners<void>();
  #stored: ConversationHelp = { titles: true, summaries: true };

  constructor(settings: SettingsStore) {
    this.#settings = settings;
  }

  async load(): Promise<void> {
    const stored = storedSchema.safeParse(await this.#settings.get(SETTING));
    if (stored.success) this.#stored = stored.data;
    this.#changed.emit();
  }

  current(): ConversationHelp {
    return this.#stored;
  }

  async set(change: Partial<ConversationHelp>): Promise<void> {
    this.#stored = { ...this.#stored, ...change };
    this.#changed.emit();
    await this.#settings.set(SETTING, { ...this.#stored });
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}
