import type { Manifest, Permission } from '../manifest.ts';

/** Every tool that changes files asks for this permission. */
export const editPermission: Permission = {
  id: 'edit',
  rules: { '*': 'ask' },
  question: 'change a file',
  label: 'Change files',
  asksByDefault: 'Changes of files ask by default.',
  anything: 'changes to any file',
};

export const editManifest: Manifest = {
  id: 'edit',
  effect: 'changes',
  permission: editPermission,
};
