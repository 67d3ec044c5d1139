import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { FolderRecord, FolderStore } from '../workspace/folder/store.ts';

interface FolderSchema extends DBSchema {
  folders: { key: string; value: FolderRecord };
}

/**
 * Stores which folder belongs to which workspace. It is a database of its own: handles hold for this browser only, so
 * they are no part of what is exported, moved to memory or checked with the sessions.
 */
export class IdbFolderStore implements FolderStore {
  readonly #name: string;
  #opening: Promise<IDBPDatabase<FolderSchema>> | undefined;

  constructor(name = 'vitrine-folders') {
    this.#name = name;
  }

  async get(workspaceID: string): Promise<FolderRecord | undefined> {
    return (await this.#database()).get('folders', workspaceID);
  }

  async put(workspaceID: string, record: FolderRecord): Promise<void> {
    await (await this.#database()).put('folders', record, workspaceID);
  }

  async remove(workspaceID: string): Promise<void> {
    await (await this.#database()).delete('folders', workspaceID);
  }

  /** Forgets the folders of workspaces that do not exist. */
  async keepOnly(exists: (workspaceID: string) => Promise<boolean>): Promise<void> {
    const database = await this.#database();
    for (const id of await database.getAllKeys('folders'))
      if (!(await exists(id))) await database.delete('folders', id);
  }

  close(): void {
    void this.#opening?.then((database) => database.close());
    this.#opening = undefined;
  }

  #database(): Promise<IDBPDatabase<FolderSchema>> {
    this.#opening ??= openDB<FolderSchema>(this.#name, 1, {
      upgrade: (database) => void database.createObjectStore('folders'),
      // A newer version in another tab goes first; the next call opens this one again.
      blocking: () => this.close(),
      terminated: () => (this.#opening = undefined),
    });
    this.#opening.catch(() => (this.#opening = undefined));
    return this.#opening;
  }
}
