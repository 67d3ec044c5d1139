import type { Hash } from '../base/hash.ts';
import type { Blob, BlobStore } from '../session/log/store.ts';
import type { Database, Transaction } from './database.ts';
import type { BlobRow, OwnerRow } from './schema.ts';
import type { Rows } from './rows.ts';

/** Contents by their hash; each is kept as long as it has an owner. */
export class IdbBlobStore implements BlobStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async get(hash: Hash): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const row = await this.#database.run(['blobs'], 'readonly', (tx) => tx.objectStore('blobs').get(hash));
    return row?.bytes;
  }

  missing(hashes: readonly Hash[]): Promise<readonly Hash[]> {
    return this.#database.run(['blobs'], 'readonly', (tx) => absent(tx.objectStore('blobs'), hashes));
  }

  put(owner: string, blobs: readonly Blob[]): Promise<void> {
    return this.#database.run(['blobs', 'owners'], 'readwrite', (tx) =>
      putBlobs(blobTables(tx), owner, blobs),
    );
  }

  retain(owner: string, hashes: readonly Hash[]): Promise<readonly Hash[]> {
    return this.#database.run(['blobs', 'owners'], 'readwrite', async (tx) => {
      const missing = await absent(tx.objectStore('blobs'), hashes);
      await ownBlobs(
        tx.objectStore('owners'),
        owner,
        hashes.filter((hash) => !missing.includes(hash)),
      );
      return missing;
    });
  }

  release(owner: string, hashes: readonly Hash[]): Promise<void> {
    return this.#database.run(['blobs', 'owners'], 'readwrite', (tx) =>
      releaseBlobs(blobTables(tx), owner, hashes),
    );
  }

  releaseOwner(owner: string): Promise<void> {
    return this.#database.run(['blobs', 'owners'], 'readwrite', (tx) => releaseOwner(blobTables(tx), owner));
  }
}

/** The two stores of blobs, within any transaction that includes them. */
export interface BlobTables {
  readonly blobs: Rows<Hash, BlobRow>;
  readonly owners: Owners;
}

type Owners = Rows<[Hash, string], OwnerRow> & {
  index(name: 'owner'): { getAllKeys(owner: string): Promise<[Hash, string][]> };
};

/** Writes without reading first: the same content rarely comes twice, and a read would slow down every write. */
async function putBlobs(tables: BlobTables, owner: string, blobs: readonly Blob[]): Promise<void> {
  const hashes = blobs.map(({ hash }) => hash);
  await Promise.all([
    ...blobs.map(({ hash, bytes }) => tables.blobs.put({ hash, bytes })),
    ownBlobs(tables.owners, owner, hashes),
  ]);
}

/** Also accepts hashes of blobs that are not stored yet; they are owned as soon as they are stored. */
async function ownBlobs(owners: Owners, owner: string, hashes: readonly Hash[]): Promise<void> {
  await Promise.all([...new Set(hashes)].map((hash) => owners.put({ hash, owner })));
}

export async function releaseBlobs(
  { blobs, owners }: BlobTables,
  owner: string,
  hashes: readonly Hash[],
): Promise<void> {
  await Promise.all(
    hashes.map(async (hash) => {
      await owners.delete([hash, owner]);
      if ((await owners.count(IDBKeyRange.bound([hash], [hash, []]))) === 0) await blobs.delete(hash);
    }),
  );
}

export async function releaseOwner(tables: BlobTables, owner: string): Promise<void> {
  const keys = await tables.owners.index('owner').getAllKeys(owner);
  await releaseBlobs(
    tables,
    owner,
    keys.map(([hash]) => hash),
  );
}

async function absent(blobs: Pick<Rows<Hash, BlobRow>, 'getKey'>, hashes: readonly Hash[]): Promise<Hash[]> {
  const keys = await Promise.all(hashes.map((hash) => blobs.getKey(hash)));
  return hashes.filter((_, index) => keys[index] === undefined);
}

export function blobTables(tx: Transaction<['blobs', 'owners'], 'readwrite'>): BlobTables {
  return { blobs: tx.objectStore('blobs'), owners: tx.objectStore('owners') };
}
