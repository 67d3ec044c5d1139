import { editPermission } from '../edit/manifest.ts';
import type { Manifest } from '../manifest.ts';

export const applyPatchManifest: Manifest = {
  id: 'apply_patch',
  effect: 'changes',
  permission: editPermission,
};
