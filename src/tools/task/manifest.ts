import type { Card, Manifest, Permission } from '../manifest.ts';

const permission: Permission = {
  id: 'task',
  // A sub-agent asks for its own calls.
  rules: { '*': 'allow' },
  question: 'give work to a sub-agent',
  label: 'Give work to sub-agents',
};

function taskManifest(id: string, verb: string, subject?: Card['subject']): Manifest {
  return { id, effect: 'session', permission, card: { verb, icon: 'bot', ...(subject && { subject }) } };
}

export const startManifest = taskManifest('task', 'Sub-agent', ['description']);
export const backgroundManifest = taskManifest('background_task', 'In background', ['description']);
export const outputManifest = taskManifest('background_output', 'Background work');
export const cancelManifest = taskManifest('background_cancel', 'Stop work');
