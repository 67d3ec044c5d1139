import { editPermission } from '../edit/manifest.ts';
import type { Manifest } from '../manifest.ts';

export const writeManifest: Manifest = {
  id: 'write',
  effect: 'changes',
  permission: editPermission,
};
