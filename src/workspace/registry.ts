import type { WorkspaceKind } from './workspace.ts';

/** A stored workspace. Its files are in its journal, and its sessions refer to it. Times are milliseconds since the epoch. */
export interface WorkspaceRecord {
  readonly id: string;
  readonly name: string;
  readonly kind: WorkspaceKind;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number | null;
  /** Whether its files were ever changed. From then on its kind cannot change. */
  readonly touched: boolean;
}

export type WorkspaceChange = Partial<Pick<WorkspaceRecord, 'name' | 'kind' | 'updated' | 'touched'>>;

/** Implementations: IndexedDB, memory. Rejections carry a fault; `workspace-unknown` where there is no such id. */
export interface WorkspaceRegistry {
  /** The workspaces that are not deleted, most recently updated first. */
  list(): Promise<readonly WorkspaceRecord[]>;
  get(id: string): Promise<WorkspaceRecord | undefined>;
  /** Fault `workspace-exists` where the id is taken. */
  create(workspace: WorkspaceRecord): Promise<void>;
  /** Returns what is stored now. Fault `workspace-touched` for another kind after files were changed. */
  update(id: string, change: WorkspaceChange): Promise<WorkspaceRecord>;
  /** Marks a workspace as deleted (time) or restores it (null). Nothing is removed until `purge`. */
  markDeleted(id: string, time: number | null): Promise<void>;
  /** Creates `workspace` with the files of `from`, in one step. Rules and sessions are not copied. */
  copy(from: string, workspace: WorkspaceRecord): Promise<void>;
  /** Removes workspaces marked before this time with their files, rules and sessions. */
  purge(deletedBefore: number): Promise<void>;
}
