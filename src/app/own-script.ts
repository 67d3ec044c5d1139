import { parseScript, type Script } from '../models/script/schema.ts';
import type { SettingsStore } from '../base/settings-store.ts';

const SETTING = 'script';

/** The script that the person entered in Settings, as it was written. */
export class OwnScript {
  readonly #settings: SettingsStore;
  #text: string;
  #script: Script | undefined;

  private constructor(settings: SettingsStore, text: string) {
    this.#settings = settings;
    this.#text = text;
  }

  static async open(settings: SettingsStore): Promise<OwnScript> {
    const stored: unknown = await settings.get(SETTING);
    return new OwnScript(settings, typeof stored === 'string' ? stored : '');
  }

  get text(): string {
    return this.#text;
  }

  /** Returns the same object each time, so that a model continues where it was; `undefined` if there is none. */
  get script(): Script | undefined {
    if (this.#text !== '') this.#script ??= parseScript(this.#text);
    return this.#script;
  }

  /** Rejects with a fault that names each invalid field, and then keeps the previous script. */
  async set(text: string): Promise<Script> {
    const script = parseScript(text);
    await this.#settings.set(SETTING, text);
    this.#text = text;
    this.#script = script;
    return script;
  }
}
