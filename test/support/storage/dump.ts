import { openDB } from 'idb';
import * as z from 'zod';

const keyPathSchema = z.union([z.string(), z.array(z.string())]);
const dumpSchema = z.object({
  version: z.int(),
  stores: z.record(
    z.string(),
    z.object({
      keyPath: keyPathSchema.nullable(),
      autoIncrement: z.boolean(),
      indexes: z.record(
        z.string(),
        z.object({ keyPath: keyPathSchema, multiEntry: z.boolean(), unique: z.boolean() }),
      ),
      rows: z.array(
        z.object({ key: z.union([z.string(), z.number(), z.array(z.any())]), value: z.unknown() }),
      ),
    }),
  ),
});
/** A whole database as JSON: how a released schema is kept, so that every later one can be held against it. */
export type Dump = z.infer<typeof dumpSchema>;

export async function dump(name: string): Promise<Dump> {
  const database = await openDB(name);
  const stores: Record<string, unknown> = {};
  for (const storeName of [...database.objectStoreNames].sort()) {
    const { store } = database.transaction(storeName);
    const indexes: Record<string, unknown> = {};
    for (const indexName of store.indexNames) {
      const { keyPath, multiEntry, unique } = store.index(indexName);
      indexes[indexName] = { keyPath, multiEntry, unique };
    }
    const { keyPath, autoIncrement } = store;
    const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
    const rows = keys.map((key, index) => ({ key, value: encode(values[index]) }));
    stores[storeName] = { keyPath, autoIncrement, indexes, rows };
  }
  const { version } = database;
  database.close();
  return dumpSchema.parse(JSON.parse(JSON.stringify({ version, stores })));
}

/** Makes the database anew exactly as it was dumped, without any of the app's own code. */
export async function restore(name: string, value: unknown): Promise<void> {
  const { version, stores } = dumpSchema.parse(value);
  const database = await openDB(name, version, {
    upgrade(upgraded) {
      for (const [storeName, { keyPath, autoIncrement, indexes }] of Object.entries(stores)) {
        const store = upgraded.createObjectStore(storeName, { keyPath, autoIncrement });
        for (const [indexName, index] of Object.entries(indexes))
          store.createIndex(indexName, index.keyPath, index);
      }
    },
  });
  for (const [storeName, { keyPath, rows }] of Object.entries(stores))
    for (const { key, value: row } of rows)
      await database.put(storeName, decode(row), keyPath === null ? key : undefined);
  database.close();
}

function encode(value: unknown): unknown {
  if (value instanceof Uint8Array) return { $bytes: [...value] };
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, encode(field)]));
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  if ('$bytes' in value) return Uint8Array.from(z.array(z.number()).parse(value.$bytes));
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, decode(field)]));
}
