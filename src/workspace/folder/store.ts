import type { Base } from './connected-folder.ts';

/** A folder of the disk that the person connected with a workspace. */
export interface FolderRecord {
  readonly handle: FileSystemDirectoryHandle;
  /** The files as the folder and the workspace held them when they were last equal. */
  readonly base: Base;
}

/** Remembers which folder belongs to which workspace. */
export interface FolderStore {
  get(workspaceID: string): Promise<FolderRecord | undefined>;
  put(workspaceID: string, record: FolderRecord): Promise<void>;
  remove(workspaceID: string): Promise<void>;
}
