import * as z from 'zod';
import type { Json } from '../base/json.ts';
import type { SettingsStore } from '../base/settings-store.ts';

/**
 * One setting that stores values by key. Other tabs may write other keys, so each change is applied to what is stored
 * at that moment and no tab reverts another's change.
 */
export class StoredRecord<T extends Json> {
  readonly #settings: SettingsStore;
  readonly #name: string;
  readonly #schema: z.ZodType<T>;
  #values: Map<string, T>;
  #last: Promise<void> = Promise.resolve();

  private constructor(settings: SettingsStore, name: string, schema: z.ZodType<T>, values: Map<string, T>) {
    this.#settings = settings;
    this.#name = name;
    this.#schema = schema;
    this.#values = values;
  }

  static async open<T extends Json>(settings: SettingsStore, name: string, schema: z.ZodType<T>) {
    return new StoredRecord(settings, name, schema, valid(await stored(settings, name), schema));
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  entries(): readonly (readonly [string, T])[] {
    return [...this.#values];
  }

  /** `null` removes the key. The change is visible at once; resolves when it is stored. */
  set(key: string, value: T | null): Promise<void> {
    if (value === null) this.#values.delete(key);
    else this.#values.set(key, value);
    const write = this.#last.then(() => this.#write(key, value));
    this.#last = write.catch(() => undefined);
    return write;
  }

  async #write(key: string, value: T | null): Promise<void> {
    // Entries of another version may not parse here; they are kept unchanged.
    const all = await stored(this.#settings, this.#name);
    if (value === null) all.delete(key);
    else all.set(key, value);
    await this.#settings.set(this.#name, Object.fromEntries(all));
    for (const [other, known] of valid(all, this.#schema))
      if (!this.#values.has(other) && other !== key) this.#values.set(other, known);
  }
}

const recordSchema = z.record(z.string(), z.json());

async function stored(settings: SettingsStore, name: string): Promise<Map<string, Json>> {
  return new Map(Object.entries(recordSchema.safeParse(await settings.get(name)).data ?? {}));
}

function valid<T>(all: ReadonlyMap<string, Json>, schema: z.ZodType<T>): Map<string, T> {
  return new Map(
    [...all].flatMap(([key, value]): [string, T][] => {
      const parsed = schema.safeParse(value);
      return parsed.success ? [[key, parsed.data]] : [];
    }),
  );
}
