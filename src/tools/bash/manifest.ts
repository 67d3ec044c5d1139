import type { Manifest } from '../manifest.ts';

export const bashManifest: Manifest = {
  id: 'bash',
  effect: 'runs',
  permission: {
    id: 'bash',
    rules: { '*': 'ask' },
    question: 'run a command',
    label: 'Run commands',
    asksByDefault: 'Commands ask by default.',
    anything: 'any command',
  },
};
