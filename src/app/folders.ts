import { IdbFolderStore } from '../storage/folder-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { FolderStore } from '../workspace/folder/store.ts';

/** Opens the store of connected folders, and forgets those whose workspaces are gone for good. */
export async function openFolders({ workspaces }: Pick<Storage, 'workspaces'>): Promise<FolderStore> {
  const folders = new IdbFolderStore();
  await folders.keepOnly(async (id) => (await workspaces.get(id)) !== undefined);
  return folders;
}
