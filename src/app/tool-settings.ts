import * as z from 'zod/mini';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import type { AppTools, ToolSwitch } from '../ui/app.ts';

const SETTING = 'tools';
const storedSchema = z.object({ switches: z.record(z.string(), z.boolean()) });

/** The switch for reporting diagnostics with the result of a change. */
export const AFTER_CHANGES = 'lsp.after_changes';

/** Every switch and its default. */
export const SWITCHES: readonly ToolSwitch[] = [
  { name: 'experimental.batch_tool', on: true },
  { name: 'experimental.lsp_tool', on: true },
  { name: AFTER_CHANGES, on: true },
];

/** The settings of which optional tools are on. */
export class ToolSettings implements AppTools {
  readonly #settings: SettingsStore;
  readonly #changed = new Listeners<void>();
  #set: Readonly<Record<string, boolean>> = {};

  constructor(settings: SettingsStore) {
    this.#settings = settings;
  }

  async load(): Promise<void> {
    const stored = storedSchema.safeParse(await this.#settings.get(SETTING));
    if (stored.success) this.#set = stored.data.switches;
    this.#changed.emit();
  }

  switches(): readonly ToolSwitch[] {
    return SWITCHES.map(({ name, on }) => ({ name, on: this.#set[name] ?? on }));
  }

  /** Returns the names of the switches that are on. */
  flags(): ReadonlySet<string> {
    return new Set(this.switches().flatMap(({ name, on }) => (on ? name : [])));
  }

  async setSwitch(name: string, on: boolean): Promise<void> {
    this.#set = { ...this.#set, [name]: on };
    this.#changed.emit();
    await this.#settings.set(SETTING, { switches: this.#set });
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}
