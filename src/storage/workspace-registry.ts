import { FaultError, type Fault } from '../base/fault.ts';
import type { WorkspaceChange, WorkspaceRecord, WorkspaceRegistry } from '../workspace/registry.ts';
import type { Database } from './database.ts';
import { checked, workspaceSchema } from './records.ts';
import { takenWorkspace, unknownWorkspace, withChange } from './registry-rules.ts';

/** Workspaces in IndexedDB. `removeSessions` removes the sessions of a workspace for good. */
export class IdbWorkspaceRegistry implements WorkspaceRegistry {
  readonly #database: Database;
  readonly #removeSessions: (workspaceID: string) => Promise<void>;
  readonly #onProblem: (fault: Fault) => void;

  constructor(
    database: Database,
    removeSessions: (workspaceID: string) => Promise<void>,
    onProblem: (fault: Fault) => void,
  ) {
    this.#database = database;
    this.#removeSessions = removeSessions;
    this.#onProblem = onProblem;
  }

  async list(): Promise<readonly WorkspaceRecord[]> {
    const workspaces = (await this.#all()).filter(({ deleted }) => deleted === null);
    return workspaces.sort((a, b) => b.updated - a.updated);
  }

  async get(id: string): Promise<WorkspaceRecord | undefined> {
    const row = await this.#database.run(['workspaces'], 'readonly', (tx) =>
      tx.objectStore('workspaces').get(id),
    );
    return row && checked(workspaceSchema, row, 'workspaces', id);
  }

  async create(workspace: WorkspaceRecord): Promise<void> {
    await this.#database.run(['workspaces'], 'readwrite', async (tx) => {
      const store = tx.objectStore('workspaces');
      if ((await store.getKey(workspace.id)) !== undefined) throw takenWorkspace(workspace.id);
      await store.put(workspace);
    });
  }

  async update(id: string, change: WorkspaceChange): Promise<WorkspaceRecord> {
    return this.#database.run(['workspaces'], 'readwrite', async (tx) => {
      const store = tx.objectStore('workspaces');
      const workspace = withChange(await store.get(id), id, change);
      await store.put(workspace);
      return workspace;
    });
  }

  async markDeleted(id: string, time: number | null): Promise<void> {
    await this.#database.run(['workspaces'], 'readwrite', async (tx) => {
      const stored = await tx.objectStore('workspaces').get(id);
      if (stored) await tx.objectStore('workspaces').put({ ...stored, deleted: time });
    });
  }

  async copy(from: string, workspace: WorkspaceRecord): Promise<void> {
    const { ownerOf } = await import('./tree-contents.ts');
    await this.#database.run(['workspaces', 'files', 'owners'], 'readwrite', async (tx) => {
      const store = tx.objectStore('workspaces');
      if ((await store.getKey(from)) === undefined) throw unknownWorkspace(from);
      if ((await store.getKey(workspace.id)) !== undefined) throw takenWorkspace(workspace.id);
      await store.put(workspace);
      const files = tx.objectStore('files');
      // Keeps only one layer in memory at a time.
      for (const key of await files.index('workspace').getAllKeys(from)) {
        const layer = await files.get(key);
        if (layer) await files.add({ ...layer, workspaceID: workspace.id });
      }
      const owners = tx.objectStore('owners');
      const owned = await owners.index('owner').getAllKeys(ownerOf(from));
      await Promise.all(owned.map(([hash]) => owners.put({ hash, owner: ownerOf(workspace.id) })));
    });
  }

  async purge(deletedBefore: number): Promise<void> {
    for (const { id, deleted } of await this.#all())
      if (deleted !== null && deleted < deletedBefore) await this.#remove(id);
  }

  /** Removes the record last, so that the next purge continues one that was interrupted. */
  async #remove(id: string): Promise<void> {
    await this.#removeSessions(id);
    const { ownerOf, releaseOwned } = await import('./tree-contents.ts');
    await releaseOwned(this.#database, ownerOf(id));
    await this.#database.run(['workspaces', 'files', 'rules'], 'readwrite', async (tx) => {
      const files = tx.objectStore('files');
      const rules = tx.objectStore('rules');
      const [layers, saved] = await Promise.all([
        files.index('workspace').getAllKeys(id),
        rules.index('workspace').getAllKeys(id),
      ]);
      await Promise.all([
        ...layers.map((key) => files.delete(key)),
        ...saved.map((key) => rules.delete(key)),
        tx.objectStore('workspaces').delete(id),
      ]);
    });
  }

  async #all(): Promise<WorkspaceRecord[]> {
    const rows = await this.#database.run(['workspaces'], 'readonly', (tx) =>
      tx.objectStore('workspaces').getAll(),
    );
    return rows.flatMap((row) => {
      try {
        return [checked(workspaceSchema, row, 'workspaces', row.id)];
      } catch (error) {
        if (!(error instanceof FaultError)) throw error;
        this.#onProblem(error.fault);
        return [];
      }
    });
  }
}
