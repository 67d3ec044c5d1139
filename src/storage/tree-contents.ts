import type { Hash } from '../base/hash.ts';
import type { JournalChange, PackEntry } from '../protocol/journal.ts';
import { blobTables, releaseBlobs } from './blob-store.ts';
import type { Database, Transaction } from './database.ts';

/** How many contents are released in one transaction, because other writes wait for it. */
const RELEASED_AT_ONCE = 500;

/** The contents of the large trees of one workspace. Several workspaces own one content together. */
export class TreeContents {
  readonly #database: Database;
  readonly #owner: string;
  /** The hashes that were stored since a release began, which must not release them. Undefined while none runs. */
  #stored: Set<Hash> | undefined;

  constructor(database: Database, workspaceID: string) {
    this.#database = database;
    this.#owner = ownerOf(workspaceID);
  }

  /** Reads only what this workspace owns: a hash that it has from elsewhere opens nothing. */
  get(hashes: readonly Hash[]): Promise<(Uint8Array<ArrayBuffer> | undefined)[]> {
    return this.#database.run(['blobs', 'owners'], 'readonly', (tx) => {
      const [blobs, owners] = [tx.objectStore('blobs'), tx.objectStore('owners')];
      return Promise.all(
        hashes.map(async (hash) => {
          const [owned, row] = await Promise.all([owners.getKey([hash, this.#owner]), blobs.get(hash)]);
          return owned && row?.bytes;
        }),
      );
    });
  }

  /** Stores what these changes bring, within the transaction that stores their names. What is there already is not written again. */
  async put(
    tx: Transaction<['files', 'blobs', 'owners'], 'readwrite'>,
    changes: readonly JournalChange[],
  ): Promise<void> {
    const brought = broughtBy(changes);
    for (const hash of brought.keys()) this.#stored?.add(hash);
    const [blobs, owners] = [tx.objectStore('blobs'), tx.objectStore('owners')];
    await Promise.all(
      [...brought].map(async ([hash, bytes]) => {
        if ((await owners.getKey([hash, this.#owner])) !== undefined) return;
        await owners.put({ hash, owner: this.#owner });
        if ((await blobs.getKey(hash)) === undefined) await blobs.put({ hash, bytes });
      }),
    );
  }

  /** Releases what none of `entries` names. A killed tab leaves the rest for the next time. */
  async releaseOthers(entries: Iterable<PackEntry>): Promise<void> {
    const named = new Set<Hash>();
    for (const { stored } of entries) if (stored) named.add(stored.hash);
    this.#stored = new Set();
    try {
      const count = await this.#database.run(['owners'], 'readonly', (tx) =>
        tx.objectStore('owners').index('owner').count(this.#owner),
      );
      if (count > named.size)
        await releaseOwned(
          this.#database,
          this.#owner,
          (hash) => named.has(hash) || this.#stored?.has(hash) === true,
        );
    } finally {
      this.#stored = undefined;
    }
  }
}

/** The owner of a workspace's contents, beside the sessions, which own those of their snapshots. */
export function ownerOf(workspaceID: string): string {
  return `files:${workspaceID}`;
}

/** Releases what an owner has, apart from what is kept, some at a time. */
export async function releaseOwned(
  database: Database,
  owner: string,
  isKept: (hash: Hash) => boolean = () => false,
): Promise<void> {
  const keys = await database.run(['owners'], 'readonly', (tx) =>
    tx.objectStore('owners').index('owner').getAllKeys(owner),
  );
  const hashes = keys.map(([hash]) => hash).filter((hash) => !isKept(hash));
  for (let at = 0; at < hashes.length; at += RELEASED_AT_ONCE)
    await database.run(['blobs', 'owners'], 'readwrite', (tx) =>
      releaseBlobs(
        blobTables(tx),
        owner,
        hashes.slice(at, at + RELEASED_AT_ONCE).filter((hash) => !isKept(hash)),
      ),
    );
}

function broughtBy(changes: readonly JournalChange[]): Map<Hash, Uint8Array<ArrayBuffer>> {
  const brought = new Map<Hash, Uint8Array<ArrayBuffer>>();
  for (const change of changes)
    if (change.op === 'put' && change.node.stored && change.bytes.byteLength > 0)
      brought.set(change.node.stored.hash, change.bytes);
  return brought;
}
