import type { Manifest, Permission } from '../manifest.ts';

const permission: Permission = {
  id: 'task',
  // A sub-agent asks for its own calls.
  rules: { '*': 'allow' },
  question: 'give work to a sub-agent',
  label: 'Give work to sub-agents',
};

const common = { effect: 'session', permission } as const;

export const startManifest: Manifest = { id: 'task', ...common };
export const backgroundManifest: Manifest = { id: 'background_task', ...common };
export const outputManifest: Manifest = { id: 'background_output', ...common };
export const cancelManifest: Manifest = { id: 'background_cancel', ...common };
