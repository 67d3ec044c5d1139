import type { WorkspaceChange, WorkspaceRecord, WorkspaceRegistry } from '../../workspace/registry.ts';
import { takenWorkspace, unknownWorkspace, withChange } from '../registry-rules.ts';
import { MemoryFileJournal } from './journal.ts';

/** Workspaces and their files in memory. `removeRest` removes the rules and sessions of a purged workspace. */
export class MemoryWorkspaceRegistry implements WorkspaceRegistry {
  readonly #workspaces = new Map<string, WorkspaceRecord>();
  readonly #journals = new Map<string, MemoryFileJournal>();
  readonly #removeRest: (workspaceID: string) => Promise<void>;

  constructor(removeRest: (workspaceID: string) => Promise<void>) {
    this.#removeRest = removeRest;
  }

  /** Returns the same journal for every call with the same id. */
  journal(id: string): MemoryFileJournal {
    const journal = this.#journals.get(id) ?? new MemoryFileJournal();
    this.#journals.set(id, journal);
    return journal;
  }

  async list(): Promise<readonly WorkspaceRecord[]> {
    return [...this.#workspaces.values()]
      .filter(({ deleted }) => deleted === null)
      .sort((a, b) => b.updated - a.updated);
  }

  async get(id: string): Promise<WorkspaceRecord | undefined> {
    return this.#workspaces.get(id);
  }

  async create(workspace: WorkspaceRecord): Promise<void> {
    if (this.#workspaces.has(workspace.id)) throw takenWorkspace(workspace.id);
    this.#workspaces.set(workspace.id, { ...workspace });
  }

  async update(id: string, change: WorkspaceChange): Promise<WorkspaceRecord> {
    const workspace = withChange(this.#workspaces.get(id), id, change);
    this.#workspaces.set(id, workspace);
    return workspace;
  }

  async markDeleted(id: string, time: number | null): Promise<void> {
    const stored = this.#workspaces.get(id);
    if (stored) this.#workspaces.set(id, { ...stored, deleted: time });
  }

  async copy(from: string, workspace: WorkspaceRecord): Promise<void> {
    if (!this.#workspaces.has(from)) throw unknownWorkspace(from);
    await this.create(workspace);
    this.#journals.set(workspace.id, this.journal(from).copy());
  }

  async purge(deletedBefore: number): Promise<void> {
    for (const { id, deleted } of [...this.#workspaces.values()]) {
      if (deleted === null || deleted >= deletedBefore) continue;
      await this.#removeRest(id);
      this.#journals.delete(id);
      this.#workspaces.delete(id);
    }
  }
}
