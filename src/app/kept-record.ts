import * as z from 'zod';
import type { Json } from '../base/json.ts';
import type { SettingsStore } from '../base/settings-store.ts';

/**
 * One setting that holds a value by key. Another tab may write other keys of it: each change is made to what is stored
 * then, so that neither tab takes back what the other did.
 */
export class KeptRecord<T extends Json> {
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
    return new KeptRecord(settings, name, schema, valid(await stored(settings, name), schema));
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  entries(): readonly (readonly [string, T])[] {
    return [...this.#values];
  }

  /** `null` takes it out. Known at once; resolves when it is stored. */
  set(key: string, value: T | null): Promise<void> {
    if (value === null) this.#values.delete(key);
    else this.#values.set(key, value);
    const write = this.#last.then(() => this.#write(key, value));
    this.#last = write.catch(() => undefined);
    return write;
  }

  async #write(key: string, value: T | null): Promise<void> {
    // What another version wrote is not understood here, and is kept as it is.
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
